import { errorText } from "../../text/index.ts";
import { type ISignal, Signal } from "@lumino/signaling";
import { sameEdits, type CaseEdits } from "../edits/edits.ts";
import type { BegunScreening, ScreeningOptions } from "../solving/exactSolver.ts";
import { besideBase, type Outage } from "./outages.ts";
import { codeOf } from "../solving/errorCode.ts";

/** Where a screening stands. `edits` are those of the state that was screened, `ms` is how long it took. */
export type ScreenState =
  | { kind: "none" }
  | { kind: "running"; fraction: number }
  | { kind: "done"; rows: readonly Outage[]; edits: CaseEdits; ms: number }
  | { kind: "failed"; message: string };

/** Begins a screening at the present state. */
export type BeginScreening = (options: ScreeningOptions) => Promise<BegunScreening>;

/** The N-1 screening of one session: what every outage of a branch would load most, at the state it was begun at. */
export class OutageScreen {
  readonly #begin: BeginScreening;
  readonly #changed = new Signal<this, void>(this);
  #state: ScreenState = { kind: "none" };
  #running: AbortController | null = null;

  constructor(begin: BeginScreening) {
    this.#begin = begin;
  }

  /** Tells that the state changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): ScreenState {
    return this.#state;
  }

  /** Whether what is shown was computed at `edits`. */
  isOf(edits: CaseEdits): boolean {
    return this.#state.kind === "done" && sameEdits(this.#state.edits, edits);
  }

  /** Screens the present state; what ran before is given up. Ends when it is done, cancelled or failed. */
  async run(): Promise<void> {
    this.#running?.abort();
    const control = new AbortController();
    this.#running = control;
    const tell = (state: ScreenState): void => {
      if (this.#running === control) {
        this.#show(state);
      }
    };
    const begun = performance.now();
    tell({ kind: "running", fraction: 0 });
    try {
      const onProgress = (fraction: number): void => tell({ kind: "running", fraction });
      const { edits, loadingOf, rows } = await this.#begin({ signal: control.signal, onProgress });
      const outages = besideBase(await rows, loadingOf);
      tell({ kind: "done", rows: outages, edits, ms: performance.now() - begun });
    } catch (error) {
      const cancelled = codeOf(error) === "ABORTED";
      tell(cancelled ? { kind: "none" } : { kind: "failed", message: errorText(error) });
    }
    if (this.#running === control) {
      this.#running = null;
    }
  }

  /** Gives up a running screening. */
  cancel(): void {
    this.#running?.abort();
  }

  dispose(): void {
    this.cancel();
    Signal.clearData(this);
  }

  #show(state: ScreenState): void {
    this.#state = state;
    this.#changed.emit();
  }
}
