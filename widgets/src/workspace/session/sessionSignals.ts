import type { SolveProgress } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { SessionChange, SessionStatus } from "./sessionStatus.ts";

/** A solve is told of once it has lasted so long, ms: views that tell of a shorter one would only be busy when its prices arrive. */
const LASTING_MS = 100;

/** What a session is doing now, and the signal that tells whoever shows it what changed. */
export class SessionSignals<Sender> {
  readonly #changed: Signal<Sender, SessionChange>;
  readonly #sender: Sender;
  #status: SessionStatus = { kind: "ready" };
  #silent = false;
  /** Tells of a solve that lasts; null while there is none to be told of. */
  #lasting: ReturnType<typeof setTimeout> | null = null;

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

  /** Sets the status and tells of it, once for all positions of one preview; of a solve when it lasts. */
  setStatus(status: SessionStatus): void {
    const before = this.#status;
    const same =
      status.kind === "previewing" &&
      before.kind === "previewing" &&
      status.exact === before.exact &&
      status.powerFlow === before.powerFlow;
    this.setQuietly(status);
    if (status.kind === "solving") {
      this.#lasting = setTimeout(() => {
        this.#lasting = null;
        this.tell("status");
      }, LASTING_MS);
    } else if (!same) {
      this.tell("status");
    }
  }

  /** Notes how far the solve is, and tells of it once it has lasted. */
  setProgress(progress: SolveProgress): void {
    if (this.#status.kind === "solving") {
      this.#status = { kind: "solving", progress };
      if (this.#lasting === null) {
        this.tell("status");
      }
    }
  }

  /** Sets the status of a state that is told of right after. */
  setQuietly(status: SessionStatus): void {
    this.#status = status;
    this.#forgetSolve();
  }

  /** Tells nothing any more. */
  dispose(): void {
    this.#silent = true;
    this.#forgetSolve();
    Signal.clearData(this.#sender);
  }

  #forgetSolve(): void {
    clearTimeout(this.#lasting ?? undefined);
    this.#lasting = null;
  }
}
