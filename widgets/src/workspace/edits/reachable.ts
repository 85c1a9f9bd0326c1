import type { SensitivityHead, WarrantEnd } from "@service/engine";
import type { Selection } from "../cases/selection.ts";

/** Positions this close are one, MW. */
const SAME_MW = 1e-9;

/**
 * A column whose interval goes no further down than an edit can: demand and ratings not below zero, but for a demand that is negative
 * in the base case. The interval of the engine is one of the optimum, which knows no edits. `committedMw` is
 * the change at which the column stands.
 */
export function reachable(
  column: SensitivityHead,
  element: Selection,
  baseMw: number,
  committedMw: number,
): SensitivityHead {
  const { warrant } = column;
  if (element.kind === "generator" || baseMw < 0) {
    return column; // the engine knows where the limits of a generator meet; a negative demand has no lowest value
  }
  const [low, high] = warrant.ends;
  const least = Math.min(0, -baseMw - committedMw);
  if (warrant.point_only === true || (low !== null && low.mw >= least - SAME_MW)) {
    return column;
  }
  const end: WarrantEnd = { mw: least + 0, event: "edit_limit", element, price_jump: null };
  const ends: [WarrantEnd, WarrantEnd | null] = [end, high];
  return { ...column, warrant: { ...warrant, ends, valid_mw: [end.mw, warrant.valid_mw[1]] } };
}
