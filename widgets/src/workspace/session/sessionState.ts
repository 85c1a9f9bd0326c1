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
  /** The hash of the same state elsewhere, where it differs from ours. */
  otherSha256: string | null;
  /** A further sentence for readers. */
  remark?: string;
}

/** A state committed elsewhere that the session has to follow. */
export interface RemoteState {
  revision: number;
  edits: CaseEdits;
  /** Its formulation; by default that of the present state. */
  formulation?: FormulationId;
  /** Hash of its result elsewhere; empty when unknown. */
  resultSha256: string;
}
