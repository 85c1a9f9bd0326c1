import { readFileSync } from "node:fs";
import t from "tap";
import { rgb } from "d3-color";
import {
  BusPaint,
  centredRange,
  changeScale,
  OTHER_RAMPS,
  outsideText,
  priceScale,
  quantileRange,
  rampOf,
  robustRange,
  settleRange,
  ticks,
} from "@service/widgets/map";
import { type ExactState, loadingClass, onePrice } from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus } from "../../session.ts";

const spread = (low: number, high: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));

function fixture<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), "utf8")) as Content;
}

t.test("colours are those of the pictures of the kernel", async (t) => {
  // tests/python/map/test_picture.py reads the same file.
  const given = fixture<Record<"maps" | "ramps", Record<string, string>>>("palettes");
  const sampled = (ramp: (share: number) => string, colours: string): string => {
    const last = colours.split(" ").length - 1;
    return Array.from({ length: last + 1 }, (_, k) => rgb(ramp(k / last)).formatHex()).join(" ");
  };
  for (const [name, colours] of Object.entries(given.maps)) {
    t.equal(sampled(rampOf(name, false), colours), colours, name);
  }
  for (const [name, { light }] of Object.entries(OTHER_RAMPS)) {
    t.equal(sampled(light, given.ramps[name] ?? ""), given.ramps[name], name);
  }
});

t.test("ranges are those of the pictures of the kernel", async (t) => {
  // tests/python/map/test_picture.py reads the same file.
  const given = fixture<{ values: (number | null)[]; robust: number[]; centred: number; quantile: number[] }>("ranges");
  const values = Float64Array.from(given.values, (value) => value ?? NaN);
  const { robust, centred, quantile } = given;
  t.strictSame(robustRange(values), { low: robust[0], high: robust[1] });
  t.strictSame(centredRange(values), { low: -centred, high: centred });
  t.strictSame(quantileRange(values), { low: quantile[0], high: quantile[1] });
});

t.test("a robust range", async (t) => {
  t.strictSame(robustRange(spread(28, 54, 101)), { low: 28, high: 54 }, "without outliers it is the whole span");
  const spiked = Float64Array.of(...spread(40, 44, 198), 900, -300);
  const range = robustRange(spiked);
  t.ok(range !== null && range.low > 39 && range.high < 45, "one spike on either side does not stretch it");
  t.equal(robustRange(Float64Array.of(NaN, NaN)), null);
  t.strictSame(robustRange(Float64Array.of(6.71, 6.71, NaN)), { low: 6.71, high: 6.71 });
});

t.test("a range is reused while it suits the next state", async (t) => {
  const first = robustRange(spread(28, 54, 101));
  t.equal(settleRange(first, spread(28.5, 54, 101)), first);
  t.not(settleRange(first, spread(28, 90, 101)), first, "too many outside");
  t.not(settleRange(first, spread(40, 41, 101)), first, "too little of it used");
});

t.test("a range of changes is symmetric about zero", async (t) => {
  t.strictSame(centredRange(Float64Array.of(-0.17, 0.44, 1.05)), { low: -1.05, high: 1.05 });
  t.strictSame(centredRange(Float64Array.of(0, 0)), { low: -0, high: 0 });
});

t.test("ticks are round numbers within the range", async (t) => {
  t.strictSame(ticks({ low: 28, high: 54 }, 4), [30, 40, 50]);
  t.strictSame(ticks({ low: 0, high: 1 }, 4), [0, 0.5, 1]);
  t.strictSame(ticks({ low: 5, high: 5 }, 4), [5]);
});

for (const dark of [false, true]) {
  t.test(`prices on a ${dark ? "dark" : "light"} ground`, async (t) => {
    const scale = priceScale({ low: 20, high: 60 }, dark);
    const at = (price: number): ReturnType<typeof rgb> => rgb(scale.palette[scale.place(price)] ?? "");
    t.ok(at(20).b > at(20).r && at(28).b > at(28).r, "cheap is cool");
    t.ok(at(60).r > at(60).b && at(50).r > at(50).b, "expensive is warm");
    t.equal(scale.place(1000), scale.place(60), "outside, the end of the ramp");
    t.strictSame([scale.side(19), scale.side(20), scale.side(60), scale.side(61)], [-1, 0, 0, 1], "and marked so");
    t.equal(scale.place(NaN), -1);
  });

  t.test(`negative prices have their own hue on a ${dark ? "dark" : "light"} ground`, async (t) => {
    const scale = priceScale({ low: -20, high: 60 }, dark);
    for (const price of [-19, -10, -1]) {
      const { r, g } = rgb(scale.palette[scale.place(price)] ?? "");
      t.ok(r > g, `${price} is in the reds`);
    }
    const { r, g } = rgb(scale.palette[scale.place(5)] ?? "");
    t.ok(g > r, "cheap prices above zero are not");
    const outlier = priceScale({ low: 0, high: 60 }, dark);
    const single = rgb(outlier.palette[outlier.place(-5)] ?? "");
    t.ok(single.r > single.g && outlier.side(-5) === -1, "a single one below the range has it too");
  });

  t.test(`changes on a ${dark ? "dark" : "light"} ground`, async (t) => {
    const scale = changeScale({ low: -2, high: 2 }, dark);
    const at = (value: number): ReturnType<typeof rgb> => rgb(scale.palette[scale.place(value)] ?? "");
    t.ok(at(-1).b > at(-1).r && at(1).r > at(1).b, "blue below zero, orange above");
    const zero = at(0);
    t.ok(Math.max(zero.r, zero.g, zero.b) - Math.min(zero.r, zero.g, zero.b) < 12, "zero is grey");
    t.equal(scale.place(-2) + scale.place(2), 2 * scale.place(0), "zero is in the middle");
    t.equal(changeScale({ low: 0, high: 0 }, dark).place(0), scale.place(0));
  });
}

t.test("lines: calm until 80 %, then warning, binding where the limit has a price", async (t) => {
  t.equal(loadingClass(0.79, 0), "calm");
  t.equal(loadingClass(0.8, 0), "warning");
  t.equal(loadingClass(0.8 - 1e-12, 0), "warning", "rounding changes no class");
  t.equal(loadingClass(1, 0), "warning", "full but costing nothing is not binding");
  t.equal(loadingClass(0.5, 3), "binding", "an angle limit binds below the rating");
  t.equal(loadingClass(NaN, NaN), "out");
});

t.test("equal prices are recognised up to rounding, among the buses with a price", async (t) => {
  t.equal(onePrice(Float64Array.of(6.71, 6.7100000001, NaN)), 6.7100000001);
  t.equal(onePrice(Float64Array.of(6.71, 6.72)), null);
  t.equal(onePrice(Float64Array.of(NaN)), null);
});

/** A state with these prices only. */
const priced = (prices: Float64Array): ExactState => ({ columns: new Map([["lmp", prices]]), shadows: new Map() });

t.test("equal prices up to rounding have one colour and no marks outside the range", async (t) => {
  const { session } = await openThreeBus();
  const paint = new BusPaint();
  session.store.showCandidate(priced(Float64Array.of(1, 1 + 2e-16, 1 - 1e-8)));
  paint.update(session, "lmp", false);
  paint.step(Infinity);
  t.equal(new Set(paint.places).size, 1);
  t.ok((paint.places[0] ?? -1) >= 0);
  t.strictSame([paint.outside.below, paint.outside.above], [0, 0]);
  await session.select({ kind: "bus", id: 2 });
  const zeros = Float64Array.of(1e-16, -1e-16, 0);
  const { dense } = session.store;
  session.store.dense = dense === null ? null : { ...dense, values: zeros, left: zeros, right: zeros };
  paint.update(session, "sensitivity", false);
  paint.step(Infinity);
  t.equal(new Set(paint.places).size, 1, "and so has a column of zeros");
});

t.test(
  "the scale stays while a hand moves, says what leaves it and how far, and is made anew on release",
  async (t) => {
    const { session } = await openThreeBus();
    await session.commit(LINE_2_AT_40, 0);
    const { store } = session;
    const paint = new BusPaint();
    paint.update(session, "lmp", false);
    const { scale } = paint;
    t.strictSame([paint.outside.below, paint.outside.above, paint.held], [0, 0, false]);
    store.showCandidate(priced(Float64Array.of(18.2, 61.2, -5)));
    paint.update(session, "lmp", false);
    t.equal(paint.scale, scale, "the same colours mean the same prices");
    t.strictSame(paint.outside, { below: 1, above: 1, lowest: -5, highest: 61.2 });
    t.ok(paint.held && scale !== null);
    const format = (value: number): string => value.toFixed(1);
    const entry = {
      title: "",
      unit: "",
      scale,
      format,
      uniform: null,
      note: null,
      outside: paint.outside,
      held: paint.held,
      kinds: [],
    };
    const ends = [scale?.range.low, scale?.range.high].map((end) => format(end ?? NaN));
    t.equal(
      scale && outsideText(entry, scale),
      `\u25bc 1 below ${ends[0]}: -5.0\n\u25b2 1 above ${ends[1]}: 61.2\nColour scale held while dragging`,
    );
    const values = Float64Array.of(18.2, 61.2, -5);
    store.publish(store.columns.with({ name: "lmp", element: "bus", unit: "$/MWh", values }));
    paint.update(session, "lmp", false);
    t.not(paint.scale, scale);
    t.strictSame([paint.outside.below, paint.outside.above, paint.held], [0, 0, false], "on release it holds them all");
  },
);

t.test(
  "where nothing differs before a move, the scale grows in steps while the hand moves, and never shrinks",
  async (t) => {
    const { session } = await openThreeBus();
    const { store } = session;
    for (const quantity of ["lmp_change", "lmp"] as const) {
      const paint = new BusPaint();
      store.clearPreview();
      paint.update(session, quantity, false);
      const moved = (by: number): number => {
        const base = store.columns.values("lmp") ?? new Float64Array();
        store.showCandidate(priced(base.map((price, row) => price + by * row)));
        paint.update(session, quantity, false);
        t.strictSame([paint.outside.below, paint.outside.above], [0, 0], `${quantity}: nothing leaves it`);
        return (paint.scale?.range.high ?? NaN) - (paint.scale?.range.low ?? NaN);
      };
      const first = moved(1);
      t.ok(first > 0);
      t.equal(moved(0.99), first, "less needs no other one");
      const second = moved(5);
      t.ok(second > first);
      t.equal(moved(0.5), second);
    }
  },
);
