import t, { type Test } from "tap";
import {
  baseCost,
  type CaseSession,
  deltaOf,
  editedGenerators,
  ElementSlider,
  PRICE,
  withDelta,
} from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

/** Unit 1 costs 0.11 p² + 5 p at bus 1, unit 2 costs 0.085 p² + 1.2 p at bus 3; 90 MW of demand at bus 2, no line binds. */
const UNIT_2 = { kind: "generator", id: 2 } as const;
const COST_2 = { kind: "generator", id: 2, value: "cost" } as const;

const near = (t: Test, got: number | undefined, want: number): boolean =>
  t.ok(Math.abs((got ?? NaN) - want) < 1e-6, `${String(got)} against ${want}`);

const price = (session: CaseSession): number => session.store.shownAt(PRICE, 1);

t.test("a capacity is edited like a demand: at 50 MW unit 1 sets the price", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.columnSettled;
  const slider = new ElementSlider(session, UNIT_2, (run) => (run(), () => undefined));
  t.match(slider, { what: "capacity", unit: "MW", baseMw: 270, mw: 0, primary: true, problem: null, edited: false });
  t.equal(slider.range.min, 10 - 270, "not below Pmin");
  t.equal(slider.typedMw("50", "value"), -220);
  await slider.commit(-220);
  t.strictSame(session.state.edits.generators, { 2: { p_max: 50 } });
  near(t, price(session), 0.22 * 40 + 5);
  t.ok(slider.edited);
  await session.pathSettled;
  // The optimum uses 60.51 of 270 MW; below that the unit is at its maximum.
  const corner = session.path?.breakpoints[0];
  near(t, corner?.mw, 2360 / 39 - 270);
  t.equal(corner?.event, "generator_reaches_max");
  await slider.commit(-225);
  near(t, price(session), 0.22 * 45 + 5);

  await slider.commit(0);
  t.strictSame(session.state.edits.generators ?? {}, {}, "as in the case again");
  await session.undo();
  t.strictSame(session.state.edits.generators, { 2: { p_max: 45 } });
});

t.test("a drag of a capacity shows the path's prices at its position", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.columnSettled;
  await session.pathSettled;
  session.preview(-220);
  await session.saveModule(); // behind the request of the path in the queue
  near(t, price(session), 13.8);
  t.match(session.status, { kind: "previewing", exact: true });
  near(t, session.store.shownAt("dispatch_mw", 1), 50);
  session.cancelPreview();
  near(t, price(session), 448 / 39);
});

t.test("a drag of a cost shows the solver's prices at its position", async (t) => {
  const { session } = await openThreeBus();
  await session.select(COST_2);
  await session.columnSettled;
  const [, unit] = session.opened.generators;
  session.preview(10 - (unit === undefined ? NaN : baseCost(unit)));
  await session.saveModule(); // behind the solve in the queue
  t.equal(session.path, null, "there is no path along a cost");
  near(t, price(session), 10);
  t.match(session.status, { kind: "previewing", exact: true });
});

t.test("a cost replaces the curve and sets the price", async (t) => {
  const { session } = await openThreeBus();
  const [, unit] = session.opened.generators;
  const base = unit === undefined ? NaN : baseCost(unit);
  near(t, base, 1.2 + 0.17 * 140);
  await session.select(COST_2);
  await session.columnSettled;
  const slider = new ElementSlider(session, COST_2, (run) => (run(), () => undefined));
  t.match(slider, { what: "cost", unit: "$/MWh", baseMw: base });
  await slider.commit(10 - base);
  t.strictSame(session.state.edits.generators, { 2: { cost: 10 } });
  near(t, price(session), 10);
});

t.test("a unit goes out of and into service, and impossible changes are refused", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.setGenerator(2, { status: false });
  near(t, price(session), 0.22 * 90 + 5);
  const slider = new ElementSlider(session, UNIT_2, (run) => (run(), () => undefined));
  const before = session.state.edits;
  await t.rejects(session.setGenerator(1, { status: false }), { code: "SOLVE.INFEASIBLE" });
  t.equal(session.state.edits, before, "the state before stays");
  await session.setGenerator(2, { status: undefined });
  near(t, price(session), 448 / 39);
  await slider.commit(-265);
  t.match(session.status, { kind: "failed" });
  t.strictSame(session.state.edits.generators ?? {}, {}, "Pmin is 10 MW");
});

t.test("the lower limit of an output has an exact path, up to the capacity", async (t) => {
  const { session } = await openThreeBus();
  const pMin = { kind: "generator", id: 1, value: "p_min" } as const;
  await session.select(pMin);
  await session.pathSettled;
  const slider = new ElementSlider(session, pMin, (run) => (run(), () => undefined));
  t.match(slider, { what: "p_min", baseMw: 10, mw: 0, unit: "MW", problem: null });
  t.equal(slider.range.min, -10, "down to zero");
  t.ok(Math.abs(slider.range.max - 70) < 1e-6, "90 MW of demand less the 10 MW that each unit produces at least");
  // Unit 1 has to produce 40 MW: unit 2 sets the price with the other 50, 0.17 * 50 + 1.2.
  await slider.commit(30);
  t.strictSame(session.state.edits.generators, { 1: { p_min: 40 } });
  near(t, price(session), 9.7);
  await slider.commit(0);
  t.strictSame(session.state.edits.generators ?? {}, {});
});

t.test("several units at once, and another value of one of them", async (t) => {
  const { session } = await openThreeBus();
  const unit1 = { kind: "generator", id: 1 } as const;
  await session.selectMany([unit1, UNIT_2]);
  await session.edit([
    { element: unit1, mw: -200 },
    { element: UNIT_2, mw: -220 },
  ]);
  t.strictSame(session.state.edits.generators, { 1: { p_max: 50 }, 2: { p_max: 50 } });
  await session.makePrimary(COST_2);
  t.strictSame(session.selected, [unit1, COST_2]);
  await session.toggle(UNIT_2);
  t.strictSame(session.selected, [unit1], "whichever value it is");
});

t.test("changes are counted from the case", async (t) => {
  const { opened } = (await openThreeBus()).session;
  const edits = { deltas: {}, rates: {}, generators: { 2: { p_max: 50, status: false } } };
  t.equal(deltaOf(edits, UNIT_2, opened), -220);
  t.equal(deltaOf(edits, COST_2, opened), 0);
  t.strictSame(withDelta(edits, UNIT_2, 0, opened).generators, { 2: { status: false } });
  t.match(editedGenerators(opened, edits)[1], { p_max_mw: 50, p_min_mw: 10, status: 0 });
});
