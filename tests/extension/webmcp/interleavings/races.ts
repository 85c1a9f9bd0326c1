// Concurrent steps.
import { SESSION_ID } from "@service/widgets/workspace";
import { CLICK, PLAN } from "../agent.ts";
import { SelectNetwork } from "./edits.ts";
import type { Model, Real } from "./model.ts";

/** One part of a race, started without waiting for the others. */
export type Racer = (real: Real) => Promise<unknown>;

/** The parts by kind. */
export const RACERS: Record<string, Racer> = {
  edit: ({ session }) => session.edit([{ element: { kind: "bus", id: 2 }, mw: 1 }], "increment"),
  fail: ({ session }) => session.edit([{ element: { kind: "bus", id: 2 }, mw: 5000 }]),
  reset: ({ session }) => session.reset(),
  kernel: ({ session }) =>
    session.adopt({ revision: session.live.revision + 1, edits: { deltas: { 3: 2 }, rates: {} }, resultSha256: "" }),
  cancel: ({ session }) => Promise.resolve(session.cancel()),
  network: async (real) => new SelectNetwork().step({ ...IDLE }, real),
  stage: async ({ session, plan: found }) => {
    const changes = [{ element: { kind: "branch", id: 2 }, mw: 20 } as const];
    return Promise.resolve(session.proposals.stage({ ...found, changes, baseRevision: session.proposals.revision }));
  },
  approve: async ({ session: { proposals } }) =>
    Promise.resolve(
      proposals.open && proposals.approve(CLICK, proposals.open.id, proposals.open.baseRevision, proposals.open.digest),
    ),
  apply: async ({ session: { proposals, caseId } }) =>
    proposals.open &&
    proposals.apply({
      ...{ sessionId: SESSION_ID, caseId, proposalId: proposals.open.id },
      expectedRevision: proposals.open.baseRevision,
    }),
  propose: ({ call, session: { proposals } }) =>
    call("propose_capacity_plan", { ...PLAN, expected_revision: proposals.revision, exact_solve_budget: 3 }),
  agent: ({ call, session }) =>
    call("update_case", {
      case_id: "three_bus",
      expected_revision: session.proposals.revision,
      demand: [{ bus_id: 1, delta_mw: 1 }],
      mode: "increment",
    }),
};
const IDLE: Model = {
  revision: 0,
  formulation: "dcopf",
  edits: { deltas: {}, rates: {} },
  proposal: "none",
  solvable: true,
  base: 0,
};
