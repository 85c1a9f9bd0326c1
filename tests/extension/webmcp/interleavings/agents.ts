// Steps of agents: of the browser, and of MCP clients through the Jupyter server.
import { withDelta } from "@service/widgets/workspace";
import { PLAN } from "../agent.ts";
import {
  codeIn,
  IN_ORDER,
  isOpen,
  type Model,
  proposalOf,
  published,
  type Real,
  type Right,
  same,
  Step,
} from "./model.ts";

export class AgentUpdate extends Step {
  readonly mw: number;
  readonly revision: Right;

  constructor(mw: number, revision: Right) {
    super(mw, revision);
    this.mw = mw;
    this.revision = revision;
  }
  async step(model: Model, { code }: Real): Promise<void> {
    const { revision } = model;
    const right = IN_ORDER[this.revision];
    const demand = [{ bus_id: 1, delta_mw: this.mw }];
    const found = await code("update_case", {
      case_id: "three_bus",
      expected_revision: right ? revision : revision + 1,
      demand,
    });
    same(found, right ? "ok" : "REVISION.STALE");
    if (right) {
      if ((model.edits.deltas["1"] ?? 0) !== this.mw) published(model);
      model.edits = withDelta(model.edits, { kind: "bus", id: 1 }, this.mw);
    }
  }
}

export class AgentReset extends Step {
  readonly revision: Right;

  constructor(revision: Right) {
    super(revision);
    this.revision = revision;
  }
  async step(model: Model, { code }: Real): Promise<void> {
    const right = IN_ORDER[this.revision];
    const expected_revision = right ? model.revision : model.revision - 1;
    same(await code("reset_case", { case_id: "three_bus", expected_revision }), right ? "ok" : "REVISION.STALE");
    if (right) {
      model.edits = { deltas: {}, rates: {} };
      published(model);
    }
  }
}

/** Reads and predictions change nothing. */
export class AgentReads extends Step {
  override check({ formulation }: Model): boolean {
    return formulation === "dcopf";
  }
  async step({ revision }: Model, { data }: Real): Promise<void> {
    const here = { case_id: "three_bus", expected_revision: revision };
    const shown = await data("inspect_case");
    same(String(shown["revision"]), String(revision));
    await data("query_network", { case_id: "three_bus", element_kind: "branch", sort_by: "loading" });
    await data("analyze_sensitivity", { ...here, element_kind: "bus", element_id: 2 });
    await data("preview_case_update", { ...here, demand: [{ bus_id: 2, delta_mw: 1 }], mode: "increment" });
  }
}

/** The tool searches and stages a plan; where nothing is better, the previous proposal stays. */
export class AgentPropose extends Step {
  readonly revision: Right;

  constructor(revision: Right) {
    super(revision);
    this.revision = revision;
  }
  override check({ formulation }: Model): boolean {
    return formulation === "dcopf";
  }
  async step(model: Model, { call }: Real): Promise<void> {
    const right = IN_ORDER[this.revision];
    const expected_revision = right ? model.revision : model.revision + 1;
    const answer = await call("propose_capacity_plan", { ...PLAN, expected_revision, exact_solve_budget: 3 });
    same(answer.ok ? "ok" : answer.error.code, right ? "ok" : "REVISION.STALE");
    if (answer.ok && answer.data["staged"] === true) {
      Object.assign(model, { proposal: "staged", solvable: true, base: model.revision, ofGoal: false });
    }
  }
}

/** A call that is cancelled before it is made. */
export class AgentGivesUp extends Step {
  async step({ revision }: Model, { call, session }: Real): Promise<void> {
    const gone = new AbortController();
    const input = { case_id: "three_bus", expected_revision: revision, demand: [{ bus_id: 1, delta_mw: 9 }] };
    const update = call("update_case", input, { signal: gone.signal });
    gone.abort();
    same(await codeIn(() => update), "ABORTED");
    await session.saveModule(); // the queue is empty now
  }
}

/** An MCP client that tries to apply the staged proposal, approved or not. */
export class OutsideApply extends Step {
  override check(model: Model): boolean {
    return isOpen(model);
  }
  async step({ revision }: Model, real: Real): Promise<void> {
    const { sessionId: session_id = "", id: proposal_id = "" } = proposalOf(real) ?? {};
    const input = { session_id, case_id: "three_bus", expected_revision: revision, proposal_id };
    same(await real.outside("apply_capacity_plan", input), "APPLY.REFUSED");
  }
}
