// A proposal on its way from plan to state, over the real engine on the three-bus network.
import t from "tap";
import {
  type CaseSession,
  isTrustedClick,
  PRICE,
  type Proposal,
  proposalDigest,
  SESSION_ID,
  type StageRequest,
  Workspace,
} from "@service/widgets/workspace";
import { BASE_PRICE, difference, engine, ingested, shownPrices } from "../session.ts";

/** A plan that relieves line 2, which is held at 40 MW: bus 2 has the highest price. */
const SPEC = {
  objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
  candidates: [1, 2, 3],
  ...{ max_increase_per_branch_mw: 40, budget_mw: 40, increment_mw: 20 },
  ...{ max_changed_lines: 2, exact_solve_budget: 6 },
} as const;
const spec = () => structuredClone(SPEC) as unknown as StageRequest["spec"];

/** A click that the test's gate accepts; the browser's own gate is tested in a browser. */
const CLICK = new Event("click");

async function open(): Promise<{ workspace: Workspace; session: CaseSession; other: CaseSession }> {
  const workspace = new Workspace(engine, (event) => event === CLICK);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const ask = (caseId: string) =>
    workspace.openSession({ opened, caseId, caseName: caseId, formulation: "dcopf" as const });
  const [session, other] = [await ask("three_bus"), await ask("another")];
  workspace.activate(session);
  await session.commit({ deltas: {}, rates: { 2: 40 - 250 } }, 0);
  return { workspace, session, other };
}

async function staged(session: CaseSession): Promise<Proposal> {
  const { proposal } = await session.proposals.propose(spec());
  if (proposal === null) throw new Error("the plan found nothing");
  return proposal;
}

const request = ({ id: proposalId, caseId, baseRevision: expectedRevision }: Proposal) => {
  return { sessionId: SESSION_ID, caseId, proposalId, expectedRevision };
};

t.test("a proposal is planned, staged, approved by a click and applied once each", async (t) => {
  const { session } = await open();
  const { proposals } = session;
  t.match(SESSION_ID, /^[0-9a-f]{32}$/);
  t.equal(proposals.revision, 1, "a published state counts");
  const before = session.state;
  const proposal = await staged(session);
  t.equal(session.state, before, "planning changes no state");
  t.equal(proposals.revision, 1);
  t.match(proposals.state, { kind: "staged", proposal: { id: proposal.id, baseRevision: 1, formulation: "dcopf" } });
  t.match(proposal.changes, [{ element: { kind: "branch", id: 2 }, mw: 20 }]);

  await t.rejects(proposals.apply(request(proposal)), { code: "PROPOSAL.NOT_APPROVED" });
  t.equal(proposals.state.kind, "staged", "a refused apply uses up nothing");
  t.throws(() => proposals.approve(new Event("click"), proposal.id, 1, proposal.digest), {
    code: "APPROVAL.UNTRUSTED",
  });
  t.throws(() => proposals.approve(CLICK, "another", 1, proposal.digest), { code: "PROPOSAL.UNKNOWN" });
  t.throws(() => proposals.approve(CLICK, proposal.id, 0, proposal.digest), { code: "REVISION.STALE" });
  const other = proposalDigest({ ...proposal, changes: [{ element: { kind: "branch", id: 2 }, mw: 200 }] });
  t.throws(() => proposals.approve(CLICK, proposal.id, 1, other), { code: "APPROVAL.NOT_SHOWN" });
  t.equal(proposals.state.kind, "staged", "a click on other changes approves nothing");
  proposals.approve(CLICK, proposal.id, 1, proposal.digest);
  t.equal(proposals.state.kind, "approved");

  await t.rejects(proposals.apply({ ...request(proposal), sessionId: "elsewhere" }), { code: "SESSION.UNKNOWN" });
  await t.rejects(proposals.apply({ ...request(proposal), caseId: "another" }), { code: "CASE.INACTIVE" });
  await t.rejects(proposals.apply({ ...request(proposal), expectedRevision: 0 }), { code: "REVISION.STALE" });
  await t.rejects(proposals.apply({ ...request(proposal), proposalId: "another" }), { code: "PROPOSAL.UNKNOWN" });
  t.equal(proposals.state.kind, "approved", "neither proposal nor approval is used up");
  t.equal(session.status.kind, "ready", "a refusal is no news to the user");

  const [first, second] = await Promise.allSettled([
    proposals.apply(request(proposal)),
    proposals.apply(request(proposal)),
  ]);
  t.equal(first.status, "fulfilled");
  t.match(second, { status: "rejected", reason: { code: "PROPOSAL.EXPIRED" } }, "one use");
  t.strictSame(session.state.edits, { deltas: {}, rates: { 2: 60 - 250 } });
  t.ok(difference(shownPrices(session), [BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-9, "line 2 does not bind at 60 MW");
  t.equal(proposals.state.kind, "applied");
  t.equal(proposals.revision, 2);
});

t.test("an edit, a reset, another formulation and another network in front end a proposal", async (t) => {
  const ends: [by: string, end: (it: Awaited<ReturnType<typeof open>>) => Promise<void> | void][] = [
    ["edit", ({ session }) => session.edit([{ element: { kind: "bus", id: 2 }, mw: 1 }])],
    ["reset", ({ session }) => session.reset()],
    ["formulation", ({ session }) => session.setFormulation("dcpf")],
    ["network", ({ workspace, other }) => workspace.activate(other)],
  ];
  for (const [by, end] of ends) {
    const it = await open();
    const proposal = await staged(it.session);
    const { proposals } = it.session;
    proposals.approve(CLICK, proposal.id, 1, proposal.digest);
    await end(it);
    t.match(proposals.state, { kind: "expired", by });
    t.equal(proposals.revision, 2, `${by}: the revision advances`);
    await t.rejects(proposals.apply(request(proposal)), { code: "PROPOSAL.EXPIRED" });
    t.throws(() => proposals.approve(CLICK, proposal.id, 1, proposal.digest), { code: "PROPOSAL.EXPIRED" });
  }
});

t.test("a changed goal prevents approval, a changed other goal does not", async (t) => {
  const { session } = await open();
  const { proposals } = session;
  const { proposal } = await proposals.propose(spec(), { goal: "relief" });
  t.equal(proposal?.goal, "relief");
  proposals.invalidate("goal", "another");
  t.equal(proposals.state.kind, "staged");
  proposals.approve(CLICK, proposal?.id ?? "", 1, proposal?.digest ?? "");
  proposals.invalidate("goal", "relief");
  t.match(proposals.state, { kind: "invalid", changed: "goal" });
  t.throws(() => proposals.approve(CLICK, proposal?.id ?? "", 1, proposal?.digest ?? ""), { code: "PROPOSAL.EXPIRED" });
});

t.test("a plan of a state that has changed meanwhile is not staged", async (t) => {
  const { session } = await open();
  const planning = session.proposals.propose(spec());
  await session.edit([{ element: { kind: "bus", id: 2 }, mw: 1 }]);
  await t.rejects(planning, { code: "REVISION.STALE" });
  t.equal(session.proposals.state.kind, "none");
  await t.rejects(session.proposals.propose(spec(), { expectedRevision: 1 }), { code: "REVISION.STALE" });
});

t.test("an apply whose solve fails leaves proposal and approval", async (t) => {
  const { session } = await open();
  const { proposals } = session;
  const { spec: planSpec, outcome } = await staged(session);
  const changes = [{ element: { kind: "bus", id: 2 }, mw: 5000 } as const];
  const proposal = proposals.stage({ changes, spec: planSpec, outcome, baseRevision: 1 });
  proposals.approve(CLICK, proposal.id, 1, proposal.digest);
  const before = session.state;
  await t.rejects(proposals.apply(request(proposal)), { code: "SOLVE.INFEASIBLE" });
  t.equal(session.state, before);
  t.match(proposals.state, { kind: "approved", proposal: { id: proposal.id } });
  t.equal(proposals.revision, 1);
});

t.test(
  "a proposal in the place of an approved one is taken in, and the log says what became of the approval",
  async (t) => {
    const { session } = await open();
    const { proposals, plans } = session;
    const decisions = () =>
      session.activity.entries.flatMap(({ event }) =>
        event.kind === "decided" ? [[event.decision, event.result]] : [],
      );
    const label = ({ id }: Proposal): string => `proposal ${id.slice(0, 8)}`;
    const first = await staged(session);
    proposals.approve(CLICK, first.id, 1, first.digest);
    t.equal(plans.goals.length, 1);
    const second = await staged(session);
    t.equal(plans.goals.length, 2, "the second plan is among the goals");
    t.equal(plans.active?.outcome, second.outcome);
    const approvedFirst = ["Proposal approved", label(first)];
    const replaced = ["Approved proposal replaced by another one", label(first)];
    t.strictSame(decisions(), [approvedFirst, replaced]);
    proposals.approve(CLICK, second.id, 1, second.digest);
    proposals.withdraw();
    const withdrawn = [
      ["Proposal approved", label(second)],
      ["Approval withdrawn", label(second)],
    ];
    t.strictSame(decisions(), [approvedFirst, replaced, ...withdrawn]);
    t.equal(plans.goals.length, 2, "it is the same proposal still");
    proposals.approve(CLICK, second.id, 1, second.digest);
    proposals.discard();
    t.strictSame(decisions().slice(-2), [
      ["Proposal approved", label(second)],
      ["Approved proposal discarded", label(second)],
    ]);
    const third = await staged(session);
    t.equal(plans.goals.length, 3);
    t.equal(decisions().length, 6, "nothing is withdrawn by a new one");
    t.equal(proposals.open?.id, third.id);
  },
);

t.test("only an event of the browser itself is a click of a person", (t) => {
  const forged = { isTrusted: true, type: "click", eventPhase: 3 } as Event;
  const inherited = Object.create(Event.prototype, { isTrusted: { value: true }, type: { value: "click" } }) as Event;
  const real = new Event("click");
  const proxied = new Proxy(real, { get: (event, name) => name === "isTrusted" || Reflect.get(event, name) });
  const events = [forged, inherited, real, proxied];
  t.strictSame(
    events.map((event) => isTrustedClick(event, "")),
    [false, false, false, false],
  );
  t.end();
});

/** A plan that may raise line 1 alone, which does not lower the price of bus 2. */
const OTHER_LINE = {
  ...SPEC,
  candidates: [1],
  ...{ max_increase_per_branch_mw: 20, budget_mw: 260, exact_solve_budget: 3 },
} as const;

t.test("a parallel circuit is a candidate, approved and applied with the ratings", async (t) => {
  const { session } = await open();
  const { proposals } = session;
  const asked = structuredClone(OTHER_LINE) as unknown as StageRequest["spec"];
  const before = session.store.shownAt(PRICE, 1);
  t.equal((await proposals.propose(asked)).proposal, null, "no rating helps");
  // A circuit takes the 250 MW of its line; line 2 does not bind beside it.
  const { proposal, outcome } = await proposals.propose(asked, { circuits: [2] });
  if (proposal === null) throw new Error("the plan found nothing");
  t.strictSame(proposal.circuits, [{ copy_of: 2 }]);
  t.strictSame(proposal.changes, []);
  t.ok(Math.abs(outcome.baseline.phi - before) < 1e-9);
  t.ok(Math.abs(outcome.best.phi - BASE_PRICE) < 1e-9);
  t.equal(outcome.spent_budget_mw, 250);
  t.not(proposalDigest({ ...proposal, circuits: [] }), proposal.digest, "an approval is of the circuits as well");
  proposals.approve(CLICK, proposal.id, 1, proposal.digest);
  await proposals.apply(request(proposal));
  t.strictSame(session.state.edits, { deltas: {}, rates: { 2: 40 - 250 }, added: { branches: [{ copy_of: 2 }] } });
  t.ok(difference(shownPrices(session), [BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-9);
  t.equal(session.opened.branches.length, 4);
});

t.test("the panel's plan lists every choice of circuits within the budget", async (t) => {
  const { session } = await open();
  const { plans, proposals } = session;
  const asked = structuredClone(OTHER_LINE) as unknown as StageRequest["spec"];
  await plans.run("bus 2", asked, undefined, [1, 2]);
  t.equal(plans.state.kind, "done");
  const { choices = [] } = plans.active ?? {};
  t.strictSame(
    choices.map(({ circuits }) => circuits.map(({ copy_of: id }) => id)),
    [[], [1], [2]],
    "both together are above the budget",
  );
  t.ok(Math.abs((choices[2]?.outcome?.best.phi ?? NaN) - BASE_PRICE) < 1e-9);
  t.strictSame(plans.proposal?.circuits, [{ copy_of: 2 }]);
  t.match(proposals.state, { kind: "staged", proposal: { goal: "g1", circuits: [{ copy_of: 2 }] } });
  await plans.run("bus 2", { ...asked, budget_mw: 10_000 }, undefined, [1, 2, 3, 1, 2, 3, 1]);
  t.match(plans.state, { kind: "failed", message: /^7 circuits have more than 64 choices within the budget/ });
});
