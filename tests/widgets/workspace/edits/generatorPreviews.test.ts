import t, { type Test } from "tap";
import {
  baseCost,
  type CaseSession,
  ElementSlider,
  fuelCosts,
  FuelSlider,
  NO_EDITS,
  PRICE,
  withFuelCost,
  withGeneratorEdit,
} from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

/** Unit 1 costs 0.11 p² + 5 p at bus 1, unit 2 costs 0.085 p² + 1.2 p at bus 3; 90 MW of demand at bus 2, no line binds. */
const UNIT_2 = { kind: "generator", id: 2 } as const;
const COST_2 = { kind: "generator", id: 2, value: "cost" } as const;

const near = (t: Test, got: number | undefined, want: number): boolean =>
  t.ok(Math.abs((got ?? NaN) - want) < 1e-6, `${String(got)} against ${want}`);

const price = (session: CaseSession): number => session.store.shownAt(PRICE, 1);

t.test("a capacity has a column whose estimate is exact within the interval", async (t) => {
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

t.test("a cost replaces the curve and sets the price", async (t) => {
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

t.test("a unit out of service has no column", async (t) => {
  const { session } = await openThreeBus();
  await session.select(UNIT_2);
  await session.setGenerator(2, { status: false });
  await session.columnSettled;
  const slider = new ElementSlider(session, UNIT_2, (run) => (run(), () => undefined));
  t.match(slider.problem, /out of service/);
});

t.test("the cost of a fuel changes all of its generators by an amount or a factor", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  const [fuel] = fuelCosts(opened, NO_EDITS);
  // Marginal costs from 7.2 to 60 and from 2.9 to 47.1 $/MWh between Pmin and Pmax; capacities 250 and 270 MW.
  t.match(fuel, { source: "other", curves: 2, change: 0, factor: 1 });
  near(t, fuel?.baseCost, (250 * 33.6 + 270 * 25) / 520);
  const moved: (number | null)[] = [];
  const slider = new FuelSlider(session, "other", "change", (at) => moved.push(at));
  t.match(slider, { committed: 0, range: { min: -(fuel?.baseCost ?? NaN) } });

  // Unit 2 costs 5 $/MWh and sets the price; unit 1 is at Pmin.
  slider.slideTo(-20);
  await session.editsPreview.show(
    withFuelCost(NO_EDITS, opened, { units: fuel?.units ?? [], assumed: false }, "change", -20),
    "exact",
  );
  near(t, price(session), 5);
  t.match(session.status, { kind: "previewing", exact: true });
  t.strictSame(session.state.edits, NO_EDITS, "a preview commits nothing");
  await slider.release(-20);
  t.strictSame(session.state.edits.generators, { 1: { cost: 13.6 }, 2: { cost: 5 } });
  near(t, price(session), 5);
  t.strictSame(moved, [-20, null]);
  t.match(fuelCosts(opened, session.state.edits)[0], { curves: 0, change: -20, factor: null });
  const text = (): string => session.stepText(session.history.latest.event);
  t.equal(text(), "Cost of generators without a stated fuel \u221220.00 $/MWh");
  await session.undo();
  t.strictSame(session.state.edits, NO_EDITS, "one step back");

  // Half the mean costs are 16.8 and 12.5 $/MWh.
  const byFactor = new FuelSlider(session, "other", "factor", () => undefined);
  await byFactor.commit(0.5);
  t.strictSame(session.state.edits.generators, { 1: { cost: 16.8 }, 2: { cost: 12.5 } });
  near(t, price(session), 12.5);
  t.match(fuelCosts(opened, session.state.edits)[0], { change: null, factor: 0.5 });
  t.equal(text(), "Cost of generators without a stated fuel times 0.5");
  await session.setGenerator(1, { cost: 17 });
  t.match(fuelCosts(opened, session.state.edits)[0], { change: null, factor: null }, "no common change any more");
  await byFactor.commit(1);
  t.strictSame(session.state.edits, NO_EDITS, "each has its own cost back");
  near(t, price(session), 448 / 39);
});

t.test(
  "without exact positions the cost of a fuel has the engine's estimate, and says where it has none",
  async (t) => {
    const { session } = await openThreeBus();
    session.previewMode = "first_order";
    const slider = new FuelSlider(session, "other", "change", () => undefined);
    const seen = new Promise<void>((resolve) =>
      session.changed.connect((_, change) => (change === "preview" ? resolve() : undefined)),
    );
    slider.slideTo(-20);
    await seen;
    // From the marginal cost of both, the price: it takes 0.17 / 0.39 of the change of unit 1, 0.22 / 0.39 of that of unit 2.
    near(t, price(session), (0.17 * 13.6 + 0.22 * 5) / 0.39);
    t.match(session.status, { kind: "previewing", exact: false });
    slider.letGo();
    near(t, price(session), 448 / 39);
    t.match(session.status, { kind: "ready" });

    const off = withGeneratorEdit(NO_EDITS, 2, { status: false });
    await session.editsPreview.show(off, "first_order");
    t.equal(session.editsPreview.refused, true, "a status has no estimate");
    near(t, price(session), 448 / 39);
    session.editsPreview.end();
    await session.editsPreview.show(withGeneratorEdit(off, 1, { status: false }), "exact");
    t.match(
      session.status,
      { kind: "failed", code: "SOLVE.INFEASIBLE" },
      "a position without a solution names the reason",
    );
    t.strictSame(session.state.edits, NO_EDITS, "the state stays");
    near(t, price(session), 448 / 39);
  },
);
