/** Sentences about lines that bind and the interval in which a first order is exact. */

import type { SensitivityColumn } from "@service/engine";
import { capitalised, formatMoney, formatMw, formatPrice } from "./numbers.ts";
import { endSentence, intervalSentence, type Namer } from "./sentences.ts";

/** `Line 17 (Ash to Birch) binds at 250.0 MW; one more MW of rating saves 35.70 $/h.` */
export function bindingSentence(branch: number, ratingMw: number, shadow: number, namer: Namer): string {
  const name = capitalised(namer.nameOf("branch", branch));
  return `${name} binds at ${formatMw(ratingMw)} MW; one more MW of rating saves ${formatMoney(shadow)} $/h.`;
}

/** Where the first order of an element is exact, and what happens at the ends; `committedMw` is its present change. */
export function exactSentence(column: SensitivityColumn, committedMw: number, namer: Namer): string {
  if (column.warrant.kind !== "regular") {
    return "At a breakpoint: to each side the derivative is another one.";
  }
  const [low, high] = column.warrant.ends;
  const ends = [
    ...(high === null ? [] : [`up to ${endSentence(high, committedMw, namer)}`]),
    ...(low === null ? [] : [`down to ${endSentence(low, committedMw, namer)}`]),
  ];
  return ends.length === 0
    ? `First order is ${intervalSentence(column, committedMw)}.`
    : `First order is exact ${ends.join("; ")}.`;
}

/**
 * Where a bus has no single price: what one MW less saves and one MW more costs there. Empty where the price is unique; an end
 * is null where the problem has no solution to that side.
 */
export function priceIntervalSentence({ warrant }: SensitivityColumn): string {
  if (warrant.price_interval === undefined) {
    return "";
  }
  const [less, more] = warrant.price_interval;
  const decrease = less === null ? "a decrease has no solution" : `one MW less saves ${formatPrice(less)} $/h`;
  const increase = more === null ? "an increase has no solution" : `one MW more costs ${formatPrice(more)} $/h`;
  return `The price here is not unique: ${decrease}, ${increase}.`;
}
