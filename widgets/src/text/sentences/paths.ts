/** Sentences about the exact path of a price along one element. */

import type { TrackBreakpoint, TrackStop } from "@service/engine";
import { messageText, partOf } from "../messages.ts";
import { type EditUnit, formatAmount, formatDecimals, formatDerivative, formatPower, formatPrice } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import { endSentence, type EventPlace, eventSentence, jumps, jumpSentence } from "./warrants.ts";
import { trans } from "../translation.ts";

/** A breakpoint of a path as the end of an exact segment, crossed upwards or downwards. */
export function breakpointEnd(
  { mw, event, element, price_before, price_after }: TrackBreakpoint,
  up = true,
): EventPlace {
  const jump = price_after - price_before;
  return { mw, event, element, price_jump: up ? jump : -jump };
}

/** The next breakpoint of a path: `Linear up to +34.0 MW, where line 17 (Ash to Birch) binds`. */
export function aheadSentence(ahead: TrackBreakpoint, up: boolean, namer: Namer, unit: EditUnit = "MW"): string {
  const end = endSentence(breakpointEnd(ahead, up), 0, namer, "where", unit);
  return up ? trans.__("Linear up to %1", end) : trans.__("Linear down to %1", end);
}

/** A breakpoint by itself: `+34.0 MW: line 17 (Ash to Birch) binds; the price is 23.41 $/MWh`. */
export function breakpointSentence(breakpoint: TrackBreakpoint, namer: Namer, unit: EditUnit = "MW"): string {
  const { mw, price_before, price_after } = breakpoint;
  const jump = price_after - price_before;
  const price = jumps(jump)
    ? trans.__("the price jumps by %1 $/MWh from %2 to %3", ...jumpTexts(jump, price_before, price_after))
    : trans.__("the price is %1 $/MWh", formatPrice(price_before));
  return trans.__("%1: %2; %3", formatPower(mw, unit, { signed: true }), eventSentence(breakpoint, namer), price);
}

/** A jump and the prices before and after it, with enough decimals to distinguish these. */
function jumpTexts(jump: number, before: number, after: number): [jump: string, before: string, after: string] {
  const decimals = formatPrice(before) === formatPrice(after) ? 1 - Math.floor(Math.log10(Math.abs(jump))) : 2;
  return [
    formatDecimals(jump, decimals, { signed: true }),
    formatDecimals(before, decimals),
    formatDecimals(after, decimals),
  ];
}

/** The text at an end of a slider that is the last feasible position; `at` is the change there. */
export function infeasibleBeyond(side: "below" | "above", at: string): string {
  return side === "below" ? trans.__("Infeasible below %1", at) : trans.__("Infeasible above %1", at);
}

/** Why a path ends, for the end of the slider; empty where the problem itself continues. */
export function stopSentence(
  stop: TrackStop | null,
  side: "below" | "above",
  namer: Namer,
  unit: EditUnit = "MW",
): string {
  const at = formatPower(stop?.mw ?? 0, unit, { signed: true });
  switch (stop?.reason) {
    case "infeasible":
      return side === "below" ? trans.__("No solution below") : trans.__("No solution above");
    case "edit_limit":
      return messageText(stop.sentence, namer);
    case "too_many_breakpoints":
      return trans.__("More breakpoints beyond %1: release there to see them", at);
    case "not_followed":
      return side === "below"
        ? trans.__("Exact path not followed below %1", at)
        : trans.__("Exact path not followed above %1", at);
    case "interrupted":
      return trans.__("Exact path stopped at %1", at);
    case undefined:
      return "";
  }
}

/** A previewed position without a solution: how far it is beyond the limit, and why. `mw` is from the base case. */
export function passedLimitSentence(
  { mw, beyondMw, reason, stop }: { mw: number; beyondMw: number; reason: string; stop: TrackStop | null },
  what: string,
  namer: Namer,
  unit: EditUnit = "MW",
): string {
  const at = formatPower(mw, unit, { signed: true });
  const by = formatPower(beyondMw, unit);
  if (reason === "edit_limit") {
    switch (what) {
      case "demand":
        return trans.__("Not possible: the demand reaches zero at %1. Colours show the linear estimate.", at);
      case "rating":
        return trans.__("Not possible: the rating reaches zero at %1. Colours show the linear estimate.", at);
      case "shift":
      case "limit":
        return trans.__("The exact path ends at %1. Colours show the linear estimate.", at);
      default:
        return trans.__("Not possible: Pmax meets Pmin at %1. Colours show the linear estimate.", at);
    }
  }
  const where = trans.__("Not feasible: %1 beyond the limit of %2. Colours show the linear estimate.", by, at);
  return stop === null ? where : `${where} ${stopReason(stop, namer)}`;
}

/** Why a path has no solution from here on, without the remedy, which is at the end of the slider. */
export function stopReason({ sentence }: TrackStop, namer: Namer): string {
  return messageText(partOf(sentence, "stop") ?? sentence, namer);
}

/**
 * Why a position beyond the end of a path needs a separate solve: `solved by itself, because the path has too many
 * breakpoints`.
 */
export function pathEndReason({ reason }: TrackStop): string {
  return reason === "too_many_breakpoints"
    ? trans.__("solved separately: the path has too many breakpoints to continue")
    : trans.__("solved separately: the path could not be followed this far");
}

/** Why there is no path, and what works without one. */
export function pathProblemSentence(problem: string): string {
  return trans.__("No exact path; every position is still solved exactly on release. %1", problem);
}

/** Why the star point or a winding of a three-winding transformer cannot be edited. */
export function internalElement(kind: string): string {
  return kind === "branch"
    ? trans.__("This is a winding of a three-winding transformer and cannot be edited.")
    : trans.__("This is a transformer's internal node and cannot be edited.");
}

/** One-sided derivatives at a breakpoint, in `units` (by default ($/MWh)/MW); undefined on a side without a solution. */
export interface OneSided {
  left: number | undefined;
  right: number | undefined;
  units?: string;
  /** Jump of the price when the edit grows past the breakpoint, or shrinks below it, $/MWh. */
  jumpUp: number | null;
  jumpDown: number | null;
  /** Why a decrease is impossible, where the value is at its minimum. */
  floor?: string | null;
}

/**
 * `At a breakpoint the derivative is one-sided: left 0, right 0.440 ($/MWh)/MW; for an increase the price jumps by
 * +2.10 $/MWh.` `at` names the bus where it is not obvious.
 */
export function oneSidedSentence(
  { left, right, units = "($/MWh)/MW", jumpUp, jumpDown, floor = null }: OneSided,
  at = "",
): string {
  if (floor !== null) {
    const value = right === undefined ? trans.__("no solution") : `${formatDerivative(right)} ${units}`;
    const increase =
      at === ""
        ? trans.__("At a breakpoint: the derivative for an increase is %1", value)
        : trans.__("At a breakpoint: the derivative at %2 for an increase is %1", value, at);
    const jump = jumps(jumpUp) ? [trans.__("for an increase %1", jumpSentence(jumpUp))] : [];
    return `${[increase, ...jump, floor].join("; ")}.`;
  }
  // The unit follows the last number.
  const side = (value: number | undefined, isLast: boolean): string =>
    value === undefined ? trans.__("no solution") : `${formatDerivative(value)}${isLast ? ` ${units}` : ""}`;
  const sides = [side(left, right === undefined), side(right, true)] as const;
  const jump = [
    ...(jumps(jumpUp) ? [trans.__("for an increase %1", jumpSentence(jumpUp))] : []),
    ...(jumps(jumpDown) ? [trans.__("for a decrease %1", jumpSentence(jumpDown))] : []),
  ];
  const derivatives =
    at === ""
      ? trans.__("At a breakpoint the derivative is one-sided: left %1, right %2", ...sides)
      : trans.__("At a breakpoint the derivative at %3 is one-sided: left %1, right %2", ...sides, at);
  return `${[derivatives, ...jump].join("; ")}.`;
}

/** The whole path in one sentence, for screen readers. */
export function pathSentence(
  what: string,
  ends: { min: number; max: number; low: number; high: number },
  breakpoints: number,
  unit: EditUnit = "MW",
): string {
  return trans.__(
    "%1 from %2 to %3: %4 to %5 $/MWh, %6.",
    what,
    formatAmount(ends.min, unit, { signed: true }),
    formatPower(ends.max, unit, { signed: true }),
    formatPrice(ends.low),
    formatPrice(ends.high),
    breakpoints === 0 ? trans.__("no breakpoints") : trans._n("%1 breakpoint", "%1 breakpoints", breakpoints),
  );
}
