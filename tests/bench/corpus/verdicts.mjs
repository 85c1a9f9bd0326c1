// Verdicts on the rows of the corpus.
import { CORRECTED } from "../dcopf.mjs";
import { agrees, hasDigits } from "../solver.mjs";

/** Tolerances of a certificate: balance in MW or A, relative gap. */
export const HOLDS = { residual_mw: 1e-3, residual_a: 1e-2, gap: 1e-5 };
/** Largest differences from references: relative for objectives, per unit for voltages. */
export const APART = { dcopf: 1e-6, socwr: 1e-5, acpf: 1e-6, mc: 1e-6 };
/** Points by which a gap may differ from BASELINE.md, which has two decimals. */
const POINTS = 0.02;

const isSolved = ({ status }) => ["optimal", "feasible", "solved"].includes(status);
const holds = (row) => Object.entries(HOLDS).every(([name, most]) => row[name] === undefined || row[name] <= most);

/**
 * The verdict of a row: `agrees` with a reference, `corrected` where the reference is known to be wrong, `certified`
 * without one, `infeasible` with a proof, `refused` with a code, or one that needs an explanation: `differs`,
 * `uncertified`, `unsolved`, `time`.
 */
export function verdictOf(row, baseline = {}, reference = {}) {
  const { formulation, status } = row;
  if (status === "time" || status === "crash") return status;
  if (isSolved(row)) {
    if (!holds(row)) return "uncertified";
    const printed = formulation === "dcopf" ? baseline.dc : undefined;
    if (printed !== undefined) {
      if (printed.startsWith("inf")) return "differs";
      if (hasDigits(row.objective, printed)) return "agrees";
      const corrected = CORRECTED[row.name];
      return corrected !== undefined && agrees(row.objective, Number(corrected)) ? "corrected" : "differs";
    }
    if (formulation === "socwr" && baseline.ac !== undefined) {
      const points = Math.abs(100 * (1 - row.objective / baseline.ac) - baseline.gap);
      return points <= POINTS ? "agrees" : "differs";
    }
    if (row.apart !== undefined) return row.apart <= APART[formulation] ? "agrees" : "differs";
    return reference[formulation] === null ? "differs" : "certified";
  }
  if (status === "SOLVE.INFEASIBLE") {
    if (formulation === "acpf") return "unsolved";
    const printed = formulation === "dcopf" ? baseline.dc : undefined;
    const isKnown = printed?.startsWith("inf") || reference[formulation] === null;
    const other = (printed !== undefined && !isKnown) || typeof reference[formulation] === "number";
    return other ? "differs" : isKnown ? "agrees" : "infeasible";
  }
  return status.startsWith("SOLVE.") ? "unsolved" : "refused";
}

/** Rows that need an explanation. */
export const isMiss = (verdict) => ["differs", "uncertified", "unsolved", "time", "crash"].includes(verdict);

/**
 * `{dc, ac, gap}` of each row of BASELINE.md: the DC objective as printed, the AC objective in $/h, the gap of the
 * relaxation in %.
 */
export function baselinesOf(text) {
  const found = new Map();
  for (const line of text.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (!cells[1]?.startsWith("pglib_opf")) continue;
    const [ac, gap] = [Number(cells[5]), Number(cells[7])];
    found.set(cells[1], { dc: cells[4], ...(Number.isFinite(ac) && Number.isFinite(gap) && { ac, gap }) });
  }
  return found;
}
