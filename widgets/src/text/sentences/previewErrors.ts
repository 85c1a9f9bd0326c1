/** Sentences that set a preview beside the exact result. */

import { formatError, formatPrice } from "../numbers.ts";
import { trans } from "../translation.ts";

/** A preview beside the exact result at one bus, $/MWh. */
export interface ComparedPrice {
  preview: number;
  exact: number;
}

/** `Preview 23.41, exact 23.40 $/MWh, error 0.01.` `at` names the bus where it is not plain. */
export function comparisonSentence(told: ComparedPrice, at = ""): string {
  const prices = [formatPrice(told.preview), formatPrice(told.exact), previewErrorText(told)] as const;
  return at === ""
    ? trans.__("Preview %1, exact %2 $/MWh, error %3.", ...prices)
    : trans.__("Preview %1, exact %2 $/MWh at %4, error %3.", ...prices, at);
}

/**
 * The absolute error of a preview, $/MWh without its unit: the difference of the two prices as they are printed, so that a
 * reader can check it, and the size of the true one where they are printed alike.
 */
export function previewErrorText({ preview, exact }: ComparedPrice): string {
  const printed = Math.abs(Math.round(100 * preview) - Math.round(100 * exact)) / 100;
  const error = Math.abs(preview - exact);
  return printed > 0 ? formatPrice(printed) : error < 0.005 ? formatError(error) : error.toFixed(3);
}
