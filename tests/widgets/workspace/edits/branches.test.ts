import t from "tap";
import { editsText, ElementSlider, isInService, NO_EDITS, PRICE } from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

const LINE_2 = { kind: "branch", id: 2 } as const;
const UNIT_2 = { kind: "generator", id: 2 } as const;

t.test("a status of the case is no edit, and a refused one leaves the state", async (t) => {
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
