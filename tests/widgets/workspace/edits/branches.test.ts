import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import {
  type CaseSession,
  editsText,
  ElementSlider,
  isInService,
  keyStep,
  NO_EDITS,
  PRICE,
  type Selection,
  Workspace,
} from "@service/widgets/workspace";
import { engine, LINE_2_AT_40, openThreeBus } from "../../session.ts";

const LINE_2 = { kind: "branch", id: 2 } as const;
const UNIT_2 = { kind: "generator", id: 2 } as const;

t.test("a status equal to that of the case is no edit, and a refused one leaves the state", async (t) => {
  const { session } = await openThreeBus();
  const before = session.store.shownAt(PRICE, 1);
  await session.setStatus(LINE_2, false);
  t.strictSame(session.state.edits.branches, { 2: { status: false } });
  t.equal(isInService(session.opened, session.state.edits, LINE_2), false);
  await session.setStatus(LINE_2, true);
  t.strictSame(session.state.edits, NO_EDITS);
  t.equal(session.store.shownAt(PRICE, 1), before);
  await session.setStatus(UNIT_2, false);
  t.strictSame(session.state.edits.generators, { 2: { status: false } });
  const { edits } = session.state;
  await t.rejects(session.setStatus({ kind: "generator", id: 1 }, false), { code: "SOLVE.INFEASIBLE" });
  t.equal(session.state.edits, edits);
});

t.test("changes of a rating count from the rating of the edit", async (t) => {
  const { session } = await openThreeBus();
  const line = session.opened.branches.find(({ from, to }) => [from, to].toSorted().join() === "2,3");
  const element = { kind: "branch", id: line?.id ?? NaN } as const;
  await session.setBranch(element.id, { rating: 48 });
  await session.select(element);
  await session.columnSettled;
  const slider = new ElementSlider(session, element, (run) => (run(), () => undefined));
  t.match(slider, { baseMw: 48, baseOrNone: 48, mw: 0, assumed: false });
  t.equal(slider.range.min >= -48, true, "down to zero");
  t.equal(slider.typedMw("49", "value"), 1);
  await slider.commit(1);
  t.equal(session.store.columns.at("rating_mw", session.opened.rowOf(element)), 49);
  // The flow is a third of the output of unit 2 and the demand at bus 2, 90 MW.
  t.ok(Math.abs(session.store.shownAt("dispatch_mw", 1) - (3 * 49 - 90)) < 1e-6);
});

const slide = (session: CaseSession, element: Selection): ElementSlider =>
  new ElementSlider(session, element, (run) => (run(), () => undefined));

t.test("a phase shift drives a flow around the loop, and its exact path is followed", async (t) => {
  const { session } = await openThreeBus();
  const element = { kind: "branch", id: 3, value: "shift" } as const;
  await session.select({ kind: "branch", id: 3 });
  await session.makePrimary(element);
  t.strictSame(session.selected, [element], "another value of the same line");
  await session.columnSettled;
  t.equal(session.responseOf(element)?.dense?.column.units, "($/MWh)/degree");
  const slider = slide(session, element);
  t.match(slider, { what: "shift", unit: "\u00b0", baseOrNone: 0, mw: 0, edited: false, problem: null });
  t.strictSame(slider.range, { min: -30, max: 30 });
  const before = [0, 1, 2].map((row) => session.store.shownAt("flow_mw", row));
  // Three lines of b = 0.1/(0.1² + 0.01²) pu: a third of b φ flows around the loop, against line 1-3.
  const around = ((100 * (0.1 / (0.01 + 0.0001))) / 3) * (2 * (Math.PI / 180));
  const expected = [around, around, -around].map((mw, row) => (before[row] ?? NaN) + mw);
  const flows = (): number[] => [0, 1, 2].map((row) => session.store.shownAt("flow_mw", row));
  const near = (found: number[], name: string): void =>
    void t.ok(
      found.every((mw, k) => Math.abs(mw - (expected[k] ?? NaN)) < 1e-6),
      `${name}: ${String(found)} beside ${String(expected)}`,
    );
  slider.slideTo(2);
  await new Promise<void>((resolve) => {
    const seen = (): void => {
      if (session.status.kind === "previewing" && session.status.exact) {
        session.changed.disconnect(seen);
        resolve();
      }
    };
    session.changed.connect(seen);
    seen();
  });
  t.equal(session.shownMw, 2);
  near(flows(), "preview");
  t.strictSame(session.state.edits, NO_EDITS, "nothing is committed");
  await slider.release(2);
  t.strictSame(session.state.edits.branches, { 3: { shift: 2 } });
  near(flows(), "committed");
  await session.undo();
  t.strictSame(session.state.edits, NO_EDITS);
});

t.test("a typed reactance has its closed form, and returns to its base", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const element = { kind: "branch", id: 3, value: "x" } as const;
  await session.select(element);
  await session.columnSettled;
  const slider = slide(session, element);
  t.match(slider, { baseOrNone: 0.1, unit: "pu", assumed: false });
  t.strictSame(slider.range, { min: -0.09, max: 0.09 });
  t.equal(keyStep("x", 0.1), 0.001, "arrows move 1 %");
  t.equal(slider.typedMw("0.2 pu", "value"), 0.1);
  await slider.commit(0.1);
  t.strictSame(session.state.edits.branches, { 3: { x: 0.2 } });
  // Line 2-3 carries (x13 p3 + x12 90)/(x12 + x23 + x13) = 40 MW, where x stands for (r² + x²)/x.
  const [x12, x13] = [0.0101 / 0.1, 0.0401 / 0.2];
  const p3 = (40 * (2 * x12 + x13) - 90 * x12) / x13;
  t.ok(Math.abs(session.store.shownAt("dispatch_mw", 1) - p3) < 1e-6);
  t.equal(slider.edited, true);
  await slider.commit(0);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  await slider.commit(-0.1);
  t.match(session.status, { kind: "ready" }, "a resistance is left");
  const refused = slide(session, { kind: "branch", id: 3, value: "tap" });
  await session.makePrimary(refused.element);
  await refused.commit(-1);
  t.match(session.status, { kind: "failed", code: "BRANCH.MALFORMED" }, "the engine's code for a tap ratio of zero");
  t.strictSame(session.state.edits.branches, { 3: { x: 0 } }, "the state before stays");
});

t.test("values of branches of the case equal those of the engine", async (t) => {
  const packed = await readFile(new URL("../../../../server/grids/california.json.gz", import.meta.url));
  const workspace = new Workspace(engine);
  const opened = await workspace.caseOf(await engine.inspectModule(gunzipSync(packed).toString()), "California");
  const values = (row: number): number[] =>
    (["x", "tap", "shift"] as const).map(
      (value) => opened.baseOrNone({ kind: "branch", id: opened.branches[row]?.id ?? 0, value }) ?? NaN,
    );
  const editable = [...opened.branches.keys()].filter((row) => opened.branches[row]?.editable === true);
  const arm = opened.branches.findIndex(({ editable }) => !editable);
  t.strictSame(values(arm), [NaN, NaN, NaN], "an arm of a three-winding transformer has no edits");
  const shifters = editable.filter((row) => values(row)[2] !== 0);
  const transformers = editable.filter((row) => values(row)[1] !== 1).slice(0, 40);
  t.equal(shifters.length, 6);
  // The engine drops values that equal those of the case: all of them together leave the result of the base case.
  const branches = Object.fromEntries(
    [...shifters, ...transformers, ...editable.slice(0, 40)].map((row) => {
      const [x = NaN, tap = NaN, shift = NaN] = values(row);
      return [String(opened.branches[row]?.id), { x, tap, shift }];
    }),
  );
  const study = await engine.createStudy({ module_json: opened.moduleJson, sha256: opened.sha256 }, "dcopf", {});
  const base = (await study.current()).solution.result_sha256;
  t.equal((await study.commit("c", {}, {}, null, { branches })).solution.result_sha256, base);
  const [one] = Object.keys(branches);
  const other = { ...branches, [one ?? ""]: { ...branches[one ?? ""], x: 0.5 } };
  t.not(
    (await study.commit("c", {}, {}, null, { branches: other })).solution.result_sha256,
    base,
    "another value is an edit",
  );
});

t.test("an AC power flow with another tap ratio, committed at release", async (t) => {
  const { session } = await openThreeBus();
  await session.setFormulation("acpf");
  const element = { kind: "branch", id: 1, value: "tap" } as const;
  await session.select(element);
  const slider = slide(session, element);
  t.strictSame(slider.range, { min: -0.1, max: 0.1 });
  const before = session.store.shownAt("vm_pu", 1);
  slider.slideTo(0.05);
  t.match(session.status, { kind: "previewing", exact: false });
  t.equal(session.store.shownAt("vm_pu", 1), before, "no estimate is shown");
  await slider.release(0.05);
  t.strictSame(session.state.edits.branches, { 1: { tap: 1.05 } });
  t.ok(session.store.shownAt("vm_pu", 1) < before, "a higher ratio at bus 1 lowers the voltage at bus 2");
});

t.test("the text of a step has the units of its formulation", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  const after = { ...NO_EDITS, branches: { 2: { rating: 48, tap: 0.97 } } };
  const name = opened.nameOf("branch", 2).replace("line", "Line");
  t.equal(editsText(NO_EDITS, after, opened, "dcopf"), `${name} rating 48.0 MW, tap ratio 0.97`);
  t.equal(editsText(NO_EDITS, after, opened, "socwr"), `${name} rating 48.0 MVA, tap ratio 0.97`);
  const both = { ...after, deltas: { 2: 3 } };
  t.equal(editsText(NO_EDITS, both, opened, "dcopf"), `Bus 2 demand +3.0 MW; ${name} rating 48.0 MW, tap ratio 0.97`);
  t.equal(editsText(both, NO_EDITS, opened, "dcopf"), "Back to the base case");
});
