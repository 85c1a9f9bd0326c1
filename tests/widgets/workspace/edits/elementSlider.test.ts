import t from "tap";
import type { SensitivityColumn } from "@service/engine";
import { editRange, ElementSlider, keyedValue, shareOf, snapped, withSolution } from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

const until = (mw: number): SensitivityColumn =>
  ({
    warrant: { kind: "regular", valid_mw: [null, mw], ends: [null, null], residual: 0 },
  }) as unknown as SensitivityColumn;

t.test("a slider ranges from zero to a round number beyond all marks", async (t) => {
  t.strictSame(editRange("demand", 6.2, 0, null), { min: -6.2, max: 100 });
  t.strictSame(editRange("demand", 240, 0, null), { min: -240, max: 250 }, "as much again as the bus has");
  t.strictSame(editRange("demand", 6.2, 0, until(300)), { min: -6.2, max: 400 }, "the end of the exact interval");
  t.strictSame(editRange("demand", 6.2, 0, until(9000)), { min: -6.2, max: 100 }, "unless that is far away");
  t.strictSame(editRange("demand", 6.2, 170, null), { min: -6.2, max: 200 }, "the present change");
  t.strictSame(editRange("rating", 500, 0, null), { min: -500, max: 250 });
  t.strictSame(editRange("demand", -4, 0, null), { min: -4, max: 100 }, "a negative demand to twice what it is");
  t.strictSame(editRange("demand", -865, 0, null), { min: -865, max: 1000 }, "and to zero and beyond");
  t.strictSame(editRange("capacity", 94, 0, null, -65.8), { min: -65.8, max: 100 }, "a capacity not below Pmin");
  t.strictSame(editRange("cost", 18, 0, null), { min: -18, max: 20 }, "in $/MWh");
});

t.test("a range ends at the end of an interval without a solution beyond", async (t) => {
  const range = { min: -10, max: 100 };
  const ends = (low: number, high: number, beyond = true): SensitivityColumn => {
    const end = (mw: number): object => ({ mw, no_solution_beyond: beyond });
    return { warrant: { kind: "regular", ends: [end(low), end(high)] } } as unknown as SensitivityColumn;
  };
  t.strictSame(withSolution(range, 1, ends(-3, 2.5)), { min: -2, max: 3.5 }, "as changes from the base case");
  t.strictSame(withSolution(range, 1, ends(-3, 2.5, false)), range, "not at any other end");
  t.strictSame(withSolution(range, 0, ends(-30, 300)), range, "not further than the range");
  t.strictSame(withSolution(range, 1, ends(0, 0)), range, "no slider without width");
  t.strictSame(withSolution(range, 1, null), range);
});

t.test("positions are shares of the range", async (t) => {
  t.equal(shareOf({ min: -50, max: 150 }, 0), 0.25);
  t.equal(shareOf({ min: -50, max: 150 }, 900), 1);
});

t.test("keys move the slider", async (t) => {
  const range = { min: -10, max: 90 };
  t.equal(keyedValue(range, 5, "ArrowRight", false), 6);
  t.equal(keyedValue(range, 5, "ArrowDown", true), -5);
  t.equal(keyedValue(range, 5, "PageUp", false), 15);
  t.equal(keyedValue(range, 5, "Home", false), -10);
  t.equal(keyedValue(range, 5, "End", false), 90);
  t.equal(keyedValue(range, 89.5, "ArrowRight", false), 90, "not beyond the end");
  t.equal(keyedValue(range, 5, "x", false), null);
});

t.test("dragged values are rounded to round numbers, zero and the ends", async (t) => {
  const range = { min: -61.237, max: 152.743 };
  t.equal(snapped(range, 12.3456), 12.3);
  t.equal(snapped(range, 0.04), 0);
  t.ok(Object.is(snapped(range, -0.04), 0), "not minus zero");
  t.equal(snapped(range, -61.23), -61.237, "the lower end as it is");
  t.equal(snapped(range, 152.72), 152.743, "and the upper one");
  t.equal(snapped({ min: -0.5, max: 0.5 }, 0.12345), 0.123, "finer where the range is small");
});

const BUS_2 = { kind: "bus", id: 2 } as const;
const LINE_2 = { kind: "branch", id: 2 } as const;

t.test("the slider of a row has its position and the interval in which it is exact", async (t) => {
  const { session } = await openThreeBus();
  await session.selectMany([BUS_2, LINE_2]);
  await session.makePrimary(BUS_2);
  const row = new ElementSlider(session, BUS_2, () => () => undefined);
  t.match(row, { name: "Bus 2", what: "demand", primary: true, baseMw: 90, mw: 0, problem: null });
  t.strictSame(row.range, session.range);
  const [low, high] = session.column?.warrant.valid_mw ?? [null, null];
  t.strictSame(row.exact, { low, high });
  await session.commitElement(BUS_2, 10);
  await session.columnSettled;
  t.equal(row.mw, 10);
  t.ok(Math.abs((row.exact?.high ?? NaN) - (high ?? NaN)) < 1e-6, "the same end, from the base case");

  t.equal(row.typedMw("\u221212.5", "change"), -12.5);
  t.equal(row.typedMw("100.3", "value"), 10.3);
  t.equal(row.typedMw("5", "add"), 15);
  t.equal(row.typedMw("much", "value"), null);
});

t.test("frames preview, keys and releases commit", async (t) => {
  const { session } = await openThreeBus();
  await session.selectMany([LINE_2, BUS_2]);
  let frame: (() => void) | null = null;
  let frames = 0;
  const row = new ElementSlider(session, LINE_2, (run) => {
    frames += 1;
    frame = run;
    return () => (frame = null);
  });
  t.notOk(row.primary);
  row.slideTo(-10.04);
  row.slideTo(-20.04);
  t.equal(session.previewMw, null, "not before the frame");
  (frame as (() => void) | null)?.();
  t.equal(frames, 2);
  t.equal(session.previewMw, -20);
  t.ok(row.primary, "a hand on it made it the primary");

  t.ok(row.key("ArrowLeft", true));
  t.equal(row.mw, -30);
  t.notOk(row.key("x", false));
  t.equal(session.state.revision, 0, "keys wait");
  row.commitKeys();
  row.commitKeys();
  await session.saveModule(); // behind the commit in the queue
  t.equal(session.state.revision, 1, "and are one change");
  t.strictSame(session.state.edits.rates, { 2: -30 });
  await row.commit(-12.3456);
  t.equal(session.state.revision, 2);
  await row.release(-12.3456);
  t.equal(session.state.revision, 2, "a touch without a move changes nothing");
  row.slideTo(-40.04);
  await Promise.all([row.release(-40.04), row.release(-40.04)]);
  t.strictSame(session.state.edits.rates, { 2: -40 });
  t.equal(session.state.revision, 3, "two events of one release are one change");
});
