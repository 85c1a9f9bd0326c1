import { largestMiss, type Miss, PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";

/** The source of a preview: the sensitivity column in the page, or the exact path of the element. */
export type PreviewMode = "first_order" | "exact";

/** The prices predicted for a change, before it was solved. */
export interface Prediction {
  mode: PreviewMode;
  prices: Float64Array;
  /** Dense row of the compared bus; -1 for the bus that moves most. */
  row: number;
}

/** A preview beside the exact result: the price at one bus, and the bus where they differ most. */
export interface Reconciliation {
  mode: PreviewMode;
  /** Dense row of the compared bus. */
  row: number;
  /** Its price, $/MWh: before the change, previewed, and exact. */
  before: number;
  preview: number;
  exact: number;
  readonly worst: Miss;
}

/** Compares predicted prices with the exact ones; null where no price is known. */
export function reconcile(prediction: Prediction, old: QuantityTable, now: QuantityTable): Reconciliation | null {
  const [before, exact] = [old.values(PRICE), now.values(PRICE)];
  if (before === null || exact === null) {
    return null;
  }
  const row = prediction.row >= 0 ? prediction.row : largestMiss(before, exact).row;
  const at = Math.max(row, 0);
  const [was = NaN, preview = NaN, is = NaN] = [before[at], prediction.prices[at], exact[at]];
  if (!Number.isFinite(preview - is)) {
    return null;
  }
  let worst: Miss | null = null;
  return {
    mode: prediction.mode,
    row: at,
    before: was,
    preview,
    exact: is,
    // Computed on first read, so that the frame of the exact prices does not wait for it.
    get worst() {
      worst ??= largestMiss(prediction.prices, exact);
      return worst;
    },
  };
}

/** Prices closer than this, relative to their size, are equal up to rounding. */
const SAME_PRICE = 1e-9;

/** Absolute error of the preview, $/MWh. */
export function absoluteError({ preview, exact }: Reconciliation): number {
  return Math.abs(preview - exact);
}

/** Error of the preview relative to the exact change; null where the exact change is zero. */
export function relativeError(reconciled: Reconciliation): number | null {
  const { before, exact } = reconciled;
  const change = Math.abs(exact - before);
  return change <= SAME_PRICE * Math.max(1, Math.abs(exact)) ? null : absoluteError(reconciled) / change;
}
