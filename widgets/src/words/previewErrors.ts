/** Sentences that set a preview beside the exact result. */

import { formatError, formatPrice, formatShare } from "./numbers.ts";
import { trans } from "./translation.ts";

/** A preview beside the exact result at one bus, $/MWh; `relative` is null where the exact change is zero. */
export interface ComparedPrice {
  preview: number;
  exact: number;
  error: number;
  relative: number | null;
}

/**
 * `Preview 23.41, exact 23.40 $/MWh, error 0.01; relative error 0.43 % of the exact change.` `at` names the bus where it is
 * not plain.
 */
export function comparisonSentence({ preview, exact, error, relative }: ComparedPrice, at = ""): string {
  const part =
    relative === null
      ? trans.__("not defined (exact change is zero)")
      : trans.__("%1 of the exact change", formatShare(relative));
  const prices = [formatPrice(preview), formatPrice(exact), formatError(error)] as const;
  return at === ""
    ? trans.__("Preview %1, exact %2 $/MWh, error %3; relative error %4.", ...prices, part)
    : trans.__("Preview %1, exact %2 $/MWh at %5, error %3; relative error %4.", ...prices, part, at);
}

/** The largest error over all buses, where it is not the one told already. */
export function worstErrorSentence(error: number, at: string): string {
  return trans.__("Largest error of any bus %1 $/MWh, at %2.", formatError(error), at);
}
