/** Sentences that compare a preview with the exact result. */

import { formatError, formatPrice, formatShare } from "../numbers.ts";
import { trans } from "../translation.ts";

/** A preview and the exact result at one bus, $/MWh. */
export interface ComparedPrice {
  preview: number;
  exact: number;
}

/** Below this, $/MWh, two prices are the same up to rounding. */
const SAME_PRICE = 1e-6;

/** Whether a preview is the exact price up to rounding. */
export function isSamePrice({ preview, exact }: ComparedPrice): boolean {
  return Math.abs(preview - exact) < SAME_PRICE;
}

/**
 * Errors below this, $/MWh, are negligible beside prices with two decimals, so their share of the change is omitted.
 */
const LEAST_SHOWN = 0.005;

/**
 * `Preview 23.41, exact 23.40 $/MWh, error 0.01, 2 % of the change.` `relative` is the error relative to the exact
 * change, null where that is zero; `at` names the bus where it is not obvious.
 */
export function comparisonSentence(compared: ComparedPrice, relative: number | null, at = ""): string {
  if (isSamePrice(compared)) {
    const price = formatPrice(compared.exact);
    return at === ""
      ? trans.__("Preview = exact: %1 $/MWh.", price)
      : trans.__("Preview = exact: %1 $/MWh at %2.", price, at);
  }
  const prices = [formatPrice(compared.preview), formatPrice(compared.exact), errorText(compared, relative)] as const;
  return at === ""
    ? trans.__("Preview %1, exact %2 $/MWh, error %3.", ...prices)
    : trans.__("Preview %1, exact %2 $/MWh at %4, error %3.", ...prices, at);
}

function errorText(compared: ComparedPrice, relative: number | null): string {
  const error = previewErrorText(compared);
  return relative === null || Math.abs(compared.preview - compared.exact) < LEAST_SHOWN
    ? error
    : trans.__("%1, %2 of the change", error, formatShare(relative));
}

/**
 * The absolute error of a preview, $/MWh without its unit: the difference of the two prices as printed, so that a
 * reader can check it, or the true difference where they are printed alike.
 */
export function previewErrorText({ preview, exact }: ComparedPrice): string {
  const printed = Math.abs(Math.round(100 * preview) - Math.round(100 * exact)) / 100;
  const error = Math.abs(preview - exact);
  return printed > 0 ? formatPrice(printed) : error < LEAST_SHOWN ? formatError(error) : error.toFixed(3);
}
