// Prices with limits after the outage of every branch: the cold solve beside the plain one, and exact steps after an edit of demand.
import { SetupError } from "../../binder/lib/fail.mjs";
import { caseFiles, caseName } from "./solver.mjs";
import { cells, footer, markdown, ms, percentile } from "./table.mjs";

const GRIDS = ["case_ACTIVSg500", "case_ACTIVSg2000", "pglib_opf_case2869_pegase", "pglib_opf_case10000_goc"];
/** Number of edited buses. */
const STEPS = 30;

export async function secure(context) {
  const files = caseFiles(context).filter((file) => GRIDS.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${GRIDS.join(", ")}.`);
  const rows = [];
  for (const file of files) {
    const [{ steps_ms: steps, ...row }] = await context.native("secure", context.repeats, STEPS, file);
    rows.push({ ...row, step: percentile(steps, 50), step_p95: percentile(steps, 95) });
    context.save(rows);
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  return { rows, markdown: page(context, rows), tables: { secure: cells(COLUMNS, rows) } };
}

const COLUMNS = {
  grid: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  outages: (row) => row.outages,
  rounds: (row) => row.rounds,
  "binding limits": (row) => row.binding,
  "excess, MW": (row) => row.excess_mw.toFixed(1),
  "objective, $/h": (row) => row.objective.toFixed(2),
  "plain, ms": (row) => ms(row.plain_ms),
  "with security, ms": (row) => ms(row.secured_ms),
  "plain solves": (row) => (row.secured_ms / row.plain_ms).toFixed(1),
  "step, ms p50 / p95": (row) => `${ms(row.step)} / ${ms(row.step_p95)}`,
};

function page(context, rows) {
  return `# Benchmark: limits after outages

DC OPF with the outage of every branch, each monitored branch limited by its rating, at 2,000 $/MWh beyond it ([method](../method/secure.md)). *Plain* and *with security* open the problem of a case that is read and solve it; the second prepares all outages and screens all pairs of a line and an outage until none is violated. A step commits 5 % more demand at one of ${STEPS} buses, with all pairs screened again. Milliseconds of processor time, natively, one thread, the least of up to ${context.repeats} repeats of each.

${markdown(COLUMNS, rows)}

${footer(context, ["wattbook"])}
`;
}
