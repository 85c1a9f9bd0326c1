import type { AddedBranch, FormulationId, PlanOutcomeJson, PlanSpecJson } from "@service/engine";
import type { NetworkElement } from "../cases/selection.ts";
import type { CaseEdits, ElementMove } from "../edits/edits.ts";

/** Random bytes of an identifier. */
const BYTES = 16;

/**
 * A random identifier of 32 hexadecimal digits. Pages on plain http have no `crypto.randomUUID`, but they have
 * `getRandomValues`.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Identifies this page load: proposals and approvals of another one have no effect here. */
export const SESSION_ID = randomId();

/** Proposed changes of a plan, not applied yet, with their starting state and their reason. */
export interface Proposal {
  /** Random identifier within this page. */
  readonly id: string;
  readonly sessionId: string;
  readonly caseId: string;
  /** `ProposalDesk.revision` at the proposal, which is valid for that state alone. */
  readonly baseRevision: number;
  readonly formulation: FormulationId;
  /** The goal of the Study that it serves; null without one. */
  readonly goal: string | null;
  /** Its `proposalDigest`, with which an approval states what was shown. */
  readonly digest: string;
  /** The changes from its starting state. */
  readonly changes: readonly ElementMove<NetworkElement>[];
  /** New circuits beside them. */
  readonly circuits: readonly AddedBranch[];
  /** Absolute edits of its starting state, and of the proposed state. */
  readonly start: CaseEdits;
  readonly edits: CaseEdits;
  readonly spec: PlanSpecJson;
  readonly outcome: PlanOutcomeJson;
}

/** The reason why a proposal expired: a committed edit, a reset, another formulation, or another network in front. */
export type Expiry = "edit" | "reset" | "formulation" | "network";

/**
 * The state of a session's proposal. An `expired` proposal, or one `invalid` because its goal or starting state
 * changed, can neither be approved nor applied.
 */
export type ProposalState =
  | { readonly kind: "none" }
  | { readonly kind: "staged" | "approved" | "applied"; readonly proposal: Proposal }
  | { readonly kind: "expired"; readonly proposal: Proposal; readonly by: Expiry }
  | { readonly kind: "invalid"; readonly proposal: Proposal; readonly changed: "goal" | "start" };

/** Why a proposal was refused. */
export type ProposalErrorCode =
  | "PROPOSAL.UNKNOWN"
  | "PROPOSAL.EXPIRED"
  | "PROPOSAL.NOT_APPROVED"
  | "APPROVAL.UNTRUSTED"
  | "APPROVAL.NOT_SHOWN"
  | "SESSION.UNKNOWN"
  | "CASE.INACTIVE";

/** A proposal was not approved or not applied; its state is unchanged. */
export class ProposalError extends Error {
  readonly code: ProposalErrorCode;

  constructor(code: ProposalErrorCode, message: string) {
    super(message);
    this.name = "ProposalError";
    this.code = code;
  }
}
