import t from "tap";
import {
  sortedPrices,
  histogram,
  loadingBin,
  loadingDistribution,
  priceBin,
  priceCurve,
} from "@service/widgets/charts";
import type { SensitivityColumn } from "@service/engine";
import {
  bindingSentence,
  exactSentence,
  loadingWords,
  priceIntervalRows,
  priceIntervalSentence,
} from "@service/widgets/text";
import { bindingRows, priceStatistics } from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus } from "../session.ts";

t.test("statistics of prices have their closed forms", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const known = session.store.columns.pick("lmp", "demand_mw", "shadow");
  if (known === null) {
    throw new Error("prices, demands and shadow prices belong to every optimum");
  }
  const found = priceStatistics(known.lmp, known.demand_mw);
  t.ok(found !== null);
  if (found !== null) {
    t.ok(Math.abs(found.mean - (18.2 + 30.1 + 6.3) / 3) < 1e-9);
    t.ok(Math.abs(found.loadWeighted - 30.1) < 1e-9, "all demand is at bus 2");
    t.match(found, { count: 3, negative: 0, min: { row: 2 }, max: { row: 1 } });
  }
  t.strictSame(bindingRows(known.shadow), [1]);
  t.equal(priceStatistics(Float64Array.of(NaN), Float64Array.of(1)), null);
  const some = priceStatistics(Float64Array.of(-5, 10, NaN, -1), Float64Array.of(30, 10, 99, -7));
  t.match(some, { count: 3, negative: 2, loadWeighted: -1.25 });
});

t.test("binding lines and intervals in words", async (t) => {
  const { session, opened } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const shadow = session.store.columns.at("shadow", 1);
  t.match(
    bindingSentence(2, { value: 40, unit: "MW" }, shadow, opened),
    /^Line 2 \(2 to 3\) binds at 40\.0 MW; shadow price [\d.]+ \$\/MWh\.$/,
  );
  await session.select({ kind: "bus", id: 2 });
  const { column } = session;
  t.ok(
    column !== null && /^The linear estimate is exact up to \+[\d.]+ MW, then /.test(exactSentence(column, 0, opened)),
  );
  const at = (price_interval?: [number | null, number | null]): SensitivityColumn =>
    ({ warrant: { kind: "one_sided", ends: [null, null], price_interval } }) as unknown as SensitivityColumn;
  t.equal(priceIntervalSentence(at()), "");
  t.equal(
    priceIntervalSentence(at([5, 7])),
    "The price here is not unique: one MW less saves up to 5.00 $/h, one MW more costs at least 7.00 $/h.",
  );
  t.match(priceIntervalSentence(at([7, null])), /an increase has no solution\.$/);
  t.strictSame(priceIntervalRows(at()), []);
  t.strictSame(priceIntervalRows(at([5, null])), [
    ["Not unique: one MW less saves", "up to 5.00 $/h"],
    ["one MW more costs", "no solution"],
  ]);
  t.equal(loadingWords(1, 3), "binds");
  t.equal(loadingWords(1, 0), "at limit, zero shadow price");
  t.equal(loadingWords(NaN, 0), "out of service");
  t.equal(loadingWords(0.2, 0), "");
});

t.test("a histogram counts every price once, in round bins", async (t) => {
  const prices = Float64Array.from({ length: 1000 }, (_, k) => 20 + 10 * Math.sin(k) + (k % 7 === 0 ? NaN : 0));
  const bins = histogram(prices);
  const finite = prices.filter(Number.isFinite);
  t.equal(
    bins.reduce((sum, { count }) => sum + count, 0),
    finite.length,
  );
  t.ok(bins.length > 5 && bins.length <= 41);
  for (const { low, high, count } of bins) {
    const inside = finite.filter((price) => price >= low - 1e-9 && price < high - 1e-9).length;
    t.ok(Math.abs(inside - count) <= 1, `${low} to ${high}`);
  }
  bins.forEach(({ count }, bin) => t.equal(finite.filter((price) => priceBin(price, bins) === bin).length, count));
  t.equal(priceBin(NaN, bins), -1);
  t.equal(priceBin(5, histogram(new Float64Array([5, 5]))), 0);
  t.strictSame(histogram(new Float64Array([5, 5, 5])), [{ low: 5, high: 5, count: 3 }], "one price, one bin");
  t.strictSame(histogram(new Float64Array([NaN])), []);
  t.ok(histogram(new Float64Array([1, 1, 1, 1, 1, 1000])).length <= 41, "also where most prices are one");
});

t.test("sorted prices fall from the highest price, by share of the demand", async (t) => {
  const curve = sortedPrices(new Float64Array([10, 30, 20, NaN]), new Float64Array([50, 25, 25, 7]));
  t.strictSame(curve, [
    { x: 0, y: 30, row: 1 },
    { x: 0.25, y: 30, row: 1 },
    { x: 0.25, y: 20, row: 2 },
    { x: 0.5, y: 20, row: 2 },
    { x: 0.5, y: 10, row: 0 },
    { x: 1, y: 10, row: 0 },
  ]);
  const many = sortedPrices(
    Float64Array.from({ length: 5000 }, (_, k) => k),
    new Float64Array(5000),
  );
  t.equal(many.length, 800);
  t.equal(many[0]?.y, 4999);
  t.match(many.at(-1), { y: 0 });
  t.ok(Math.abs((many.at(-1)?.x ?? NaN) - 1) < 1e-9, "by buses where there is no demand");
});

t.test("loadings in steps of ten per cent; a line out of service counts nowhere", async (t) => {
  const bins = loadingDistribution(new Float64Array([0, 0.1, 0.3, 0.7999999, 0.8, 1, 1.2, NaN]));
  t.strictSame(
    bins.map(({ count }) => count),
    [1, 1, 0, 1, 0, 0, 0, 1, 1, 2],
  );
  t.strictSame([0, 0.3, 1.7, NaN].map(loadingBin), [0, 3, 9, -1]);
});

t.test("the staircase is that of the exact path", async (t) => {
  const { session } = await openThreeBus();
  await session.select({ kind: "bus", id: 2 });
  await session.saveModule(); // behind the path in the queue
  const { path } = session;
  t.ok(path !== null);
  if (path !== null) {
    const points = priceCurve(path, 90);
    t.equal(points.length, 2 * path.segments.length);
    for (const { x, y } of points.filter((_, k) => k % 2 === 1)) {
      t.ok(Math.abs(path.priceAt(x - 90) - y) < 1e-6);
    }
  }
});
