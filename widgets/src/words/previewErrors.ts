/** Sentences that set a preview beside the exact result. */

import { formatError, formatPrice, formatShare } from "./numbers.ts";

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
    relative === null ? "not defined (exact change is zero)" : `${formatShare(relative)} of the exact change`;
  const prices = `Preview ${formatPrice(preview)}, exact ${formatPrice(exact)} $/MWh${at}`;
  return `${prices}, error ${formatError(error)}; relative error ${part}.`;
}

/** The largest error over all buses, where it is not the one told already. */
export function worstErrorSentence(error: number, at: string): string {
  return `Largest error of any bus ${formatError(error)} $/MWh, at ${at}.`;
}
