import type { SensitivityHead, WarrantEnd } from "@service/engine";
import type { Selection } from "../cases/selection.ts";

/** Positions this close are one, MW. */
const SAME_MW = 1e-9;

/**
 * A column whose interval goes no further down than an edit can: a demand not below zero, and one that is negative in the base case
 * not below that; a rating not below zero. The interval of the engine is one of the optimum, which knows no edits. `committedMw` is
 * the change at which the column stands.
 */
export function reachable(
  column: SensitivityHead,
  element: Selection,
  baseMw: number,
  committedMw: number,
): SensitivityHead {
  const { warrant } = column;
  if (element.kind === "generator") {
    return column; // the engine knows where its limits meet
  }
  const [low, high] = warrant.ends;
  const least = Math.min(0, -Math.max(0, baseMw) - committedMw);
  if (warrant.point_only === true || (low !== null && low.mw >= least - SAME_MW)) {
    return column;
  }
  // A change of a negative demand that is taken back ends at no zero, so there is nothing to tell.
  const back = baseMw < 0 && least < -SAME_MW;
  const end: WarrantEnd | null = back ? null : { mw: least + 0, event: "edit_limit", element, price_jump: null };
  const ends: [WarrantEnd | null, WarrantEnd | null] = [end, high];
  return { ...column, warrant: { ...warrant, ends, valid_mw: [end?.mw ?? null, warrant.valid_mw[1]] } };
}
