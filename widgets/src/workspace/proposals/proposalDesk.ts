import type { PlanOptions, PlanOutcomeJson, PlanSpecJson } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { type CaseEdits, isEdited, sameEdits, withAdded, withMoves } from "../edits/edits.ts";
import type { LatestStep } from "../history/stateHistory.ts";
import type { Committer } from "../mutations/committer.ts";
import { StaleRevisionError } from "../mutations/mutationQueue.ts";
import { planCircuits } from "../planning/circuitPlans.ts";
import { planMoves } from "../planning/planMoves.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { trans } from "../../text/index.ts";
import { isTrustedClick, proposalDigest, type TrustClick } from "./approval.ts";
import { type Expiry, type Proposal, ProposalError, type ProposalState, randomId, SESSION_ID } from "./proposal.ts";

/** Options of a proposed plan. */
export interface ProposeOptions extends PlanOptions {
  /** The revision of the starting state; by default the present one. */
  expectedRevision?: number;
  /** The goal of the Study that it serves. */
  goal?: string | null;
  /** Lines of the case to which parallel circuits are candidates as well. */
  circuits?: readonly number[];
  /** Ends the plan after the running solve: the best completed trial is staged. */
  signal?: AbortSignal | undefined;
  /** Throws where the result must not be staged after all. */
  check?: () => void;
}

/** The result of a plan, and the staged proposal; null where no trial was better than the baseline. */
export interface Proposed {
  readonly outcome: PlanOutcomeJson;
  readonly proposal: Proposal | null;
}

/** The changes to stage: those of a plan from the state at a revision. */
export interface StageRequest extends Pick<Proposal, "changes" | "spec" | "outcome"> {
  readonly circuits?: Proposal["circuits"];
  readonly goal?: string | null;
  readonly baseRevision: number;
}

/** The proposal to apply, and the state to apply it to. */
export interface ApplyRequest {
  readonly sessionId: string;
  readonly caseId: string;
  readonly proposalId: string;
  readonly expectedRevision: number;
  /** Throws where it must not be applied after all. */
  readonly check?: () => void;
}

/**
 * The proposal of one session on its way from plan to state: it is staged, approved by a click and applied, each once.
 * The revision counts every change that proposals and agents depend on: each published state, and each time another
 * network comes to the front. It never falls, whichever orderer assigns the revisions of states.
 */
export class ProposalDesk {
  readonly #caseId: string;
  readonly #core: SessionCore;
  readonly #committer: Committer;
  readonly #trust: TrustClick;
  readonly #changed = new Signal<this, void>(this);
  #revision = 0;
  #state: ProposalState = { kind: "none" };
  /** The proposal that is being solved and published. */
  #applying: Proposal | null = null;

  constructor(caseId: string, core: SessionCore, committer: Committer, trust: TrustClick = isTrustedClick) {
    this.#caseId = caseId;
    this.#core = core;
    this.#committer = committer;
    this.#trust = trust;
    committer.published.connect((_, step) => this.#published(step));
  }

  /** Emitted when the state of the proposal or the revision changes. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): ProposalState {
    return this.#state;
  }

  /** The proposal that can be approved or applied; null without one. */
  get open(): Proposal | null {
    return isOpen(this.#state) ? this.#state.proposal : null;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Throws StaleRevisionError unless the revision is current. */
  expect(revision: number): void {
    if (revision !== this.#revision) {
      throw new StaleRevisionError(revision, this.#revision);
    }
  }

  /**
   * Plans from the published state on separate states, and stages the result in place of an earlier proposal. Rejects
   * with EngineError, and with StaleRevisionError where the state has changed since.
   */
  async propose(spec: PlanSpecJson, options: ProposeOptions = {}): Promise<Proposed> {
    const { expectedRevision = this.#revision, goal = null, circuits: lines = [], signal, check, ...how } = options;
    this.expect(expectedRevision);
    const { solver, queue, states, opened } = this.#core;
    const { edits } = states.now;
    const plan = async (from: CaseEdits, spec: PlanSpecJson): Promise<PlanOutcomeJson> =>
      (await queue.run(() => solver.beginPlan(from, spec, signal, how))).outcome;
    const { outcome, circuits } =
      lines.length === 0
        ? { outcome: await plan(edits, spec), circuits: [] }
        : await planCircuits(plan, edits, spec, { lines, opened }, signal);
    check?.();
    this.expect(expectedRevision);
    if (outcome.proposal.length + circuits.length === 0) {
      return { outcome, proposal: null };
    }
    const changes = planMoves(outcome.proposal);
    const staged = { changes, circuits, spec, outcome, goal, baseRevision: expectedRevision };
    return { outcome, proposal: this.stage(staged) };
  }

  /** Stages changes of the present state for approval, in place of an earlier proposal. Throws StaleRevisionError. */
  stage({ changes, circuits = [], spec, outcome, goal = null, baseRevision }: StageRequest): Proposal {
    this.expect(baseRevision);
    const { edits: start, solution } = this.#core.states.now;
    const shown = { caseId: this.#caseId, baseRevision, formulation: solution.formulation, changes, circuits };
    const proposal: Proposal = {
      ...{ id: randomId(), sessionId: SESSION_ID, goal, ...shown, digest: proposalDigest(shown) },
      ...{
        start,
        edits: withAdded(withMoves(start, changes, "increment"), { branches: [...circuits] }),
        spec,
        outcome,
      },
    };
    this.#set({ kind: "staged", proposal });
    return proposal;
  }

  /**
   * Approves the staged proposal for one use. `event` is a person's click on the control that shows it, as the browser
   * passed it to its listener, and `digest` belongs to the changes shown beside the control: nothing else approves.
   * Throws ProposalError and StaleRevisionError.
   */
  approve(event: Event, proposalId: string, baseRevision: number, digest: string): void {
    if (!this.#trust(event, digest)) {
      throw new ProposalError("APPROVAL.UNTRUSTED", trans.__("Only a person can approve a proposal, by a click."));
    }
    const proposal = this.#named(proposalId);
    if (digest !== proposal.digest) {
      const message = trans.__("The proposal is not the one that was shown. Look at it again, then approve it.");
      throw new ProposalError("APPROVAL.NOT_SHOWN", message);
    }
    if (baseRevision !== proposal.baseRevision) {
      throw new StaleRevisionError(baseRevision, proposal.baseRevision);
    }
    this.expect(baseRevision);
    this.#set({ kind: "approved", proposal });
  }

  /** Withdraws an approval; the proposal stays staged. */
  withdraw(): void {
    if (this.#state.kind === "approved") {
      this.#set({ kind: "staged", proposal: this.#state.proposal });
    }
  }

  /** Drops the proposal. */
  discard(): void {
    this.#set({ kind: "none" });
  }

  /**
   * Solves and publishes the state of the approved proposal, which uses up both. Rejects with ProposalError,
   * StaleRevisionError and EngineError, and then leaves proposal and approval unchanged.
   */
  async apply({ sessionId, caseId, proposalId, expectedRevision, check }: ApplyRequest): Promise<void> {
    const checked = (): Proposal => {
      if (sessionId !== SESSION_ID) {
        throw new ProposalError("SESSION.UNKNOWN", trans.__("The session belongs to another page."));
      }
      if (caseId !== this.#caseId) {
        throw new ProposalError("CASE.INACTIVE", trans.__("The proposal is for another case."));
      }
      const proposal = this.#named(proposalId);
      this.expect(expectedRevision);
      this.expect(proposal.baseRevision);
      const { edits, solution } = this.#core.states.now;
      if (!sameEdits(edits, proposal.start) || solution.formulation !== proposal.formulation) {
        throw new StaleRevisionError(expectedRevision, this.#revision);
      }
      if (this.#state.kind !== "approved") {
        throw new ProposalError("PROPOSAL.NOT_APPROVED", trans.__("The proposal is not approved."));
      }
      check?.();
      return proposal;
    };
    try {
      await this.#committer.checked({
        check: () => void (this.#applying = checked()),
        edits: () => this.#named(proposalId).edits,
      });
    } finally {
      this.#applying = null;
    }
  }

  /** Counts that another network came to the front. */
  networkSelected(): void {
    this.#revision += 1;
    this.#expire("network");
  }

  /** Invalidates a proposal, and its approval, when its goal or its starting state changed. */
  invalidate(changed: "goal" | "start", goal?: string): void {
    const { open } = this;
    if (open !== null && (goal === undefined || open.goal === goal)) {
      this.#set({ kind: "invalid", proposal: open, changed });
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  /** Advances the revision after a publication; a proposal is applied by its own and expires by any other. */
  #published({ event, remote }: Pick<LatestStep, "event" | "remote">): void {
    const applied = remote ? null : this.#applying;
    this.#applying = null;
    this.#revision += 1;
    if (applied !== null && this.open?.id === applied.id) {
      this.#set({ kind: "applied", proposal: applied });
    } else {
      this.#expire(expiryOf(event, this.#core.states.now.edits));
    }
  }

  /** The open proposal, which must have this id. */
  #named(proposalId: string): Proposal {
    const state = this.#state;
    if (state.kind === "none" || state.proposal.id !== proposalId) {
      throw new ProposalError("PROPOSAL.UNKNOWN", trans.__("No such proposal is staged."));
    }
    if (!isOpen(state)) {
      const why = state.kind === "applied" ? trans.__("The proposal is applied.") : trans.__("The proposal expired.");
      throw new ProposalError("PROPOSAL.EXPIRED", why);
    }
    return state.proposal;
  }

  #expire(by: Expiry): void {
    const { open } = this;
    if (open !== null) {
      this.#set({ kind: "expired", proposal: open, by });
    } else {
      this.#changed.emit(); // announces the revision
    }
  }

  #set(state: ProposalState): void {
    this.#state = state;
    this.#changed.emit();
  }
}

function isOpen(state: ProposalState): state is ProposalState & { kind: "staged" | "approved" } {
  return state.kind === "staged" || state.kind === "approved";
}

function expiryOf(event: LatestStep["event"], edits: CaseEdits): Expiry {
  if (event.kind === "formulation") {
    return "formulation";
  }
  return isEdited(edits) ? "edit" : "reset";
}
