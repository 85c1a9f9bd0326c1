import type { QuantityTable } from "./quantityTable.ts";

/** Active power lost in each branch by dense row, MW: what enters it at its two ends. Null where the state has one end only. */
export function branchLosses(columns: QuantityTable): Float64Array | null {
  const ends = columns.pick("flow_mw", "flow_to_mw");
  return ends && ends.flow_mw.map((mw, row) => mw + (ends.flow_to_mw[row] ?? NaN));
}

/** Active power lost in all branches, MW; null where the state does not tell it. */
export function totalLosses(columns: QuantityTable): number | null {
  const losses = branchLosses(columns);
  return losses && losses.reduce((sum, mw) => (Number.isFinite(mw) ? sum + mw : sum), 0);
}

/** The unit in which a state rates its branches: apparent power where loading is of that. */
export function ratingUnit(columns: QuantityTable): "MW" | "MVA" {
  return columns.has("rating_mva") ? "MVA" : "MW";
}
