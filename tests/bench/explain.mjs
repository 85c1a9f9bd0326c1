// Demand without a solution: how fast it is detected, and how fast its minimum relaxation is found and proved, beside
// HiGHS on the same linear program.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { least } from "./sides.mjs";
import { cells, chosen, footer, geometricMean, markdown, ms, times } from "./table.mjs";

const GRIDS = ["carolina", "illinois", "texas", "california"];
/** Relative increases of every demand. */
const SHARES = [0.3, 0.6, 1, 2];
/** Budget of a step, as in engine/crates/bench. */
const BUDGET = 20;
/** Goals: ms until infeasibility is detected, and of the longest step. */
const REFUSAL = 200;
/** Relative tolerance for equal optima. */
const SAME = 2e-6;

export async function explain(context) {
  const folder = at(".bench", "explain");
  mkdirSync(folder, { recursive: true });
  const cases = GRIDS.flatMap((grid) => SHARES.map((share) => ({ grid, share, name: `${grid}_${100 * share}` })));
  const chosen = cases.filter(({ name }) => context.wanted(name));
  if (chosen.length === 0) throw new SetupError(`No such case; there are ${cases.map((c) => c.name).join(", ")}.`);
  const rows = [];
  for (const { grid, share, name } of chosen) {
    const file = join(folder, `${grid}.json`);
    writeFileSync(file, gunzipSync(readFileSync(at("server", "grids", `${grid}.json.gz`))));
    const [native] = await context.native("explain", context.repeats, share, folder, file);
    const wasm = await inWasm(context, folder, name);
    const peers = await context.peer("dcopf.py", context.limit, context.repeats, join(folder, `${name}.problem.json`));
    const highs = peers.filter(({ peer, status }) => peer.startsWith("highs") && status === "optimal");
    const best = highs.sort((a, b) => a.ms - b.ms)[0];
    rows.push({
      case: name,
      n_bus: native.n_bus,
      at_least_mw: native.refused,
      refusal_ms: native.refusal_ms,
      total_mw: native.total_mw,
      gap_mw: native.gap_mw,
      steps: native.steps,
      longest_ms: native.longest_ms,
      explain_ms: native.explain_ms,
      wasm_ms: wasm.ms,
      wasm_same: wasm.result === native.total_mw,
      highs: best?.peer,
      highs_ms: best?.ms,
      highs_mw: best?.objective,
      clarabel_ms: peers.find(({ peer, status }) => peer === "clarabel" && status === "optimal")?.ms,
    });
    context.save(rows);
  }
  return {
    rows,
    markdown: page(context, rows),
    tables: { explain: cells(COLUMNS, rows) },
    failures: rows.flatMap(broken),
  };
}

function broken(row) {
  const found = [];
  const differs = (a, b) => Math.abs(a - b) > SAME * Math.max(1, Math.abs(a));
  if (row.refusal_ms > REFUSAL) found.push(`refused in ${ms(row.refusal_ms)} ms, goal ${REFUSAL}`);
  if (row.highs_mw === undefined) found.push("HiGHS has no optimum in its time");
  else if (differs(row.total_mw, row.highs_mw)) found.push(`${row.total_mw} MW, HiGHS ${row.highs_mw}`);
  if (row.gap_mw > 1e-6 * row.total_mw) found.push(`a gap of ${row.gap_mw} MW`);
  if (row.highs_ms < row.explain_ms) found.push(`slower than HiGHS: ${ms(row.explain_ms)} ms, ${ms(row.highs_ms)}`);
  if (!row.wasm_same) found.push("another relaxation in WebAssembly than natively");
  return found.map((text) => `${row.case}: ${text}`);
}

/** The same search in the shipped engine under Node. */
async function inWasm(context, folder, name) {
  const engine = await context.instance();
  const study = new engine.Study(readFileSync(join(folder, `${name}.module.json`), "utf8"), "dcopf", "{}");
  const deltas = readFileSync(join(folder, `${name}.deltas.json`), "utf8");
  return least(context.repeats, () => {
    const job = engine.Job.explanation(study, deltas, "null");
    while (!JSON.parse(job.step(BUDGET)).done);
    return JSON.parse(job.finish().json).relaxation_total_mw;
  });
}

const mw = (value) => (value === null || value === undefined ? "-" : value.toFixed(1));

/** All measured values of a grid, as text. */
const COLUMNS = {
  "grid, demand raised by": (row) => `${row.case.replace("_", ", ")} %`,
  buses: (row) => row.n_bus,
  "refused, ms": (row) => row.refusal_ms.toFixed(2),
  "at least, MW": (row) => mw(row.at_least_mw),
  "least, MW": (row) => mw(row.total_mw),
  "explained, ms": (row) => ms(row.explain_ms),
  "longest step, ms": (row) => ms(row.longest_ms),
  "WebAssembly, ms": (row) => ms(row.wasm_ms),
  "HiGHS, ms": (row) => ms(row.highs_ms),
  "HiGHS / ours": (row) => times(row.highs_ms === undefined ? undefined : row.highs_ms / row.explain_ms),
  "clarabel, ms": (row) => ms(row.clarabel_ms),
};

/** Rows and columns of the page: grids from this size on. */
const SHOWN_BUSES = 8000;
const SHOWN = [
  ...["grid, demand raised by", "refused, ms", "at least, MW", "least, MW", "explained, ms", "longest step, ms"],
  ...["WebAssembly, ms", "HiGHS / ours"],
];

function page(context, rows) {
  const table = markdown(
    chosen(COLUMNS, SHOWN),
    rows.filter((row) => row.n_bus >= SHOWN_BUSES),
  );
  const ratios = rows.map((row) => row.highs_ms && row.highs_ms / row.explain_ms);
  return `# Benchmark: explanations

Every demand of a grid is raised by a share, which leaves no solution. \`refused\` is the failed commit with the contradiction and a lower bound (\`at least\`) on every relaxation. \`explained\` is the search for the minimum relaxation up to its proof, natively, in steps of ${BUDGET} ms. HiGHS is the faster of its simplex and its interior point (with crossover) on the same linear program with all bus angles, on one thread; optima agree to a relative ${SAME}.

HiGHS / ours, geometric mean of all rows: ${times(geometricMean(ratios))}. The largest grid; [data/explain.csv](data/explain.csv) has all.

${table}

${footer(context, ["wattbook", "highspy", "clarabel", "node"])}
`;
}
