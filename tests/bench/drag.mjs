// A demand slider: random steps, each solved exactly from the base optimum, and its first-order preview. The peer is
// npm `highs`, the alternative in a browser, with one model that is changed in each step.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { least } from "./sides.mjs";
import { WasmSession, agrees, caseFiles, caseName, exchange, hashOfBits } from "./solver.mjs";
import { cells, footer, ms, percentile } from "./table.mjs";

/** Grids up to 10,480 buses: linear and quadratic costs, with little and heavy congestion. */
const GRIDS = [
  "case_ACTIVSg2000",
  "pglib_opf_case2869_pegase",
  "pglib_opf_case4661_sdet",
  "pglib_opf_case4917_goc",
  "CaliforniaTestSystem",
  "pglib_opf_case8387_pegase",
  "pglib_opf_case9241_pegase",
  "pglib_opf_case9591_goc__api",
  "pglib_opf_case10000_goc",
  "pglib_opf_case10480_goc",
  "pglib_opf_case10480_goc__api",
];
const [BUSES, STEPS] = [100, 10];
/** Number of steps of the peer, evenly chosen, as far as its time lasts. */
const PEER_STEPS = 40;
/** Maximum repeats of a step, of which the least time counts. */
const REPEATS = 3;
/** Goals for a step in WebAssembly: percentile to ms. */
const GOALS = { 50: 0.6, 95: 2, 99: 8 };

export async function drag(context) {
  const files = caseFiles(context).filter((file) => GRIDS.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${GRIDS.join(", ")}.`);
  const folder = exchange("drag");
  const wasm = await context.solver();
  const highs = await (await context.npm("highs")).default();
  const repeats = Math.min(context.repeats, REPEATS);
  const rows = [];
  const samples = [];
  for (const file of files) {
    const [native] = await context.native("drag", repeats, BUSES, STEPS, folder, file);
    const path = (part) => join(folder, `${native.case}.${part}.json`);
    const inWasm = dragInWasm(wasm, path("module"), native.steps.length, repeats);
    const peer = dragHighs(highs, JSON.parse(readFileSync(path("problem"), "utf8")), native.steps, context.limit);
    samples.push({ native: native.ms, wasm: inWasm.ms, preview: inWasm.preview_ms, peer: peer.ms });
    rows.push(finished(native, inWasm, peer));
    context.save(rows);
    console.error(`${native.case}: p50 ${ms(percentile(inWasm.ms, 50))} ms in WebAssembly`);
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  return {
    rows,
    markdown: page(context, rows, samples),
    tables: { drag: cells(COLUMNS, rows) },
    failures: failures(rows),
  };
}

function dragInWasm(module, file, count, repeats) {
  const session = new WasmSession(module);
  session.open(file, "service");
  session.build();
  session.prepare(BUSES, STEPS, 0);
  const found = { ms: [], preview_ms: [], bits: [], preview_bits: [] };
  for (let k = 0; k < count; k += 1) {
    found.ms.push(least(repeats, () => session.step(k)).ms);
    found.bits.push(session.answer().bits);
    found.preview_ms.push(least(repeats, () => session.preview(k)).ms);
    found.preview_bits.push(session.answer().bits);
  }
  return { ...found, bits: hashOfBits(found.bits), preview_bits: hashOfBits(found.preview_bits) };
}

/** One reused model: each step changes the bounds of one balance and continues from the last basis. */
function dragHighs(highs, program, steps, limit) {
  const found = { ms: [], right: 0, failed: 0, cold_ms: undefined };
  const model = highs.createModel(modelOf(program));
  const { optimal, infeasible } = highs.constants.modelStatus;
  try {
    model.options.set({ output_flag: false, time_limit: limit });
    const cold = timed(model);
    if (cold.status === optimal) found.cold_ms = cold.ms;
    const every = Math.max(1, Math.floor(steps.length / PEER_STEPS));
    let spent = cold.ms;
    for (let k = 0; k < steps.length && spent < limit * 1000; k += every) {
      const { row, demand, status, objective } = steps[k];
      const bound = program.row_lo[row];
      model.changeRowBounds(row, bound + demand, bound + demand);
      const warm = timed(model);
      const right =
        status === "optimal"
          ? warm.status === optimal && agrees(objective, model.getObjectiveValue())
          : warm.status === infeasible;
      model.changeRowBounds(row, bound, bound);
      spent += warm.ms;
      if (right) found.ms.push(warm.ms);
      found[right ? "right" : "failed"] += 1;
    }
  } finally {
    model.dispose();
  }
  return found;
}

/** Runs a model. One that ends in an error has no status and starts from scratch the next time. */
function timed(model) {
  const start = performance.now();
  let status;
  try {
    model.run();
    status = model.getModelStatus();
  } catch (error) {
    console.error(`npm highs: ${error.message}`);
    model.clearSolver();
  }
  return { ms: performance.now() - start, status };
}

function modelOf(program) {
  const open = (list) => Float64Array.from(list, (x) => (Math.abs(x) >= 1e30 ? Math.sign(x) * Infinity : x));
  const curved = program.quad.map((q, k) => [q, k]).filter(([q]) => q !== 0);
  const starts = new Int32Array(program.quad.length + 1);
  program.quad.forEach((q, k) => (starts[k + 1] = starts[k] + (q === 0 ? 0 : 1)));
  return {
    numCols: program.cost.length,
    numRows: program.row_lo.length,
    offset: program.constant,
    colCost: Float64Array.from(program.cost),
    colLower: open(program.lo),
    colUpper: open(program.hi),
    rowLower: open(program.row_lo),
    rowUpper: open(program.row_hi),
    matrix: {
      format: "csr",
      numRows: program.row_lo.length,
      numCols: program.cost.length,
      starts: Int32Array.from(program.starts),
      indices: Int32Array.from(program.index),
      values: Float64Array.from(program.value),
    },
    ...(curved.length > 0 && {
      hessian: {
        format: "triangular",
        dimension: program.quad.length,
        starts,
        indices: Int32Array.from(curved, ([, k]) => k),
        values: Float64Array.from(curved, ([q]) => q),
      },
    }),
  };
}

function finished(native, wasm, peer) {
  const status = (name) => native.steps.filter((step) => step.status === name).length;
  const gaps = native.steps.map((step) => step.gap ?? 0);
  const optimal = status("optimal");
  const infeasible = status("SOLVE.INFEASIBLE");
  const at = (name, list) =>
    Object.fromEntries(
      [50, 95, 99, 100].map((p) => [`${name}_${p === 100 ? "max" : `p${p}`}_ms`, percentile(list, p)]),
    );
  return {
    case: native.case,
    n_bus: native.n_bus,
    cost: native.quadratic ? "QP" : "LP",
    steps: native.steps.length,
    optimal,
    infeasible,
    unanswered: native.steps.length - optimal - infeasible,
    worst_gap: Math.max(...gaps).toExponential(1),
    same_bits: wasm.bits === native.bits && wasm.preview_bits === native.preview_bits,
    ...at("native", native.ms),
    ...at("wasm", wasm.ms),
    ...at("preview", wasm.preview_ms),
    highs_cold_ms: peer.cold_ms,
    highs_right: peer.right,
    highs_failed: peer.failed,
    ...at("highs", peer.ms),
  };
}

function failures(rows) {
  return rows.flatMap((row) => [
    ...(row.unanswered > 0 ? [`${row.case}: ${row.unanswered} steps without an answer`] : []),
    ...(row.same_bits ? [] : [`${row.case}: other bits in WebAssembly than natively`]),
  ]);
}

/** Four percentiles of a time. */
const four = (row, name) => ["p50", "p95", "p99", "max"].map((p) => fine(row[`${name}_${p}_ms`])).join(" / ");

/** All measured values of a grid, as text; the page shows a part of them. */
const COLUMNS = {
  grid: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  cost: (row) => row.cost,
  "certified / infeasible": (row) => `${row.optimal} / ${row.infeasible}`,
  "worst gap": (row) => row.worst_gap,
  native: (row) => four(row, "native"),
  wasm: (row) => four(row, "wasm"),
  "preview, wasm": (row) => four(row, "preview"),
  "npm highs, first": (row) => ms(row.highs_cold_ms),
  "npm highs, steps": (row) => (row.highs_right > 0 ? four(row, "highs") : "-"),
  "right / failed": (row) => `${row.highs_right} / ${row.highs_failed}`,
};

function page(context, rows, samples) {
  const pooled = (name) => samples.flatMap((sample) => sample[name]);
  const line = (title, name) => {
    const list = pooled(name);
    const figures = [50, 95, 99, 100].map((p) => fine(percentile(list, p))).join(" / ");
    return `- ${title}: ${figures} of ${list.length}.`;
  };
  const goals = Object.entries(GOALS).map(([p, goal]) => `p${p} ${goal}`);
  return `# Benchmark: exact prices while dragging

${BUSES} random load buses a grid, ${STEPS} random demands each within 20 % of the case's: every step is solved exactly from the base optimum, as a Study commits it, and certified or proved infeasible. The preview is the first-order change of all prices with the interval in which it is exact. Times are those of the solver, the least of up to ${REPEATS} repeats of each step. npm \`highs\` changes one balance of a model in WebAssembly and continues from its last basis: ${PEER_STEPS} of the steps, at most ${context.limit} s a grid.

All grids pooled, ms p50 / p95 / p99 / max:

${line("exact step, WebAssembly", "wasm")} Goals: ${goals.join(", ")}.
${line("exact step, native", "native")}
${line("preview, WebAssembly", "preview")}
${line("npm highs where it is correct", "peer")}

[data/drag.csv](data/drag.csv) has the percentiles of each grid, the native times, the previews and npm \`highs\`.

${footer(context, ["wattbook", "node", "highs"])}
`;
}

const fine = (value) => (value === undefined ? "-" : value < 10 ? value.toFixed(2) : value.toFixed(0));
