// Edits that change the network, each solved as a case of its own: the exact step after a line or a generator goes out of service and after a
// new circuit, beside the cold solve of the case.
import { SetupError } from "../../binder/lib/fail.mjs";
import { caseFiles, caseName } from "./solver.mjs";
import { cells, footer, markdown, ms, percentile } from "./table.mjs";

const GRIDS = ["case_ACTIVSg2000", "pglib_opf_case8387_pegase", "pglib_opf_case9241_pegase", "pglib_opf_case10000_goc"];
/** Number of edits of each kind. */
const EDITS = 30;
/** The kinds of edits, by their names in engine/crates/bench. */
const KINDS = { branch_out: "line out", added_branch: "new circuit", generator_out: "generator out" };

export async function network(context) {
  const files = caseFiles(context).filter((file) => GRIDS.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${GRIDS.join(", ")}.`);
  const rows = [];
  for (const file of files) {
    const [{ kinds, ...row }] = await context.native("network", context.repeats, EDITS, file);
    for (const [kind, { ms: times, infeasible }] of Object.entries(kinds)) {
      Object.assign(row, { [kind]: percentile(times, 50), [`${kind}_p95`]: percentile(times, 95) });
      row[`${kind}_infeasible`] = infeasible;
    }
    rows.push(row);
    context.save(rows);
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  return {
    rows,
    markdown: page(context, rows),
    tables: { network: cells(COLUMNS, rows) },
    failures: rows.flatMap(slower),
  };
}

/** A step counts as slower than a cold solve from this ratio on: single runs differ by less. */
const SLOWER = 1.25;

/** The kinds of edits whose median step takes longer than a cold solve. */
function slower(row) {
  const kinds = Object.keys(KINDS).filter((kind) => row[kind] > SLOWER * row.cold_ms);
  return kinds.map((kind) => `${row.case}: ${KINDS[kind]} ${ms(row[kind])} ms, a cold solve ${ms(row.cold_ms)} ms`);
}

const COLUMNS = {
  grid: (row) => row.case.replace("pglib_opf_case", ""),
  buses: (row) => row.n_bus,
  lines: (row) => row.n_branch,
  "cold solve, ms": (row) => ms(row.cold_ms),
  ...Object.fromEntries(
    Object.entries(KINDS).map(([kind, title]) => [
      `${title}, ms p50 / p95`,
      (row) => `${ms(row[kind])} / ${ms(row[`${kind}_p95`])}`,
    ]),
  ),
  "without a solution": (row) => Object.keys(KINDS).reduce((sum, kind) => sum + row[`${kind}_infeasible`], 0),
};

function page(context, rows) {
  return `# Benchmark: edits of the network

${EDITS} lines out of service, parallel circuits and generators out of service a grid, each committed from the solved case: the network with the edit is solved as if it were in the file, with the same bits. A cold solve opens the problem of a case that is read and solves it. Both include all columns of the result and its hash. Milliseconds of processor time, natively, the least of up to ${context.repeats} repeats of each.

${markdown(COLUMNS, rows)}

${footer(context, ["wattbook"])}
`;
}
