// Steps of proposals: staged, approved, withdrawn, made invalid, applied.
import { type Proposal, SESSION_ID } from "@service/widgets/workspace";
import { CLICK } from "../agent.ts";
import { codeIn, IN_ORDER, isOpen, type Model, proposalOf, type Real, type Right, same, Step } from "./model.ts";

export class Stage extends Step {
  readonly mw: number;

  constructor(mw: number) {
    super(mw);
    this.mw = mw;
  }
  override check({ formulation }: Model): boolean {
    return formulation === "dcopf";
  }
  async step(model: Model, { session, plan }: Real): Promise<void> {
    const changes = [{ element: { kind: "bus", id: 2 }, mw: this.mw } as const];
    session.proposals.stage({ ...plan, changes, goal: "goal", baseRevision: model.revision });
    Object.assign(model, { proposal: "staged", solvable: this.mw < 1000, base: model.revision, ofGoal: true });
    return Promise.resolve();
  }
}

export class StageStale extends Step {
  async step(model: Model, { session, plan }: Real): Promise<void> {
    same(
      await codeIn(() => session.proposals.stage({ ...plan, changes: [], baseRevision: model.revision - 1 })),
      "REVISION.STALE",
    );
  }
}

export class Approve extends Step {
  readonly click: Right;
  readonly id: Right;

  constructor(click: Right, id: Right) {
    super(click, id);
    this.click = click;
    this.id = id;
  }
  async step(model: Model, real: Real): Promise<void> {
    const proposal = proposalOf(real);
    const id = IN_ORDER[this.id] && proposal !== null ? proposal.id : "another";
    const event = IN_ORDER[this.click] ? CLICK : new Event("click");
    const found = await codeIn(() => real.session.proposals.approve(event, id, model.base, proposal?.digest ?? ""));
    const wanted = !IN_ORDER[this.click]
      ? "APPROVAL.UNTRUSTED"
      : proposal === null || !IN_ORDER[this.id]
        ? "PROPOSAL.UNKNOWN"
        : isOpen(model)
          ? "ok"
          : "PROPOSAL.EXPIRED";
    same(found, wanted);
    if (wanted === "ok") model.proposal = "approved";
  }
}

export class Withdraw extends Step {
  async step(model: Model, { session }: Real): Promise<void> {
    session.proposals.withdraw();
    if (model.proposal === "approved") model.proposal = "staged";
    return Promise.resolve();
  }
}

export class ChangeGoal extends Step {
  async step(model: Model, { session }: Real): Promise<void> {
    session.proposals.invalidate("goal", "goal");
    if (isOpen(model) && model.ofGoal === true) model.proposal = "invalid";
    return Promise.resolve();
  }
}

/** Applies through the tool where it is available, else through a stale reference to it. */
export class Apply extends Step {
  readonly session: Right;
  readonly id: Right;
  readonly revision: Right;

  constructor(session: Right, id: Right, revision: Right) {
    super(session, id, revision);
    this.session = session;
    this.id = id;
    this.revision = revision;
  }
  async step(model: Model, real: Real): Promise<void> {
    const proposal = proposalOf(real);
    const request = {
      session_id: IN_ORDER[this.session] ? SESSION_ID : "another",
      proposal_id: IN_ORDER[this.id] && proposal !== null ? proposal.id : "another",
      expected_revision: IN_ORDER[this.revision] ? model.revision : model.revision + 1,
    };
    const wanted = this.wanted(model, proposal);
    const found = real.context.tools.has("apply_capacity_plan")
      ? await real.code("apply_capacity_plan", { case_id: "three_bus", ...request })
      : await codeIn(() =>
          real.session.proposals.apply({
            ...{ sessionId: request.session_id, proposalId: request.proposal_id, caseId: "three_bus" },
            expectedRevision: request.expected_revision,
          }),
        );
    same(found, wanted);
    if (wanted === "ok") {
      model.revision += 1;
      model.proposal = "applied";
      model.edits = proposal?.edits ?? model.edits;
    }
  }

  private wanted(model: Model, proposal: Proposal | null): string {
    if (!IN_ORDER[this.session]) return "SESSION.UNKNOWN";
    if (proposal === null || !IN_ORDER[this.id]) return "PROPOSAL.UNKNOWN";
    if (!isOpen(model)) return "PROPOSAL.EXPIRED";
    if (!IN_ORDER[this.revision]) return "REVISION.STALE";
    if (model.proposal !== "approved") return "PROPOSAL.NOT_APPROVED";
    return model.solvable ? "ok" : "SOLVE.INFEASIBLE";
  }
}
