import t, { type Test } from "tap";
import { baseCost, type CaseSession, ElementSlider, PRICE } from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

/** Unit 1 costs 0.11 p² + 5 p at bus 1, unit 2 costs 0.085 p² + 1.2 p at bus 3; 90 MW of demand at bus 2, no line binds. */
const UNIT_2 = { kind: "generator", id: 2 } as const;
const COST_2 = { kind: "generator", id: 2, value: "cost" } as const;

const near = (t: Test, got: number | undefined, want: number): boolean =>
  t.ok(Math.abs((got ?? NaN) - want) < 1e-6, `${String(got)} against ${want}`);

const price = (session: CaseSession): number => session.store.shownAt(PRICE, 1);

t.test("a capacity has a column, and its estimate is exact within the interval", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.columnSettled;
  const slider = new ElementSlider(session, UNIT_2, (run) => (run(), () => undefined));
  t.match(slider, { primary: true, problem: null });
  near(t, slider.exact?.low ?? NaN, 60.51282051282051 - 270);
  await slider.commit(-220);
  await session.columnSettled;
  t.equal(session.column?.units, "($/MWh)/MW");
  near(t, session.store.dense?.values[0], -0.22);
  // 45 MW, with unit 1 at 45 MW.
  session.previewMode = "first_order";
  session.preview(-225);
  near(t, price(session), 0.22 * 45 + 5);
  await slider.commit(-225);
  near(t, session.state.reconciled?.preview, session.state.reconciled?.exact ?? NaN);
});

t.test("a cost replaces the curve, and then sets the price", async (t) => {
  const { session } = await openThreeBus();
  const [, unit] = session.opened.generators;
  const base = unit === undefined ? NaN : baseCost(unit);
  await session.select(COST_2);
  await session.columnSettled;
  const slider = new ElementSlider(session, COST_2, (run) => (run(), () => undefined));
  t.match(slider, { what: "cost", unit: "$/MWh", exact: null });
  // The estimate starts from the marginal cost at 60.51 MW; the price takes 0.22 / 0.39 of the change.
  session.previewMode = "first_order";
  session.preview(10 - base);
  near(t, price(session), 448 / 39 + ((10 - 448 / 39) * 0.22) / 0.39);
  await slider.commit(10 - base);
  await session.columnSettled;
  near(t, session.store.dense?.values[2], 1);
  near(t, (slider.exact?.high ?? NaN) + base, 22.6);
});

t.test("a unit that is off has no column", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.setGenerator(2, { status: false });
  await session.columnSettled;
  const slider = new ElementSlider(session, UNIT_2, (run) => (run(), () => undefined));
  t.match(slider.problem, /out of service/);
});
