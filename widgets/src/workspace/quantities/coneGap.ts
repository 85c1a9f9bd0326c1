import { TIGHT_CONE_GAP } from "@service/engine";
import type { QuantityTable } from "./quantityTable.ts";

/** Name of the gap of the relaxation at each branch: 1 − |W|² / (w_f w_t), dimensionless. */
export const CONE_GAP = "cone_gap";

/** Whether a cone is tight: the voltages of such a branch are those of an AC power flow. */
export function isTight(gap: number): boolean {
  return gap < TIGHT_CONE_GAP;
}

/** Number of branches with a cone, and of those with a tight one; null where the state is not of a relaxation. */
export function coneCounts(columns: QuantityTable): { tight: number; all: number } | null {
  const gaps = columns.values(CONE_GAP)?.filter(Number.isFinite) ?? null;
  return gaps && { tight: gaps.filter(isTight).length, all: gaps.length };
}
