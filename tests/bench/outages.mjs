// AC power flows after the outage of every branch, beside lightsim2grid's contingency analysis of the same file.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { caseFiles, caseName, exchange } from "./solver.mjs";
import { cells, footer, markdown, ms } from "./table.mjs";

const GRIDS = ["case_ACTIVSg200", "case_ACTIVSg500", "case_ACTIVSg2000"];
/** Largest difference of voltages, per unit: lightsim2grid stops at a mismatch of 1e-8. */
const AGREED = 1e-7;
/** Goal: our time relative to lightsim2grid's. */
const GOAL = 0.3;

export async function outages(context) {
  const files = caseFiles(context).filter((file) => GRIDS.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${GRIDS.join(", ")}.`);
  const folder = exchange("outages");
  const rows = [];
  for (const file of files) {
    const [native] = await context.native("outages", context.repeats, folder, file);
    const voltages = join(folder, `${caseName(file)}.outages.bin`);
    const [peer] = await context.peer("outages.py", context.repeats, file, voltages);
    rmSync(voltages);
    rows.push({ ...native, peer_ms: peer.ms, peer_solved: peer.solved, apart_pu: peer.apart_pu });
    context.save(rows);
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  const failures = rows.flatMap((row) => [
    ...(row.apart_pu <= AGREED ? [] : [`${row.case}: voltages differ by ${row.apart_pu} pu`]),
    ...(row.solved === row.peer_solved ? [] : [`${row.case}: ${row.solved} outages solved, ${row.peer_solved} there`]),
    ...(row.ms <= GOAL * row.peer_ms ? [] : [`${row.case}: ${(row.ms / row.peer_ms).toFixed(2)} of its time`]),
  ]);
  return { rows, markdown: page(context, rows), tables: { outages: cells(COLUMNS, rows) }, failures };
}

const COLUMNS = {
  grid: (row) => row.case,
  buses: (row) => row.n_bus,
  outages: (row) => row.outages,
  splitting: (row) => row.splitting,
  "with new factors": (row) => row.by_newton,
  steps: (row) => row.steps.toFixed(1),
  "ours, ms": (row) => ms(row.ms),
  "a second": (row) => Math.round((row.solved / row.ms) * 1000),
  "lightsim2grid, ms": (row) => ms(row.peer_ms),
  "ours / lightsim2grid": (row) => (row.ms / row.peer_ms).toFixed(2),
  "apart, pu": (row) => row.apart_pu.toExponential(0),
};

function page(context, rows) {
  return `# Benchmark: AC power flows after outages

The outage of every branch that does not split the network, as an AC power flow from the solution before it, without reactive limits ([method](../method/ac-power-flow.md#outages)), beside \`ContingencyAnalysisCPP\` of lightsim2grid (KLU, one thread) from the same file and solution. Ours includes the DC estimate, loadings, voltages and violations of each outage; lightsim2grid's the voltages. Both are milliseconds of processor time, natively, the least of up to ${context.repeats} repeats; *steps* are the mean of a power flow, *with new factors* those that Newton's method took over. All voltages of all outages are compared.

${markdown(COLUMNS, rows)}

${footer(context, ["wattbook", "lightsim2grid"])}
`;
}
