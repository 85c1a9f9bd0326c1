import { type ISignal, Signal } from "@lumino/signaling";
import type { SessionChange, SessionStatus } from "./sessionStatus.ts";

/** What a session is doing now, and the signal that tells whoever shows it what changed. */
export class SessionSignals<Sender> {
  readonly #changed: Signal<Sender, SessionChange>;
  readonly #sender: Sender;
  #status: SessionStatus = { kind: "ready" };
  #silent = false;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#changed = new Signal<Sender, SessionChange>(sender);
  }

  get changed(): ISignal<Sender, SessionChange> {
    return this.#changed;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** Tells of a change. */
  tell(change: SessionChange): void {
    if (!this.#silent) {
      this.#changed.emit(change);
    }
  }

  /** Sets the status and tells of it, once for all positions of one preview. */
  setStatus(status: SessionStatus): void {
    const before = this.#status;
    const same = status.kind === "previewing" && before.kind === "previewing" && status.exact === before.exact;
    this.#status = status;
    if (!same) {
      this.tell("status");
    }
  }

  /** Sets the status of a state that is told of right after. */
  setQuietly(status: SessionStatus): void {
    this.#status = status;
  }

  /** Tells nothing any more. */
  dispose(): void {
    this.#silent = true;
    Signal.clearData(this.#sender);
  }
}
