import { type CaseEdits, deltaOf, withDelta } from "./edits.ts";
import type { Selection } from "../cases/selection.ts";

/** Whether the MW of a move are the new change from the base case, or are added to the present one. */
export type MoveMode = "set" | "increment";

/** A change of one element that somebody asks for, MW. */
export interface ElementMove {
  element: Selection;
  mw: number;
}

/** Digits after the point that are kept of a sum, MW: 0.1 and 0.2 make 0.3. */
const DIGITS = 9;

/** Edits with some elements moved, all others as they are. */
export function withMoves(edits: CaseEdits, moves: readonly ElementMove[], mode: MoveMode): CaseEdits {
  return moves.reduce((moved, { element, mw }) => {
    const sum = mode === "set" ? mw : Number((deltaOf(moved, element) + mw).toFixed(DIGITS));
    return withDelta(moved, element, sum + 0); // no negative zero
  }, edits);
}

/** The change from the base case that brings an element of `baseMw` to `valueMw`. */
export function changeTo(valueMw: number, baseMw: number): number {
  return Number((valueMw - baseMw).toFixed(DIGITS)) + 0;
}
