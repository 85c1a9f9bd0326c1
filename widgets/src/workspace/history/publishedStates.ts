import type { Solution } from "@service/engine";
import type { Publication } from "../mutations/committer.ts";
import { NO_EDITS } from "../edits/edits.ts";
import { reconcile } from "../preview/reconciliation.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import { SolutionStore } from "../quantities/solutionStore.ts";
import type { PublishedState } from "../session/sessionState.ts";
import { type Recompute, StateHistory } from "./stateHistory.ts";
import type { StepEvent } from "./stepEvent.ts";

/** The published exact state of a session, the numbers that its views draw, and the states before it. */
export class PublishedStates {
  readonly store: SolutionStore;
  readonly history: StateHistory;
  #now: PublishedState;

  /** Begins at the base case; `recompute` solves a state again whose numbers were forgotten. */
  constructor(solution: Solution, columns: QuantityTable, recompute: Recompute) {
    this.store = new SolutionStore(columns);
    this.#now = { revision: 0, edits: NO_EDITS, solution, iterations: [], reconciled: null, otherSha256: null };
    this.history = new StateHistory(solution, columns, NO_EDITS, recompute);
  }

  /** The published state. */
  get now(): PublishedState {
    return this.#now;
  }

  /** Takes a new state, with the preview of it set beside its exact prices. */
  publish({ candidate, revision, otherSha256, prediction, remote, visit }: Publication): void {
    const { edits, solution, columns, iterations } = candidate;
    const { edits: before, solution: was } = this.#now;
    const reconciled = prediction === null ? null : reconcile(prediction, this.store.columns, columns);
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
    this.store.publish(columns);
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
