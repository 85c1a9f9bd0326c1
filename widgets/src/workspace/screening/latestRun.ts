import { type ISignal, Signal } from "@lumino/signaling";
import { errorText } from "../../text/index.ts";
import { type CaseEdits, sameEdits } from "../edits/edits.ts";
import { codeOf } from "../solving/errorCode.ts";

/**
 * The state of a run: `Running` has its progress, `Done` its result. `edits` are those of the state it started from.
 */
export type RunState<Running, Done> =
  | { kind: "none" }
  | ({ kind: "running"; fraction: number } & Running)
  | ({ kind: "done"; edits: CaseEdits } & Done)
  | { kind: "failed"; message: string };

/** A long computation of one session that starts from the present state; a new run replaces the previous one. */
export abstract class LatestRun<Running extends object, Done extends object> {
  readonly #changed = new Signal<this, void>(this);
  #state: RunState<Running, Done> = { kind: "none" };
  #running: AbortController | null = null;

  /** Emitted when {@link state} has changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): RunState<Running, Done> {
    return this.#state;
  }

  /** Whether the result belongs to `edits`. */
  isOf(edits: CaseEdits): boolean {
    return this.#state.kind === "done" && sameEdits(this.#state.edits, edits);
  }

  /** Cancels the running computation. */
  cancel(): void {
    this.#running?.abort();
  }

  dispose(): void {
    this.cancel();
    Signal.clearData(this);
  }

  /** Runs `work` in place of an earlier run, which is cancelled. Resolves when it is done, cancelled or failed. */
  protected async follow(
    start: { fraction: number } & Running,
    work: (
      signal: AbortSignal,
      progress: (at: { fraction: number } & Running) => void,
    ) => Promise<{ edits: CaseEdits } & Done>,
  ): Promise<void> {
    this.#running?.abort();
    const control = new AbortController();
    this.#running = control;
    const tell = (state: RunState<Running, Done>): void => {
      if (this.#running === control) {
        this.#state = state;
        this.#changed.emit();
      }
    };
    tell({ kind: "running", ...start });
    try {
      const found = await work(control.signal, (at) => tell({ kind: "running", ...at }));
      tell({ kind: "done", ...found });
    } catch (error) {
      tell(codeOf(error) === "ABORTED" ? { kind: "none" } : { kind: "failed", message: errorText(error) });
    }
    if (this.#running === control) {
      this.#running = null;
    }
  }
}
