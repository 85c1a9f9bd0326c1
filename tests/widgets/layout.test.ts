import t from "tap";
import { layoutNetwork, type Positions } from "@service/widgets/diagram";

const noPause = (): Promise<void> => Promise.resolve();
const place = (nodes: number, edges: [number, number][]): Promise<Positions> =>
  layoutNetwork(
    nodes,
    Int32Array.from(edges, ([from]) => from),
    Int32Array.from(edges, ([, to]) => to),
    noPause,
  );
const distance = ({ x, y }: Positions, a: number, b: number): number =>
  Math.hypot((x[a] ?? NaN) - (x[b] ?? NaN), (y[a] ?? NaN) - (y[b] ?? NaN));

/** A grid of streets: distances on paper can nearly be those of the graph. */
function streets(columns: number, rows: number): [number, number][] {
  const at = (i: number, j: number): number => i + columns * j;
  const edges: [number, number][] = [];
  for (let j = 0; j < rows; j += 1) {
    for (let i = 0; i < columns; i += 1) {
      if (i + 1 < columns) {
        edges.push([at(i, j), at(i + 1, j)]);
      }
      if (j + 1 < rows) {
        edges.push([at(i, j), at(i, j + 1)]);
      }
    }
  }
  return edges;
}

t.test("a chain lies straight and flat, its ends as far apart as it is long", async (t) => {
  const chain = await place(
    11,
    Array.from({ length: 10 }, (_, k) => [k, k + 1]),
  );
  t.ok(Math.abs(distance(chain, 0, 10) - 10) < 0.1);
  t.ok(Math.max(...chain.y) - Math.min(...chain.y) < 1);
});

t.test("a grid of streets unfolds: neighbours one apart, opposite corners far apart", async (t) => {
  const edges = streets(8, 5);
  const grid = await place(40, edges);
  for (const [a, b] of edges) {
    const length = distance(grid, a, b);
    t.ok(length > 0.5 && length < 1.6, `branch ${a}-${b} is ${length.toFixed(2)} long`);
  }
  t.ok(distance(grid, 0, 39) > 7);
  const spread = (values: Float64Array): number => Math.max(...values) - Math.min(...values);
  t.ok(spread(grid.x) > spread(grid.y), "the longer side lies flat");
});

t.test("the same network gives the same drawing, also above the limit of all pairs", async (t) => {
  for (const [columns, rows] of [
    [9, 9],
    [40, 35],
  ] as const) {
    const edges = streets(columns, rows);
    const [first, second] = [await place(columns * rows, edges), await place(columns * rows, edges)];
    t.strictSame([...first.x, ...first.y], [...second.x, ...second.y]);
    t.ok(first.x.every(Number.isFinite) && first.y.every(Number.isFinite));
  }
});

t.test("no two buses lie on one point, parts lie beside each other, and lone buses too", async (t) => {
  const star: [number, number][] = Array.from({ length: 12 }, (_, k) => [0, k + 1]);
  const two = await place(17, [...star, [13, 14], [14, 15], [14, 15]]);
  for (let a = 0; a < 17; a += 1) {
    for (let b = a + 1; b < 17; b += 1) {
      t.ok(distance(two, a, b) > 0.2, `${a} and ${b}`);
    }
  }
  t.ok(Math.min(...two.x.slice(13, 16)) > Math.max(...two.x.slice(0, 13)), "the smaller part is to the right");
});

t.test("the caller is let in between the rounds", async (t) => {
  let pauses = 0;
  const edges = streets(6, 6);
  await layoutNetwork(
    36,
    Int32Array.from(edges, ([from]) => from),
    Int32Array.from(edges, ([, to]) => to),
    async () => {
      pauses += 1;
    },
  );
  t.ok(pauses >= 20);
});
