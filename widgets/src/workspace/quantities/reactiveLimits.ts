import type { QuantityTable } from "./quantityTable.ts";

/** Outputs closer to a limit than this are at it, MVAr. */
const AT_LIMIT_MVAR = 1e-6;

/**
 * Dense rows of the generators at a reactive limit, and of those beyond one, the furthest first; null where limits are
 * unknown.
 */
export function reactiveLimits(columns: QuantityTable): { at: number[]; beyond: number[] } | null {
  const known = columns.pick("dispatch_mvar", "q_min_mvar", "q_max_mvar");
  if (known === null) {
    return null;
  }
  const excess = known.dispatch_mvar.map((mvar, row) =>
    Math.max(mvar - (known.q_max_mvar[row] ?? NaN), (known.q_min_mvar[row] ?? NaN) - mvar),
  );
  const rows = [...excess.keys()];
  const size = (row: number): number => excess[row] ?? NaN;
  return {
    at: rows.filter((row) => Math.abs(size(row)) <= AT_LIMIT_MVAR),
    beyond: rows.filter((row) => size(row) > AT_LIMIT_MVAR).sort((a, b) => size(b) - size(a) || a - b),
  };
}
