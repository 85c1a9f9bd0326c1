// A Study in the page: saved states, the three pointers, planning, and their storage in a document.
import t from "tap";
import type { CapacityPlanSpecJson } from "@service/engine";
import {
  type CaseSession,
  InspectingError,
  NO_EDITS,
  restoreStudy,
  type StudyRecord,
  studyRecord,
} from "@service/widgets/workspace";
import {
  BASE_PRICE,
  difference,
  LINE_2_AT_40,
  openThreeBus,
  PRICES_AT_40,
  shownPrices,
  toldActivity,
} from "../../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;
const BASE_PRICES = [BASE_PRICE, BASE_PRICE, BASE_PRICE];

/** One line may be raised by 10 MW in steps of 5: at 40 MW this lowers the price of bus 2. */
const RAISE_LINE_2: CapacityPlanSpecJson = {
  objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
  candidates: [2],
  max_increase_per_branch_mw: 10,
  budget_mw: 10,
  increment_mw: 5,
  max_changed_lines: 1,
  exact_solve_budget: 8,
};

/** A session whose live state holds line 2 at 40 MW, with a plan to raise it. */
async function planned(): Promise<CaseSession> {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.plans.run("bus 2", RAISE_LINE_2);
  return session;
}

t.test("an inspection of a saved state does not change the live one", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.select(BUS_2);
  await session.inspection.show(0);
  t.equal(session.inspection.state?.id, 0);
  t.ok(difference(shownPrices(session), BASE_PRICES) < 1e-9, "views show its prices");
  t.strictSame(session.state.edits, NO_EDITS);
  t.equal(session.state.revision, 1, "the revision is that of the live state");
  t.strictSame(session.live.edits, LINE_2_AT_40);
  t.equal(session.history.current.id, 1);
  t.equal(session.column, null, "the column was that of the live state");
  for (const ability of ["edits", "sensitivities", "plans", "outages"] as const) {
    t.notOk(session.capabilities.has(ability), ability);
  }
  await t.rejects(session.commitElement(BUS_2, 1), InspectingError);
  await t.rejects(session.reset(), { code: "STUDY.INSPECTING" });
  await t.rejects(session.undo(), { code: "STUDY.INSPECTING" });
  t.equal(session.status.kind, "failed", "the status tells");
  session.inspection.end();
  t.equal(session.status.kind, "ready");
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  await session.columnSettled;
  t.not(session.column, null, "requested again");
  t.equal(session.history.states.length, 2, "looking adds no state");
});

t.test("a commit of the kernel becomes the live state, and the inspected one stays displayed", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.inspection.show(0);
  await session.adopt({ revision: 2, edits: { deltas: { 2: 1 }, rates: { 2: -210 } }, resultSha256: "" });
  t.ok(difference(shownPrices(session), BASE_PRICES) < 1e-9);
  t.equal(session.live.revision, 2);
  session.inspection.end();
  t.ok(difference(shownPrices(session), [18.64, 31.15, 6.13]) < 1e-9);
});

t.test("a branch from an old state, and a reset that keeps the history", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.inspection.show(0);
  await session.goTo(0);
  t.equal(session.inspection.state, null, "to go on from a state ends the inspection");
  await session.commitElement(BUS_2, 3);
  await session.reset();
  t.strictSame(
    session.history.states.map(({ id, parent }) => [id, parent]),
    [
      [0, null],
      [1, 0],
      [2, 0],
      [3, 2],
    ],
  );
});

t.test("names and notes are plain text of bounded length", async (t) => {
  const { session } = await openThreeBus();
  session.history.rename(0, "  start\t<b>here\u0007\u202e ");
  session.history.annotate(0, "one\r\ntwo\u0000\u2066<b>\nthree");
  t.equal(session.history.states[0]?.name, "start <b>here");
  t.equal(session.history.states[0]?.note, "one\ntwo<b>\nthree");
  session.history.annotate(0, "x".repeat(5000));
  t.equal(session.history.states[0]?.note?.length, 2000);
  session.history.annotate(0, " ");
  t.equal(session.history.states[0]?.note, null);
});

t.test("a plan reports each trial, recommends a candidate, and applies nothing", async (t) => {
  const session = await planned();
  const { state, proposal } = session.plans;
  if (state.kind !== "done" || proposal === null) {
    throw new Error(`the plan is ${state.kind}`);
  }
  t.strictSame(proposal.changes, [{ element: { kind: "branch", id: 2 }, mw: 10 }]);
  t.strictSame(proposal.candidate?.edits, { deltas: {}, rates: { 2: -200 } });
  t.equal(proposal.start.id, 1);
  t.equal(session.live.revision, 1, "nothing is published");
  t.strictSame(session.live.edits, LINE_2_AT_40);
  const { history } = session;
  t.equal(history.recommended?.id, 2);
  t.equal(history.current.id, 1);
  t.equal(history.recommended?.parent, 1);
  t.equal(history.recommended?.revision, null);
  t.match(
    session.stateName(history.recommended ?? history.current),
    /^Candidate: Line 2 \(2 to 3\) rating \u2212200\.0 MW$/,
  );
  const trials = toldActivity(session).filter(({ kind }) => kind === "planning_trial");
  t.equal(trials.length, state.outcome.trials.length);
  t.match(trials[0]?.label, /^Line 2 \(2 to 3\) rating \+5\.0 MW$/);
  t.match(trials[0]?.result, /^accepted, exact \u2212/);
  t.equal(toldActivity(session).at(-1)?.kind, "decision");
  await session.goTo(2);
  t.equal(session.live.revision, 1, "a candidate is applied by its plan alone");
  await session.inspection.show(2);
  t.not(history.recommended?.resultSha256, "", "solved to be looked at");
  t.ok((shownPrices(session)[1] ?? NaN) < (PRICES_AT_40[1] ?? NaN));
  session.inspection.end();
  await session.commit({ deltas: {}, rates: { 2: -200 } }, 1);
  t.equal(history.current.id, 2, "the candidate that is committed is the state that it was");
  t.equal(history.recommended?.revision, 2);
});

t.test("a cancelled plan has its trials and the best candidate", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  session.plans.changed.connect(({ state }) => {
    if (state.kind === "running" && state.trials.length === 1 && !state.ending) {
      session.plans.cancel();
    }
  });
  await session.plans.run("bus 2", { ...RAISE_LINE_2, increment_mw: 1 });
  const { state, proposal } = session.plans;
  t.equal(state.kind === "done" ? state.outcome.ended : state.kind, "cancelled");
  t.ok((proposal?.changes[0]?.mw ?? 0) >= 1);
  t.not(session.history.recommended, null);
});

t.test("a refused specification has a reason", async (t) => {
  const { session } = await openThreeBus();
  await session.plans.run("bus 2", { ...RAISE_LINE_2, increment_mw: -1 });
  const { state } = session.plans;
  t.match(state.kind === "failed" ? state.message : state.kind, /increment_mw/);
});

t.test("a Study is recorded, and a session restored from it is equal", async (t) => {
  const session = await planned();
  session.history.rename(1, "Congested");
  session.history.annotate(1, "Line 2 is held at 40 MW.");
  await session.goTo(0);
  await session.commitElement(BUS_2, 3);
  await session.inspection.show(2);
  const record = JSON.parse(JSON.stringify(studyRecord(session))) as StudyRecord;
  t.equal(record.inspected_state, "s2");
  t.equal(record.recommended_state, "s2");
  t.equal(record.applied_state, "s3");
  t.equal(record.active_goal, "g1");
  t.match(record.states["s1"], {
    label: "Congested",
    note: "Line 2 is held at 40 MW.",
    parent: "s0",
    rates: { 2: -210 },
  });
  t.equal(record.goals["g1"]?.candidate_state, "s2");
  t.equal(record.experiment_order.length, Object.keys(record.experiments).length);
  t.ok(Object.keys(record.decisions).length > 0);

  const { session: other } = await openThreeBus();
  await restoreStudy(other, record, true);
  const again = studyRecord(other);
  const { experiments, experiment_order: order } = again;
  t.equal(experiments[order.at(-1) ?? ""]?.kind, "observation", "that its inspected state is shown");
  t.strictSame(
    {
      ...again,
      revision: record.revision,
      experiments: omit(experiments, order.at(-1)),
      experiment_order: order.slice(0, -1),
    },
    record,
  );
  t.strictSame(other.live.edits, { deltas: { 2: 3 }, rates: {} });
  t.ok(difference(shownPrices(other), shownPrices(session)) < 1e-12);
  const first = other.history.stateOf(1);
  const solvedAgain = first === null ? null : await other.history.resultOf(first);
  t.equal(solvedAgain?.solution.result_sha256, record.states["s1"]?.result_sha256);
  t.equal(other.plans.proposal?.changes[0]?.mw, 10);
  other.inspection.end();
  await other.reset();
  t.equal(other.history.states.length, 5, "new states follow the old ones");
});

/** A table without one of its keys. */
function omit<T>(table: Record<string, T>, key: string | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
}

t.test("without a base input there is no reset", async (t) => {
  const session = await planned();
  const record = studyRecord(session);
  const { session: other } = await openThreeBus();
  await restoreStudy(other, record, false);
  t.notOk(other.resettable);
  await t.rejects(other.reset(), /Reset is unavailable: this Study was saved without its base input\./);
  t.equal(other.history.states.length, session.history.states.length);
});
