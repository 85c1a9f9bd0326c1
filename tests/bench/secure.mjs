// Prices with limits after the outage of every branch: the cold solve beside the plain one and beside HiGHS with the same limits added as
// they are violated, and exact steps after an edit of demand, natively and in WebAssembly.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { caseFiles, caseName, exchange } from "./solver.mjs";
import { cells, footer, markdown, ms, percentile, times } from "./table.mjs";

const GRIDS = [
  ...["pglib_opf_case39_epri", "pglib_opf_case118_ieee", "case_ACTIVSg500", "case_ACTIVSg2000"],
  ...["pglib_opf_case2869_pegase", "pglib_opf_case10000_goc", "CaliforniaTestSystem"],
];
/** Number of edited buses. */
const STEPS = 30;
/** Number of edited buses of cases that take seconds and therefore run once. */
const LONG = { CaliforniaTestSystem: 3 };
/** Up to this number of branches HiGHS gets the matrix of all distribution factors. */
const MOST_BRANCHES = 6000;
/** Largest relative difference of objectives. */
const SAME = 1e-6;
/** The base state. */
const NO_EDIT = JSON.stringify({ deltas: {} });

export async function secure(context) {
  const files = caseFiles(context).filter((file) => GRIDS.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${GRIDS.join(", ")}.`);
  const folder = exchange("secure");
  const rows = [];
  for (const file of files) {
    const few = LONG[caseName(file)];
    const repeats = few ? 1 : context.repeats;
    const [{ steps_ms: steps, options, edits, ...native }] = await context.native(
      "secure",
      repeats,
      few ?? STEPS,
      folder,
      file,
    );
    const [module, problem] = ["module", "problem"].map((part) => join(folder, `${caseName(file)}.${part}.json`));
    const wasm = await inWasm({ context, repeats }, module, options, edits);
    const [peer] =
      native.n_branch > MOST_BRANCHES ? [{ status: "large" }] : await context.peer("secure.py", context.limit, problem);
    for (const path of [module, problem]) rmSync(path);
    rows.push({
      ...native,
      step: percentile(steps, 50),
      step_p95: percentile(steps, 95),
      wasm_step: percentile(wasm, 50),
      peer: peer.status,
      peer_objective: peer.objective ?? null,
      peer_ms: peer.ms ?? null,
    });
    context.save(rows);
    console.error(`${rows.length}/${files.length} ${native.case}: ${ms(native.secured_ms)} ms, HiGHS ${peer.status}`);
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  const failures = rows
    .filter((row) => row.peer === "optimal" && !(Math.abs(row.objective / row.peer_objective - 1) <= SAME))
    .map((row) => `${row.case}: ${row.objective} $/h, HiGHS ${row.peer_objective}`);
  return { rows, markdown: page(context, rows), tables: { secure: cells(COLUMNS, rows) }, failures };
}

/** Times of the steps in the shipped engine under Node. */
async function inWasm({ context, repeats }, module, options, edits) {
  const engine = await context.instance();
  const study = new engine.Study(readFileSync(module, "utf8"), "dcopf", options);
  return edits.map((text) => {
    const took = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      // From the base state, as natively.
      study.commit("bench", NO_EDIT, "");
      const start = performance.now();
      study.commit("bench", text, "");
      took.push(performance.now() - start);
    }
    return Math.min(...took);
  });
}

const COLUMNS = {
  grid: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  outages: (row) => row.outages,
  "binding limits": (row) => row.binding,
  "excess, MW": (row) => row.excess_mw.toFixed(1),
  "objective, $/h": (row) => row.objective.toFixed(2),
  "plain, ms": (row) => ms(row.plain_ms),
  "with security, ms": (row) => ms(row.secured_ms),
  "HiGHS, ms": (row) => (row.peer === "optimal" ? ms(row.peer_ms) : row.peer),
  "HiGHS / ours": (row) => times(row.peer_ms === null ? undefined : row.peer_ms / row.secured_ms),
  "step, ms p50 / p95": (row) => `${ms(row.step)} / ${ms(row.step_p95)}`,
  "step in WebAssembly, ms": (row) => ms(row.wasm_step),
};

function page(context, rows) {
  return `# Benchmark: limits after outages

DC OPF with the outage of every branch, each monitored branch limited by its rating, at 2,000 $/MWh beyond it ([method](../method/secure.md)). *Plain* and *with security* open the problem of a case that is read and solve it; the second prepares all outages and screens all pairs of a line and an outage until none is violated. A step commits 5 % more demand at one of ${STEPS} buses (${LONG.CaliforniaTestSystem} of California, with one run), with all pairs screened again and the prices without security. HiGHS gets the same program, with angles, and the violated limits of each round (\`tests/bench/peers/secure.py\`), up to ${MOST_BRANCHES.toLocaleString("en")} branches and ${context.limit} s; objectives agree to ${SAME}. Milliseconds of processor time, one thread, the least of up to ${context.repeats} repeats of each, of HiGHS one run.

${markdown(COLUMNS, rows)}

${footer(context, ["wattbook", "highspy", "scipy"])}
`;
}
