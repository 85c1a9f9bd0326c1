import type { Solution } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
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
  /** The hash of the same state elsewhere, where it differs from ours. */
  otherSha256: string | null;
  /** The prices previewed for it. */
  prediction: Prediction | null;
  /** Whether it was committed elsewhere. */
  remote: boolean;
  /** The history state that it returns to; null for a new one. */
  visit: Visit | null;
}

/**
 * The live state of a session, its earlier states, and the numbers that views draw: those of the live state, or of a
 * saved state under inspection.
 */
export class PublishedStates {
  readonly store: SolutionStore;
  readonly history: StateHistory;
  readonly #opened: OpenedCase;
  #now: PublishedState;
  #columns: QuantityTable;
  #inspected: { id: number; shown: PublishedState } | null = null;
  #step: ShownStep | null = null;

  /** Starts at the base case; `recompute` solves a state whose numbers were dropped. */
  constructor(opened: OpenedCase, solution: Solution, columns: QuantityTable, recompute: Recompute) {
    this.#opened = opened;
    this.store = new SolutionStore(columns);
    this.#columns = columns;
    this.#now = { revision: 0, edits: NO_EDITS, solution, iterations: [], reconciled: null, otherSha256: null };
    this.history = new StateHistory(solution, columns, NO_EDITS, recompute);
  }

  /** The live state: the state published last. */
  get now(): PublishedState {
    return this.#now;
  }

  /** The state that views show: live, inspected, or a step of a series, with the revision of the live state. */
  get shown(): PublishedState {
    if (this.#step !== null) {
      return this.#step.state;
    }
    return this.#inspected === null ? this.#now : { ...this.#inspected.shown, revision: this.#now.revision };
  }

  /** The live state as the origin of a series. */
  get origin(): SeriesOrigin {
    return { edits: this.#now.edits, solution: this.#now.solution, columns: this.#columns };
  }

  /** Whether views show the live state. */
  get showsLive(): boolean {
    return this.#inspected === null && this.#step === null;
  }

  /** The state under inspection; null while the live one is shown. */
  get inspected(): CommittedState | null {
    return this.#inspected === null ? null : this.history.stateOf(this.#inspected.id);
  }

  /** The capabilities of the state on screen. */
  get capabilities(): ReadonlySet<Capability> {
    const { formulation } = this.shown.solution;
    const found = capabilitiesOf(formulation, this.store.columns);
    return this.showsLive ? found : readOnly(found, formulation === this.#now.solution.formulation);
  }

  /** Shows a step of a series without changing the live state. Null shows the live state again. */
  showStep(step: ShownStep | null): void {
    this.#step = step;
    this.#inspected = null;
    this.#publish(step?.columns ?? this.#columns);
  }

  /** Shows a saved state without changing the live state. */
  inspect({ id, edits }: CommittedState, { solution, columns }: ExactResult): void {
    const shown = { revision: 0, edits, solution, iterations: [], reconciled: null, otherSha256: null };
    this.#inspected = { id, shown };
    this.#step = null;
    this.#publish(columns);
  }

  /** Shows the live state again. */
  showLive(): void {
    this.#inspected = this.#step = null;
    this.#publish(this.#columns);
  }

  /** Publishes a new state, with its preview beside the exact prices. */
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
      this.#publish(columns);
    }
  }

  /** Gives views the numbers of the state on screen, and the rows that they belong to. */
  #publish(columns: QuantityTable): void {
    this.#opened.show(this.shown.edits.added);
    this.store.publish(columns);
  }

  /** Announces the hash of the live solution. */
  hashed(): void {
    this.history.hashed(this.#now.solution);
  }

  /** Records that the same state is known elsewhere, with its hash where that differs from ours. */
  compared(otherSha256: string | null): void {
    this.#now = { ...this.#now, otherSha256 };
  }

  /** Adds a remark to the published state; false when another state has been published since `revision`. */
  remark(revision: number, sentence: string): boolean {
    const same = this.#now.revision === revision;
    if (same) {
      this.#now = { ...this.#now, remark: sentence };
    }
    return same;
  }

  /** Drops the preview beside the published state: it was for another element. */
  forgetPreview(): void {
    this.#now = { ...this.#now, reconciled: null };
  }
}
