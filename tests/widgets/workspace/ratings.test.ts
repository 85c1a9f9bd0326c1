// Which ratings lower a price: closed forms of the three-bus network, and exact solves on a copy of the state.
import t, { type Test } from "tap";
import { NO_EDITS } from "@service/widgets/workspace";
import { BASE_PRICE, LINE_2_AT_40, openThreeBus, PRICES_AT_40 } from "../session.ts";

const near = (t: Test, found: number | null | undefined, wanted: number, what: string): boolean =>
  t.ok(Math.abs((found ?? NaN) - wanted) <= 1e-7, `${what}: ${found} is ${wanted}`);

/** $/MWh per MW of the rating of line 2 by bus: of the 90 MW unit 2 gives 3 R - 90, unit 1 the rest. */
const SLOPES = [-0.66, -1.83, 0.51];

t.test("prices have their derivatives by the binding rating", async (t) => {
  const { session } = await openThreeBus();
  const { signal } = new AbortController();
  t.strictSame((await session.ratings.of(2, signal)).effects, [], "no line binds");
  await session.commit(LINE_2_AT_40, 0);
  for (const [row, slope] of SLOPES.entries()) {
    const { effects, edits } = await session.ratings.of(row + 1, signal);
    t.strictSame([effects.map(({ branch }) => branch), edits], [[2], LINE_2_AT_40]);
    near(t, effects[0]?.increase, slope, `bus ${row + 1}, increase`);
    near(t, effects[0]?.decrease, slope, `bus ${row + 1}, decrease`);
    // The line stops binding at its flow without the limit.
    near(t, effects[0]?.column.warrant.valid_mw[1], (29.487179487179485 + 2 * 60.51282051282051) / 3 - 40, "interval");
  }
  near(t, (await session.ratings.of(null, signal)).effects[0]?.increase, -1.83, "all demand is at bus 2");
});

t.test("ratings are verified exactly without changing the state", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const { signal } = new AbortController();
  const within = await session.ratings.verify([2], 2, 5, signal);
  near(t, within.get(2), -1.83 * 5, "within the interval the estimate is exact");
  const beyond = await session.ratings.verify([2, 1], 2, 20, signal);
  near(t, beyond.get(2), BASE_PRICE - (PRICES_AT_40[1] ?? NaN), "beyond it no line binds");
  near(t, beyond.get(1), 0, "line 1 does not bind");
  near(t, (await session.ratings.verify([2], null, 5, signal)).get(2), -1.83 * 5, "the mean price");
  t.equal((await session.ratings.verify([2], 2, -60, signal)).get(2), null, "no solution with less than nothing");
  t.strictSame([session.state.revision, session.state.edits], [1, LINE_2_AT_40]);
  const control = new AbortController();
  control.abort();
  await t.rejects(session.ratings.verify([2], 2, 5, control.signal), { code: "ABORTED" });
  await t.rejects(session.ratings.of(2, control.signal), { code: "ABORTED" });
});

t.test("effects are shown after inspections, and with both one-sided derivatives", async (t) => {
  const { session } = await openThreeBus();
  const { signal } = new AbortController();
  const flow = Math.abs(session.store.shownAt("flow_mw", 1));
  await session.commit(LINE_2_AT_40, 0);
  const [base, live] = session.history.states;
  t.ok(base !== undefined && live !== undefined);
  await session.priceChanges.between(2, live ?? session.history.current, base ?? session.history.current);
  near(t, (await session.ratings.of(2, signal)).effects[0]?.increase, -1.83, "at the live state");
  await session.commit({ ...NO_EDITS, rates: { 2: flow - 250 } }, 1);
  t.strictSame((await session.ratings.of(2, signal)).effects, [], "at its limit with zero shadow price");
});
