import type { FormulationId, Solution, SolveIteration } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import type { Reconciliation } from "../preview/reconciliation.ts";

/** The published exact state of a session. */
export interface PublishedState {
  revision: number;
  edits: CaseEdits;
  /** Its formulation is that of the state. */
  solution: Solution;
  /** Progress of its solve, where the solver reports it. */
  iterations: readonly SolveIteration[];
  /** The preview compared with this state, when the primary element alone was moved to reach it. */
  reconciled: Reconciliation | null;
  /** The hash of the same state elsewhere, when it is not ours. */
  otherSha256: string | null;
  /** A further sentence for readers. */
  remark?: string;
}

/** A state decided elsewhere that a session has to follow. */
export interface RemoteState {
  revision: number;
  edits: CaseEdits;
  /** Its formulation; without one that of the state here. */
  formulation?: FormulationId;
  /** Hash of the result there, empty when it is not known. */
  resultSha256: string;
}
