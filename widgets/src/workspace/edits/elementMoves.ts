import { type BaseValues, type CaseEdits, deltaOf, plainSum, withDelta } from "./edits.ts";
import type { NetworkElement, Selection } from "../cases/selection.ts";

/** Whether the MW of a move are the new change from the base case, or are added to the present one. */
export type MoveMode = "set" | "increment";

/** A change of one element that somebody asks for, MW, of a cost $/MWh. */
export interface ElementMove<Element extends Selection = Selection> {
  element: Element;
  mw: number;
}

/** Edits with some elements moved, all others as they are. Only generators need the `base`. */
export function withMoves(edits: CaseEdits, moves: readonly ElementMove<NetworkElement>[], mode: MoveMode): CaseEdits;
export function withMoves(edits: CaseEdits, moves: readonly ElementMove[], mode: MoveMode, base: BaseValues): CaseEdits;
export function withMoves(
  edits: CaseEdits,
  moves: readonly ElementMove[],
  mode: MoveMode,
  base: BaseValues = { baseMw: () => 0 },
): CaseEdits {
  return moves.reduce((moved, { element, mw }) => {
    const sum = mode === "set" ? mw + 0 : plainSum(deltaOf(moved, element, base) + mw);
    return withDelta(moved, element, sum, base);
  }, edits);
}

/** The change from the base case that brings an element of `baseMw` to `valueMw`. */
export function changeTo(valueMw: number, baseMw: number): number {
  return plainSum(valueMw - baseMw);
}
