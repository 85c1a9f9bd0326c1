// Synthetic layouts: time natively and in WebAssembly, and quality, beside igraph's Fruchterman-Reingold (grid variant) and
// its multilevel DrL on the same graphs.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { quality } from "./quality.mjs";
import { least } from "./sides.mjs";
import { cells, footer, markdown, ms, times } from "./table.mjs";

const CASES = ["case500_goc", "case2000_goc", "case10000_goc", "case30000_goc"].map((name) => `pglib_opf_${name}`);
/** Iterations between two looks at the worker's messages. */
const BUDGET = 5;

export async function layout(context) {
  const cases = CASES.filter(context.wanted);
  if (cases.length === 0) throw new SetupError(`No such case; there are ${CASES.join(", ")}.`);
  const folder = at(".bench", "layout");
  mkdirSync(folder, { recursive: true });
  const files = cases.map((name) => join(context.pglib, `${name}.m`));
  const native = await context.native("layout", context.repeats, folder, ...files);
  const peers = await context.peer("layout.py", folder, ...native.map((row) => `${row.case}:${row.n_bus}`));
  const rows = [];
  for (const row of native) {
    const edges = new Uint32Array(bytesOf(folder, `${row.case}.edges.u32`));
    const positions = new Float64Array(bytesOf(folder, `${row.case}.native.f64`));
    const wasm = await inWasm(context, readFileSync(join(folder, `${row.case}.module.json`), "utf8"));
    // Both must have the same bits, otherwise the times compare different work.
    if (Buffer.compare(Buffer.from(wasm.result.buffer), Buffer.from(positions.buffer)) !== 0)
      throw new Error(`${row.case}: another layout in WebAssembly`);
    const side = (name, time, points) =>
      rows.push({ case: row.case, n_bus: row.n_bus, side: name, ms: time, ...quality(edges, points) });
    side("native", row.layout_ms, positions);
    side("wasm", wasm.ms, positions);
    for (const peer of peers.filter((one) => one.case === row.case))
      side(peer.side, peer.ms, new Float64Array(bytesOf(folder, `${row.case}.${peer.side}.f64`)));
  }
  return { rows, markdown: page(context, rows), tables: { layout: cells(columns(rows), rows) } };
}

/** The content of a file in separate memory, aligned for typed arrays. */
function bytesOf(folder, name) {
  const file = readFileSync(join(folder, name));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
}

async function inWasm(context, module) {
  const engine = await context.instance();
  return least(context.repeats, () => {
    const job = engine.Job.layout(module);
    while (!JSON.parse(job.step(BUDGET)).done);
    const [x, y] = job.finish().columns.map(({ values }) => values);
    return Float64Array.from({ length: 2 * x.length }, (_, k) => (k % 2 ? y : x)[k >> 1]);
  });
}

/** The page has the graph of this size. */
const SHOWN_BUSES = 30_000;

/** Titles of the table and the contents of its cells. */
function columns(rows) {
  const ours = (row) => rows.find((other) => other.case === row.case && other.side === "wasm").ms;
  return {
    graph: (row) => row.case.replace("pglib_opf_", ""),
    side: (row) => row.side,
    ms: (row) => ms(row.ms),
    "of our wasm": (row) => times(row.ms / ours(row)),
    "edge spread": (row) => row.edge_spread.toFixed(2),
    "crossings per edge": (row) => row.crossings_per_edge.toFixed(2),
    stress: (row) => row.stress.toFixed(3),
  };
}

function page(context, rows) {
  const table = markdown(
    columns(rows),
    rows.filter((row) => row.n_bus >= SHOWN_BUSES),
  );
  return `# Benchmark: synthetic layouts

Time from the graph to positions (in WebAssembly with reading the module), and three measures of the picture, for all of which smaller is better: spread of the edge lengths (standard deviation over mean), crossings per edge (all pairs), and stress (mean squared relative error of distances against graph distances from 40 vertices, at the best scale). The peers are igraph's \`layout_fruchterman_reingold(grid=True)\` and \`layout_drl\` with their defaults, once each.

The largest graph; [data/layout.csv](data/layout.csv) has all.

${table}

${footer(context, ["wattbook", "node", "python", "igraph"])}
`;
}
