import type { Solution } from "@service/engine";
import { NO_EDITS } from "../edits/edits.ts";
import { type Prediction, reconcile } from "../preview/reconciliation.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import type { SeriesOrigin, ShownStep } from "../series/solvedSeries.ts";
import { SolutionStore } from "../quantities/solutionStore.ts";
import { type Capability, capabilitiesOf, readOnly } from "../session/capabilities.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { Candidate } from "../solving/exactSolver.ts";
import type { CommittedState, ExactResult } from "./committedState.ts";
import { type Recompute, StateHistory, type Visit } from "./stateHistory.ts";
import type { StepEvent } from "./stepEvent.ts";

/** An exact state on its way to be published. */
export interface Publication {
  candidate: Candidate;
  revision: number;
  /** The hash of the same state elsewhere, when it is not ours. */
  otherSha256: string | null;
  /** The prices predicted for it. */
  prediction: Prediction | null;
  /** Whether it was committed elsewhere. */
  remote: boolean;
  /** The state of the history that it comes back to; null for a new one. */
  visit: Visit | null;
}

/**
 * The live state of a session, the states before it, and the numbers that its views draw: those of the live state, or of a saved one
 * that is inspected meanwhile.
 */
export class PublishedStates {
  readonly store: SolutionStore;
  readonly history: StateHistory;
  #now: PublishedState;
  #columns: QuantityTable;
  #inspected: { id: number; shown: PublishedState } | null = null;
  #step: ShownStep | null = null;

  /** Begins at the base case; `recompute` solves a state again whose numbers were forgotten. */
  constructor(solution: Solution, columns: QuantityTable, recompute: Recompute) {
    this.store = new SolutionStore(columns);
    this.#columns = columns;
    this.#now = { revision: 0, edits: NO_EDITS, solution, iterations: [], reconciled: null, otherSha256: null };
    this.history = new StateHistory(solution, columns, NO_EDITS, recompute);
  }

  /** The live state: the one that was published last. */
  get now(): PublishedState {
    return this.#now;
  }

  /** The state that views show: the live one, the one inspected, or a step of a series, with the revision of the live one. */
  get shown(): PublishedState {
    if (this.#step !== null) {
      return this.#step.state;
    }
    return this.#inspected === null ? this.#now : { ...this.#inspected.shown, revision: this.#now.revision };
  }

  /** The live state as series begin at it. */
  get origin(): SeriesOrigin {
    return { edits: this.#now.edits, solution: this.#now.solution, columns: this.#columns };
  }

  /** Whether views show the live state. */
  get showsLive(): boolean {
    return this.#inspected === null && this.#step === null;
  }

  /** The state that is inspected; null while the live one is shown. */
  get inspected(): CommittedState | null {
    return this.#inspected === null ? null : this.history.stateOf(this.#inspected.id);
  }

  /** What can be done with the state shown. */
  get capabilities(): ReadonlySet<Capability> {
    const { formulation } = this.shown.solution;
    const found = capabilitiesOf(formulation, this.store.columns);
    return this.showsLive ? found : readOnly(found, formulation === this.#now.solution.formulation);
  }

  /** Shows a step of a series; the live state stays what it is. Null shows the live state again. */
  showStep(step: ShownStep | null): void {
    this.#step = step;
    this.#inspected = null;
    this.store.publish(step?.columns ?? this.#columns);
  }

  /** Shows a saved state; the live one stays what it is. */
  inspect({ id, edits }: CommittedState, { solution, columns }: ExactResult): void {
    const shown = { revision: 0, edits, solution, iterations: [], reconciled: null, otherSha256: null };
    this.#inspected = { id, shown };
    this.#step = null;
    this.store.publish(columns);
  }

  /** Shows the live state again. */
  showLive(): void {
    this.#inspected = this.#step = null;
    this.store.publish(this.#columns);
  }

  /** Takes a new state, with the preview of it set beside its exact prices. */
  publish({ candidate, revision, otherSha256, prediction, remote, visit }: Publication): void {
    const { edits, solution, columns, iterations } = candidate;
    const { edits: before, solution: was } = this.#now;
    const reconciled = prediction === null ? null : reconcile(prediction, this.#columns, columns);
    this.#now = { revision, edits, solution, iterations, reconciled, otherSha256 };
    if (visit === null) {
      const event: StepEvent =
        was.formulation === solution.formulation
          ? { kind: "edit", before, after: edits, formulation: solution.formulation }
          : { kind: "formulation", before: was.formulation, after: solution.formulation };
      this.history.add({ revision, event, edits, remote }, solution, columns);
    } else {
      this.history.returned(visit, solution, columns);
    }
    this.#columns = columns;
    if (this.showsLive) {
      this.store.publish(columns);
    }
  }

  /** The live solution has its hash now. */
  hashed(): void {
    this.history.hashed(this.#now.solution);
  }

  /** The same state is known elsewhere, under this hash when it is not ours. */
  compared(otherSha256: string | null): void {
    this.#now = { ...this.#now, otherSha256 };
  }

  /** Adds a sentence to the published state; false when another one has come since `revision`. */
  remark(revision: number, sentence: string): boolean {
    const same = this.#now.revision === revision;
    if (same) {
      this.#now = { ...this.#now, remark: sentence };
    }
    return same;
  }

  /** Forgets the preview that was set beside it: it was about another element. */
  forgetPreview(): void {
    this.#now = { ...this.#now, reconciled: null };
  }
}
