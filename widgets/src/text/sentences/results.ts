/** Sentences about binding lines and the interval in which a linear estimate is exact. */

import type { SensitivityHead } from "@service/engine";
import { capitalised, formatMoney, formatMw, formatPrice, type PowerUnit } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import {
  exactOnlyHere,
  floorSentence,
  hereSentence,
  isEstimate,
  isOneSided,
  intervalEnds,
  intervalSentence,
  type SliderEnds,
} from "./warrants.ts";
import { trans } from "../translation.ts";

/**
 * `Line 17 (Ash to Birch) binds at 250.0 MW; shadow price 35.70 $/MWh.`; with the unit of its rating, MW or MVA.
 */
export function bindingSentence(
  branch: number,
  rating: { value: number; unit: PowerUnit; assumed?: boolean },
  shadow: number,
  namer: Namer,
): string {
  const words = [capitalised(namer.nameOf("branch", branch)), formatMw(rating.value), formatMoney(shadow)] as const;
  if (rating.assumed === true) {
    return rating.unit === "MVA"
      ? trans.__("%1 binds at its assumed rating of %2 MVA; shadow price %3 $/MVAh.", ...words)
      : trans.__("%1 binds at its assumed rating of %2 MW; shadow price %3 $/MWh.", ...words);
  }
  return rating.unit === "MVA"
    ? trans.__("%1 binds at %2 MVA; shadow price %3 $/MVAh.", ...words)
    : trans.__("%1 binds at %2 MW; shadow price %3 $/MWh.", ...words);
}

/** An interval that is shorter on one side, MW, counts as empty there. */
const LEAST_STEP_MW = 1e-6;

/**
 * Where the linear estimate of an element is exact, and the events at the ends; `committedMw` is its present change.
 * Ends beyond its slider are omitted.
 */
export function exactSentence(
  column: SensitivityHead,
  committedMw: number,
  namer: Namer,
  slider: SliderEnds | null = null,
): string {
  if (isOneSided(column)) {
    return trans.__("At a breakpoint: left and right derivatives differ.");
  }
  if (exactOnlyHere(column) && !isEstimate(column)) {
    return trans.__("The linear estimate is exact only here%1.", hereSentence(column, namer));
  }
  const [low, high] = column.warrant.ends;
  const ends = intervalEnds(column, committedMw, namer, slider);
  if (isEstimate(column)) {
    return ends.length === 0
      ? trans.__("Linear estimate.")
      : trans.__("Linear estimate: the same limits bind %1.", ends.join("; "));
  }
  return high === null && (low === null || low.mw > -LEAST_STEP_MW)
    ? trans.__("The linear estimate is %1.", [intervalSentence(column, committedMw), ...ends].join("; "))
    : trans.__("The linear estimate is exact %1.", ends.join("; "));
}

/**
 * A note that a result is at a corner of the optimum, by the warrant of a column there; null where the optimum is
 * regular. It is usual after a relaxation, whose limits just bind.
 */
export function cornerSentence({ warrant }: Pick<SensitivityHead, "warrant">): string | null {
  switch (warrant.kind) {
    case "regular":
    case "estimate":
      return null;
    case "one_sided":
      return trans.__("This result lies on a breakpoint: its derivatives are one-sided.");
    case "degenerate":
      return trans.__("Degenerate optimum: LMPs are not unique, and derivatives are one-sided.");
  }
}

/** The same as rows of a card, one for each side; empty where the price is unique. */
export function priceIntervalRows(column: SensitivityHead): [term: string, value: string][] {
  const { warrant } = column;
  if (warrant.price_interval === undefined) {
    return [];
  }
  const [less, more] = warrant.price_interval;
  const none = trans.__("no solution");
  const saves = less === null ? none : trans.__("up to %1 $/h", formatPrice(less));
  const costs = more === null ? none : trans.__("at least %1 $/h", formatPrice(more));
  return [
    [trans.__("Not unique: one MW less saves"), floorSentence(column) ?? saves],
    [trans.__("one MW more costs"), costs],
  ];
}

/**
 * Where a bus has no unique price: what one MW less saves and one MW more costs there. The cost is convex in the
 * demand, so the price on each side bounds the effect of a whole MW. Empty where the price is unique; an end is null
 * where the problem has no solution on that side.
 */
export function priceIntervalSentence(column: SensitivityHead): string {
  const { warrant } = column;
  if (warrant.price_interval === undefined) {
    return "";
  }
  const [less, more] = warrant.price_interval;
  const decrease =
    floorSentence(column) ??
    (less === null
      ? trans.__("a decrease has no solution")
      : trans.__("one MW less saves up to %1 $/h", formatPrice(less)));
  const increase =
    more === null
      ? trans.__("an increase has no solution")
      : trans.__("one MW more costs at least %1 $/h", formatPrice(more));
  return trans.__("The price here is not unique: %1, %2.", decrease, increase);
}

/**
 * The effect of a cost edit that replaces a curve; `low` and `high` are its lowest and highest marginal cost, $/MWh.
 */
export function costCurveSentence(low: number, high: number): string {
  return trans.__(
    "The marginal cost rises from %1 to %2 $/MWh with output. A change replaces it by one cost at every output.",
    formatPrice(low),
    formatPrice(high),
  );
}
