import type { Loadability, LoadabilityOptions, LoadabilityTarget } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { type CaseEdits, sameEdits } from "../edits/edits.ts";
import { codeOf } from "../solving/errorCode.ts";

/** Where the search for a loadability limit stands. `edits` are those of the state that it begins at. */
export type LoadabilityState =
  | { kind: "none" }
  | { kind: "running"; fraction: number; atMw: number }
  | { kind: "done"; target: LoadabilityTarget; found: Loadability; edits: CaseEdits }
  | { kind: "failed"; message: string };

/** Begins the growth of a demand at the present state, and tells which that is. */
export type BeginLoadability = (
  target: LoadabilityTarget,
  options: LoadabilityOptions,
) => Promise<{ edits: CaseEdits; curve: Promise<Loadability> }>;

/** How much a demand of one session can grow before voltages collapse, with the PV curve up to there. */
export class LoadabilityRun {
  readonly #begin: BeginLoadability;
  readonly #changed = new Signal<this, void>(this);
  #state: LoadabilityState = { kind: "none" };
  #running: AbortController | null = null;

  constructor(begin: BeginLoadability) {
    this.#begin = begin;
  }

  /** Tells that the state changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): LoadabilityState {
    return this.#state;
  }

  /** Whether what is shown was computed at `edits`. */
  isOf(edits: CaseEdits): boolean {
    return this.#state.kind === "done" && sameEdits(this.#state.edits, edits);
  }

  /** Lets a demand grow from the present state; what ran before is given up. Ends when it is done, cancelled or failed. */
  async run(target: LoadabilityTarget): Promise<void> {
    this.#running?.abort();
    const control = new AbortController();
    this.#running = control;
    const { signal } = control;
    const tell = (state: LoadabilityState): void => {
      if (this.#running === control) {
        this.#state = state;
        this.#changed.emit();
      }
    };
    tell({ kind: "running", fraction: 0, atMw: 0 });
    try {
      const { edits, curve } = await this.#begin(target, {
        signal,
        onProgress: ({ fraction, at_mw: atMw }) => tell({ kind: "running", fraction, atMw }),
      });
      tell({ kind: "done", target, found: await curve, edits });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      tell(codeOf(error) === "ABORTED" ? { kind: "none" } : { kind: "failed", message });
    }
    if (this.#running === control) {
      this.#running = null;
    }
  }

  /** Gives up what is running. */
  cancel(): void {
    this.#running?.abort();
  }

  dispose(): void {
    this.cancel();
    Signal.clearData(this);
  }
}
