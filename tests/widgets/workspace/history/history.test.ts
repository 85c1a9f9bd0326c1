import t from "tap";
import { editsText, NO_EDITS } from "@service/widgets/workspace";
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

t.test("every published state is stored with the action that led to it", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.adopt({ revision: 2, edits: { deltas: { 2: 1 }, rates: { 2: -210 } }, resultSha256: "" });
  await t.rejects(session.commitElement(BUS_2, 5000));
  await session.reset();
  const { states } = session.history;
  t.strictSame(
    states.map(({ id, parent, revision, remote }) => [id, parent, revision, remote]),
    [
      [0, null, 0, false],
      [1, 0, 1, false],
      [2, 1, 2, true],
      [3, 2, 3, false],
    ],
    "and a failed change is not listed",
  );
  const both = { deltas: { 2: 1 }, rates: { 2: -210 } };
  t.strictSame(
    states.map(({ event }) => event),
    [
      { kind: "base" },
      { kind: "edit", before: NO_EDITS, after: LINE_2_AT_40, formulation: "dcopf" },
      { kind: "edit", before: LINE_2_AT_40, after: both, formulation: "dcopf" },
      { kind: "edit", before: both, after: NO_EDITS, formulation: "dcopf" },
    ],
  );
  t.strictSame(
    states.map(({ event }) => session.stepText(event)),
    ["Base case", "Line 2 (2 to 3) rating \u2212210.0 MW", "Bus 2 demand +1.0 MW", "Back to the base case"],
  );
  t.equal(states[0]?.resultSha256, states[3]?.resultSha256);
  t.ok(Math.abs((states[1]?.objective ?? NaN) - 808.5) < 1e-6);
});

t.test("numbers of old states are solved again on request, and nothing is published", async (t) => {
  const { session } = await openThreeBus();
  for (let mw = 1; mw <= 20; mw += 1) {
    await session.commitElement(BUS_2, mw);
  }
  await session.commit(LINE_2_AT_40, 20);
  const [, first, second] = session.history.states;
  t.ok(first !== undefined && second !== undefined);
  if (first !== undefined && second !== undefined) {
    const [columns, again] = await Promise.all([session.history.columnsOf(first), session.history.columnsOf(first)]);
    t.equal(columns, again, "once for all who ask");
    t.ok(difference(columns.values("demand_mw") ?? [], [0, 91, 0]) < 1e-9);
    t.ok(difference((await session.history.columnsOf(second)).values("demand_mw") ?? [], [0, 92, 0]) < 1e-9);
  }
  t.equal(session.state.revision, 21);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  await session.select(BUS_2);
  t.ok(
    difference(session.store.column ?? [], [0.44, 1.05, -0.17]) < 1e-9,
    "the next question is about the state shown",
  );
});

t.test("changes are measured from the base case, or from the state that was chosen", async (t) => {
  const { session } = await openThreeBus();
  const heard: string[] = [];
  session.changed.connect((_, change) => heard.push(change));
  await session.commit(LINE_2_AT_40, 0);
  t.ok(difference(session.reference.columns.values("lmp") ?? [], [BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-9);
  await session.setReference(session.history.current);
  t.ok(difference(session.reference.columns.values("lmp") ?? [], PRICES_AT_40) < 1e-9);
  t.ok(heard.includes("reference"));
  session.showQuantity("lmp_change");
  t.equal(session.wantedQuantity, "lmp_change");
  t.equal(heard.at(-1), "quantity");
});

t.test("the reference is the state chosen last, with its present name", async (t) => {
  const { session } = await openThreeBus();
  for (let mw = 1; mw <= 12; mw += 1) {
    await session.commitElement(BUS_2, mw);
  }
  const { history } = session;
  const [base, forgotten, another] = history.states;
  if (base === undefined || forgotten === undefined || another === undefined) return t.fail("no states");
  await Promise.all([session.setReference(forgotten), session.setReference(history.current)]);
  t.equal(session.reference.state.id, history.current.id, "a late answer does not overwrite it");
  const late = session.setReference(another);
  await session.setReference(history.current);
  await late;
  t.equal(session.reference.state.id, history.current.id, "nor where the reference was chosen again");

  // Results of the last few states are stored: this one is solved once more.
  for (let mw = 13; mw <= 24; mw += 1) {
    await session.commitElement(BUS_2, mw);
  }
  const named = session.setReference(forgotten);
  history.rename(forgotten.id, "With one more MW");
  await named;
  t.equal(session.reference.state.name, "With one more MW");
  t.equal(session.reference.state, history.stateOf(forgotten.id));
  t.ok(difference(session.reference.columns.values("demand_mw") ?? [], [0, 91, 0]) < 1e-9);
});

t.test("labels of steps name two elements and count the others", async (t) => {
  const { opened } = await openThreeBus();
  const from = { deltas: { 1: 2 }, rates: {} };
  t.equal(
    editsText(from, { deltas: { 1: 2, 2: 3 }, rates: { 1: -1, 3: 4 } }, opened, "dcopf"),
    "Bus 2 demand +3.0 MW, line 1 (1 to 2) rating \u22121.0 MW and 1 more",
  );
  t.equal(
    editsText(from, { deltas: { 1: 5 }, rates: {} }, opened, "dcopf"),
    "Bus 1 demand +5.0 MW",
    "as its slider says",
  );
  t.equal(editsText({ deltas: { 1: 2, 2: 3 }, rates: {} }, from, opened, "dcopf"), "Bus 2 demand back to its base");
  t.equal(editsText(from, from, opened, "dcopf"), "Solved again");
  const units = { ...from, generators: { 1: { cost: 10 }, 2: { p_max: 50 } } };
  t.equal(editsText(from, units, opened, "dcopf"), "2 generators changed");
  t.equal(
    editsText(units, { ...from, generators: { 1: { cost: 10 } } }, opened, "dcopf"),
    "Generator 2 at bus 3 capacity back to its base",
  );
  t.equal(
    editsText({ deltas: {}, rates: {}, generators: { 1: { cost: 10 } } }, NO_EDITS, opened, "dcopf"),
    "Back to the base case",
  );
});

t.test("the activity lists observations, edits, solves and failures", async (t) => {
  const { session } = await openThreeBus();
  await session.select({ kind: "bus", id: 1 });
  await session.select(BUS_2);
  await session.commit(LINE_2_AT_40, 0);
  await t.rejects(session.commitElement(BUS_2, 5000));
  await session.outages.run();
  const activity = toldActivity(session).map(({ kind, label, failed }) => [kind, label, failed]);
  t.strictSame(activity, [
    ["observation", "Three buses opened", false],
    ["solve", "Base case", false],
    ["observation", "LMP sensitivity to bus 2", false],
    ["edit", "Line 2 (2 to 3) rating \u2212210.0 MW", false],
    ["solve", "Line 2 (2 to 3) rating \u2212210.0 MW", false],
    ["solve", "Bus 2 demand +5,000.0 MW", true],
    ["observation", "N-1 outages screened", false],
  ]);
  const [, , , edit, solve, failure] = toldActivity(session);
  t.equal(edit?.result, "revision 1");
  t.match(solve?.result, /^optimal, 808\.50 \$\/h, [+\u2212][\d.]+ \$\/h from the state before$/);
  t.match(failure?.result, /No solution/i);
  const timed = session.activity.entries.filter(({ event: { kind } }) => kind !== "edited" && kind !== "opened");
  t.ok(
    timed.every(({ ms }) => ms !== null && ms > 0),
    "how long it took",
  );
  t.equal(edit?.ms, null, "an edit takes no time of its own");
});
