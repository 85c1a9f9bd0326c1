import type { SensitivityHead, TrackStop } from "@service/engine";
import { type ElementPath, isLimit } from "../preview/elementPath.ts";

/** Positions closer than this are equal, MW. */
const SAME_MW = 1e-6;

/** The last solvable position before one that has no solution. */
export interface PassedLimit {
  /** Its change from the base case and the distance beyond it, MW. */
  mw: number;
  beyondMw: number;
  /** `infeasible`, or `edit_limit` where the demand or rating itself ends, or Pmax meets Pmin. */
  reason: "infeasible" | "edit_limit";
  /** The end of the path with the contradicting limits; null where only the position is known. */
  stop: TrackStop | null;
}

/**
 * The limit that a position lies beyond: by the exact path or, where that does not reach, by the interval of the column
 * at the published state. Null for a position with a solution, and where this is unknown. All in MW from the base case.
 */
export function passedLimit(
  mw: number,
  committedMw: number,
  path: ElementPath | null,
  column: SensitivityHead | null,
): PassedLimit | null {
  const up = mw >= committedMw;
  const beyond = (limit: number): number => (up ? mw - limit : limit - mw);
  const stop = (up ? path?.above : path?.below) ?? null;
  if (stop !== null && isLimit(stop) && beyond(stop.mw) > SAME_MW) {
    const reason = stop.reason === "edit_limit" ? "edit_limit" : "infeasible";
    return { mw: stop.mw, beyondMw: beyond(stop.mw), reason, stop };
  }
  const end = column?.warrant.ends[up ? 1 : 0] ?? null;
  const at = committedMw + (end?.mw ?? 0);
  const isEnd = end?.event === "edit_limit" || end?.no_solution_beyond === true;
  if (path?.covers(mw) === true || end === null || !isEnd || beyond(at) <= SAME_MW) {
    return null;
  }
  return {
    mw: at,
    beyondMw: beyond(at),
    reason: end.event === "edit_limit" ? "edit_limit" : "infeasible",
    stop: null,
  };
}
