// N-1 screening: the three-bus network in closed form, sorting, CSV, cancelling, and the window of a long table.
import t from "tap";
import type { ContingencyRow } from "@service/engine";
import { keyedRow, rowWindow, scrolledTo } from "@service/widgets/ui";
import { cutOffSentence, newOverloadSentence, outagesSentence } from "@service/widgets/text";
import {
  besideBase,
  countOutages,
  type Outage,
  OutageScreen,
  outagesCsv,
  sortedOutages,
  wasAtLimit,
  worstOutage,
} from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus } from "../session.ts";

const loading = (branch: number, worst_loading: number, worst_mw: number, overloads: number): ContingencyRow => ({
  branch,
  kind: "loading",
  worst_branch: 9,
  worst_mw,
  worst_loading,
  overloads,
});
const islanding = (branch: number, demand_cut_off_mw: number): ContingencyRow => ({
  branch,
  kind: "islanding",
  buses_cut_off: [branch],
  demand_cut_off_mw,
  generation_cut_off_mw: 0,
});
/** An outage with a new overload, and the most loaded branch. */
const adding = (row: ContingencyRow, branch: number, before: number, after: number, count = 1): ContingencyRow => ({
  ...row,
  new_overloads: count,
  worst_new_overload: { branch, from_bus: 1, to_bus: 3, mw: 50 * after, loading_after: after, loading_before: before },
});
const ROWS = [
  loading(1, 0.5, -50, 0),
  islanding(2, 5),
  loading(3, 1.4, 30, 2),
  islanding(4, 8),
  loading(5, 0.9, -90, 0),
];
/** An outage of an AC power flow. */
const solved = (row: ContingencyRow, lowest: number, violations: number): ContingencyRow => ({
  ...row,
  worst_mva: Math.abs(row.worst_mw ?? 0) + 5,
  lowest_voltage_bus: 7,
  lowest_voltage_pu: lowest,
  highest_voltage_bus: 8,
  highest_voltage_pu: 1.04,
  voltage_violations: violations,
  new_voltage_violations: violations,
});
const order = (rows: readonly ContingencyRow[]): number[] => rows.map(({ branch }) => branch);

t.test("flows after an outage are displayed until the next change", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const { store, outage } = session;
  const before = store.shownAt("flow_mw", 1);
  let changes = 0;
  outage.changed.connect(() => (changes += 1));
  await outage.show(1);
  // Without line 1 bus 2 draws its 90 MW over line 2, rated 40, to which line 3 brings the 60 MW of generator 1.
  for (const [row, mw] of [0, -90, 60].entries())
    t.ok(Math.abs(store.shownAt("flow_mw", row) - mw) < 1e-6, `row ${row}`);
  t.ok(Math.abs(store.shownAt("loading", 1) - 90 / 40) < 1e-7);
  t.notOk(store.previewing, "prices are those of the state");
  t.match(outage.shown, { branch: 1, overloads: 1, worst: { branch: 2 } });
  t.equal(store.columns.at("flow_mw", 1), before, "nothing was published");
  outage.end();
  t.strictSame([outage.shown, store.shownAt("flow_mw", 1), changes], [null, before, 2]);

  await outage.show(3);
  await session.commit({ ...LINE_2_AT_40, rates: {} }, 1);
  t.strictSame([outage.shown, store.outage], [null, null], "they belonged to the state before");
  await t.rejects(outage.show(9), { code: "BRANCH.UNKNOWN" });
});

t.test("after an outage the flows take the other path", async (t) => {
  const { session } = await openThreeBus();
  await session.outages.run();
  const { state } = session.outages;
  t.equal(state.kind, "done");
  if (state.kind === "done") {
    t.strictSame(order(state.rows), [1, 2, 3], "every branch in service");
    const [, two] = state.rows;
    // Without line 2, generator 2 (60.512821 MW at bus 3) reaches bus 2 over line 3 and line 1, which also carries generator 1.
    t.match(two, { kind: "loading", worst_branch: 1, overloads: 0, new_overloads: 0 });
    t.equal(two?.worst_new_overload, undefined);
    t.ok(Math.abs(Math.abs(two?.worst_mw ?? NaN) - 90) < 1e-7);
    t.ok(Math.abs((two?.worst_loading ?? NaN) - 0.36) < 1e-9);
    t.equal(two?.worst_base_loading, session.store.columns.at("loading", 0));
    t.ok(Math.abs((two?.loading_rise ?? NaN) - (0.36 - (session.store.columns.at("loading", 0) ?? NaN))) < 1e-9);
    t.ok((two?.loading_rise ?? 0) > 0);
    t.match(
      outagesSentence(countOutages(state.rows), worstOutage(state.rows), session.opened),
      "3 outages: none overloads a line, none splits the network.",
    );
  }
  t.ok(session.outages.isOf(session.state.edits));
  await session.commit(LINE_2_AT_40, 0);
  t.notOk(session.outages.isOf(session.state.edits), "of a state before the last change");
  await session.outages.run();
  const again = session.outages.state;
  t.ok(again.kind === "done" && again.rows.some(({ overloads = 0 }) => overloads > 0), "line 2 holds 40 MW only");
  // Line 3 rated 50 MW: without line 1 it carries the 60 MW of generator 1, besides the full line 2.
  await session.commit({ ...LINE_2_AT_40, rates: { ...LINE_2_AT_40.rates, "3": -200 } }, 1);
  await session.outages.run();
  const both = session.outages.state;
  const one = both.kind === "done" ? both.rows[0] : undefined;
  t.match(one, { worst_branch: 2, overloads: 2, new_overloads: 1 });
  t.match(one?.worst_new_overload, { branch: 3, from_bus: 1, to_bus: 3 });
  t.ok(Math.abs((one?.worst_new_overload?.loading_after ?? NaN) - 1.2) < 1e-7);
  t.ok(Math.abs((one?.worst_new_overload?.loading_before ?? NaN) - 0.2) < 1e-7);
  if (both.kind === "done" && one !== undefined) {
    t.equal(newOverloadSentence(one, session.opened), "overloads line 3 (1 to 3), from 20 % to 120 %");
    t.equal(
      outagesSentence(countOutages(both.rows), worstOutage(both.rows), session.opened),
      "3 outages: 1 overload at least one line, 1 with a new overload, none splits the network. " +
        "The worst is line 1 (1 to 2), which loads line 2 (2 to 3) from 100 % to 225 %.",
    );
  }
});

t.test("sorting, with islanding outages after the others", async (t) => {
  t.strictSame(order(sortedOutages(ROWS, "loading", true)), [3, 5, 1, 4, 2]);
  t.strictSame(order(sortedOutages(ROWS, "loading", false)), [1, 5, 3, 4, 2]);
  t.strictSame(order(sortedOutages(ROWS, "flow", true)), [5, 1, 3, 4, 2], "by size, not by direction");
  t.strictSame(order(sortedOutages(ROWS, "overloads", true)), [3, 1, 5, 4, 2], "ties in the order of the case");
  t.strictSame(order(sortedOutages(ROWS, "outage", true)), [5, 4, 3, 2, 1]);
  t.strictSame(order(sortedOutages(ROWS, "loading", true, "overloads")), [3]);
  t.strictSame(order(sortedOutages(ROWS, "outage", false, "islanding")), [2, 4]);
  t.strictSame(order(ROWS), [1, 2, 3, 4, 5], "the rows stay as they were");
  // A line at its limit before is not an effect of the outage.
  const before = new Map([[9, 0.95]]);
  const beside = besideBase([loading(1, 1.05, 50, 1), { ...loading(2, 1.02, 50, 1), worst_branch: 8 }], (branch) =>
    branch === 8 ? 0.3 : (before.get(branch) ?? NaN),
  );
  t.strictSame(order(sortedOutages(beside, "rise", true)), [2, 1]);
  t.strictSame(order(sortedOutages(beside, "before", true)), [1, 2]);
  t.strictSame(order(sortedOutages(beside, "loading", true)), [1, 2]);
  const [unknown] = besideBase([loading(1, 1.05, 50, 1)], () => NaN);
  t.equal(unknown?.loading_rise, undefined, "nothing is reported about an unknown branch");
  const none = { voltages: 0, not_converged: 0 };
  t.strictSame(countOutages(ROWS), { all: 5, loading: 3, overloads: 1, newOverloads: 0, islanding: 2, ...none });
  // The highest new overload, then the increase on a branch, then outages that split the network.
  const serious = [
    { ...loading(1, 2.5, 30, 1), loading_rise: 0 },
    adding(loading(2, 2.5, 30, 2), 8, 0.4, 1.1),
    adding(loading(3, 2.5, 30, 4), 7, 0.9, 1.3, 2),
    islanding(4, 9),
    { ...loading(5, 2.6, 30, 1), loading_rise: 0.1 },
  ];
  t.strictSame(order(sortedOutages(serious, "new", true)), [3, 2, 5, 1, 4]);
  t.strictSame(order(sortedOutages(serious, "new", false)), [1, 5, 2, 3, 4]);
  t.equal(countOutages(serious).newOverloads, 2);
  // 260 % comes first whatever the loading before; branches already at their limit are marked.
  t.strictSame(order(sortedOutages(serious, "loading", true)), [5, 1, 2, 3, 4]);
  t.equal(worstOutage(serious)?.branch, 5);
  t.strictSame(
    [1, 0.999_999_5, 0.99, NaN].map((worst_base_loading) =>
      wasAtLimit({ ...loading(1, 2, 30, 1), worst_base_loading }),
    ),
    [true, true, false, false],
  );
  t.equal(worstOutage(ROWS)?.branch, 3);
  t.equal(worstOutage([islanding(2, 5)])?.worst_loading, undefined);
});

t.test("several new overloads are counted", async (t) => {
  const { session } = await openThreeBus();
  t.equal(
    newOverloadSentence(adding(loading(1, 2.25, 90, 3), 3, 0.2, 1.2, 2), session.opened),
    "overloads line 3 (1 to 3), from 20 % to 120 %; 2 new overloads in total",
  );
  t.equal(newOverloadSentence(loading(1, 2.25, 90, 1), session.opened), "causes no new overload");
});

t.test("the part that is cut off is named", async (t) => {
  const { session } = await openThreeBus();
  const row = { ...islanding(1, 90), buses_cut_off: [1, 2, 3, 4], generation_cut_off_mw: 12.5 };
  t.equal(
    cutOffSentence(row, session.opened),
    "cuts off bus 1, bus 2, bus 3 and 1 more: 90.0 MW of demand, 12.5 MW of generation",
  );
  t.equal(cutOffSentence({ ...islanding(3, 0) }, session.opened), "cuts off bus 3: no demand, no generation");
});

t.test("CSV has plain numbers and a line for every row shown", async (t) => {
  const { session } = await openThreeBus();
  const rows: Outage[] = [
    { ...loading(2, 1.25, -1312.5, 1), worst_branch: 1, worst_base_loading: 0.5, loading_rise: 0.75, new_overloads: 0 },
    islanding(3, 90),
    adding({ ...loading(1, 2.25, -90, 2), worst_branch: 2 }, 3, 0.2, 1.2),
  ];
  t.strictSame(outagesCsv(rows, session.opened).split("\r\n"), [
    "outage_branch,from_bus,to_bus,kind,worst_branch,worst_mw,worst_loading,worst_base_loading,loading_rise,overloads,new_overloads,new_overload_branch,new_overload_from_bus,new_overload_to_bus,new_overload_mw,new_overload_loading,new_overload_base_loading,buses_cut_off,demand_cut_off_mw,generation_cut_off_mw",
    "2,2,3,loading,1,-1312.5,1.25,0.5,0.75,1,0,,,,,,,,,",
    "3,1,3,islanding,,,,,,,,,,,,,,3,90,0",
    "1,1,2,loading,2,-90,2.25,,,2,1,3,1,3,60,1.2,0.2,,,",
    "",
  ]);
});

t.test("a screening can be cancelled, and a failure is reported", async (t) => {
  const aborted = Object.assign(new Error("aborted"), { code: "ABORTED" });
  const screen = new OutageScreen(({ signal, onProgress }) => {
    onProgress?.(0.25);
    return Promise.resolve({
      edits: { deltas: {}, rates: {} },
      loadingOf: () => 0,
      rows: new Promise((_, reject) => signal?.addEventListener("abort", () => reject(aborted))),
    });
  });
  const run = screen.run();
  t.strictSame(screen.state, { kind: "running", fraction: 0.25 });
  screen.cancel();
  await run;
  t.strictSame(screen.state, { kind: "none" });
  const broken = new OutageScreen(() => Promise.reject(new Error("The engine failed.")));
  await broken.run();
  t.strictSame(broken.state, { kind: "failed", message: "The engine failed." });
});

t.test("only the visible rows of ten thousand are in the page", async (t) => {
  const shown = rowWindow(10_000, 30, 150_000, 420);
  t.ok(shown.first <= 5000 && shown.end >= 5014 && shown.end - shown.first < 40);
  t.equal(shown.above + shown.below + 30 * (shown.end - shown.first), 300_000, "the rest is room");
  t.strictSame(rowWindow(3, 30, 0, 122), { first: 0, end: 3, above: 0, below: 0 });
  const end = rowWindow(10_000, 30, 300_000 - 420, 420);
  t.strictSame([end.end, end.below], [10_000, 0]);
  t.equal(scrolledTo(0, 30, 600, 400, 32), 0);
  t.equal(scrolledTo(100, 30, 0, 400, 32), 101 * 30 + 32 - 400);
  t.equal(scrolledTo(5, 30, 100, 400, 32), 100, "on screen already");
  t.equal(keyedRow(0, 100, "ArrowUp", 10), 0);
  t.equal(keyedRow(95, 100, "PageDown", 10), 99);
  t.equal(keyedRow(5, 100, "x", 10), null);
});

t.test("outages of AC power flows have voltages, and some have no power flow", async (t) => {
  const failed: ContingencyRow = { branch: 6, kind: "not_converged" };
  const rows = [
    solved(loading(1, 0.5, -50, 0), 0.93, 1),
    failed,
    solved(loading(3, 1.4, 30, 2), 0.97, 0),
    islanding(2, 5),
  ];
  const counts = countOutages(rows);
  t.strictSame([counts.loading, counts.voltages, counts.not_converged, counts.islanding], [2, 1, 1, 1]);
  t.strictSame(order(sortedOutages(rows, "lowest", false)), [1, 3, 2, 6], "those without voltages come last");
  t.strictSame(order(sortedOutages(rows, "violations", true, "voltages")), [1]);
  t.strictSame(order(sortedOutages(rows, "loading", true, "not_converged")), [6]);
  t.strictSame(order(sortedOutages(rows, "flow", true, "loading")), [1, 3], "by apparent power");
  const { session } = await openThreeBus();
  const [head, first] = outagesCsv(rows, session.opened).split("\r\n");
  t.ok(head?.includes(",lowest_voltage_bus,lowest_voltage_pu,"));
  t.ok(first?.includes(",7,0.93,8,1.04,1,1,"));
  t.notOk(outagesCsv(ROWS, session.opened).includes("voltage"));
  const text = outagesSentence(counts, worstOutage(rows), session.opened);
  t.match(text, "1 leaves a voltage beyond its limits. 1 has no AC power flow.");
  session.dispose();
});
