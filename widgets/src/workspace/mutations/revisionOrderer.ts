import type { FormulationId } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import type { RemoteState } from "../session/sessionState.ts";

/** A candidate that the page has solved and wants to publish. */
export interface CommitRequest {
  baseRevision: number;
  edits: CaseEdits;
  formulation: FormulationId;
  resultSha256: string;
}

/** The orderer's answer: publish at this revision, or adopt the state that came first. */
export type CommitAnswer = { kind: "ack"; revision: number; resultSha256: string } | ({ kind: "stale" } & RemoteState);

/**
 * Assigns revisions to states. Without a kernel it is the page; while a comm is open it is the kernel's widget model
 * (contract.md section 7).
 */
export interface Orderer {
  /** The name of whom a solved candidate waits for, or null when the answer is immediate. */
  readonly waitsFor: string | null;
  /** The formulations whose results it accepts; null for all. */
  readonly formulations: readonly string[] | null;
  order(request: CommitRequest): Promise<CommitAnswer>;
}

/** The orderer without a kernel: every candidate is published at the next revision. */
export const pageOrderer: Orderer = {
  waitsFor: null,
  formulations: null,
  order: (request) =>
    Promise.resolve({ kind: "ack", revision: request.baseRevision + 1, resultSha256: request.resultSha256 }),
};
