import t from "tap";
import { crossings, edgeSpread, quality, stress } from "./quality.mjs";

const SQUARE = new Float64Array([0, 0, 1, 0, 1, 1, 0, 1]);

t.test("crossings count pairs of edges that cross, not those that share an end", async (t) => {
  t.equal(crossings(new Uint32Array([0, 2, 1, 3]), SQUARE), 1);
  t.equal(crossings(new Uint32Array([0, 1, 1, 2, 2, 3, 3, 0, 0, 2]), SQUARE), 0);
  // A fan of 12 long edges over 12 others: every pair crosses, whatever cells they share.
  const [edges, points] = [[], []];
  for (let k = 0; k < 12; k += 1) {
    points.push(0, k + 0.5, 100, k + 0.3, 8 * k + 3, -5, 8 * k + 3.1, 20);
    edges.push(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
  }
  t.equal(crossings(new Uint32Array(edges), new Float64Array(points)), 144);
});

t.test("a straight path of equal steps has neither spread nor stress", async (t) => {
  const path = new Uint32Array([0, 1, 1, 2, 2, 3]);
  const straight = new Float64Array([0, 0, 2, 0, 4, 0, 6, 0]);
  t.match(quality(path, straight), { edge_spread: 0, crossings_per_edge: 0 });
  t.ok(Math.abs(stress(path, straight)) < 1e-12);
  // Steps of 1, 1 and 4: mean 2, standard deviation sqrt(2).
  t.ok(Math.abs(edgeSpread(path, new Float64Array([0, 0, 1, 0, 2, 0, 6, 0])) - Math.SQRT1_2) < 1e-12);
});

t.test("stress is that of the best scale", async (t) => {
  // Distances 1 and 1 over graph distances 1 and 2 from each end, 1 and 1 from the middle: ratios 1, 1/2, 1, 1, 1/2, 1.
  const triangle = new Float64Array([0, 0, 1, 0, 0.5, Math.sqrt(0.75)]);
  t.ok(Math.abs(stress(new Uint32Array([0, 1, 1, 2]), triangle) - (1 - 25 / (4.5 * 6))) < 1e-12);
});
