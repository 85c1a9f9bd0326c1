import t from "tap";
import type { SensitivityColumn } from "@service/engine";
import { editRange, keyedValue, shareOf, snapped } from "@service/widgets/workspace";

const until = (mw: number): SensitivityColumn =>
  ({
    warrant: { kind: "regular", valid_mw: [null, mw], ends: [null, null], residual: 0 },
  }) as unknown as SensitivityColumn;

t.test("a slider reaches down to zero and up to a round number that holds what matters", async (t) => {
  t.strictSame(editRange("bus", 6.2, 0, null), { min: -6.2, max: 100 });
  t.strictSame(editRange("bus", 240, 0, null), { min: -240, max: 250 }, "as much again as the bus has");
  t.strictSame(editRange("bus", 6.2, 0, until(300)), { min: -6.2, max: 400 }, "the end of the exact interval");
  t.strictSame(editRange("bus", 6.2, 0, until(9000)), { min: -6.2, max: 100 }, "unless that is far away");
  t.strictSame(editRange("bus", 6.2, 170, null), { min: -6.2, max: 200 }, "the present change");
  t.strictSame(editRange("branch", 500, 0, null), { min: -500, max: 250 });
  t.strictSame(editRange("bus", -4, 0, null), { min: -0, max: 100 }, "a negative demand only grows");
});

t.test("shares of the range", async (t) => {
  t.equal(shareOf({ min: -50, max: 150 }, 0), 0.25);
  t.equal(shareOf({ min: -50, max: 150 }, 900), 1);
});

t.test("keys of the slider", async (t) => {
  const range = { min: -10, max: 90 };
  t.equal(keyedValue(range, 5, "ArrowRight", false), 6);
  t.equal(keyedValue(range, 5, "ArrowDown", true), -5);
  t.equal(keyedValue(range, 5, "PageUp", false), 15);
  t.equal(keyedValue(range, 5, "Home", false), -10);
  t.equal(keyedValue(range, 5, "End", false), 90);
  t.equal(keyedValue(range, 89.5, "ArrowRight", false), 90, "not beyond the end");
  t.equal(keyedValue(range, 5, "x", false), null);
});

t.test("a hand on the slider gets round numbers, zero, and the very ends", async (t) => {
  const range = { min: -61.237, max: 152.743 };
  t.equal(snapped(range, 12.3456), 12.3);
  t.equal(snapped(range, 0.04), 0);
  t.ok(Object.is(snapped(range, -0.04), 0), "not minus zero");
  t.equal(snapped(range, -61.23), -61.237, "the lower end as it is");
  t.equal(snapped(range, 152.72), 152.743, "and the upper one");
  t.equal(snapped({ min: -0.5, max: 0.5 }, 0.12345), 0.123, "finer where the range is small");
});
