/** Sentences about the exact path of a price while one element is moved. */

import type { TrackBreakpoint, TrackStop } from "@service/engine";
import { formatDerivative, formatMw, formatPrice } from "./numbers.ts";
import { endSentence, type EventPlace, eventSentence, jumps, jumpSentence, type Namer } from "./sentences.ts";

/** A breakpoint of a path as the end of an exact stretch that is left upwards or downwards. */
export function breakpointEnd(
  { mw, event, element, price_before, price_after }: TrackBreakpoint,
  up = true,
): EventPlace {
  const jump = price_after - price_before;
  return { mw, event, element, price_jump: up ? jump : -jump };
}

/** What is ahead on a path: `until +34.0 MW, then line 17 (Ash to Birch) binds`. */
export function aheadSentence(ahead: TrackBreakpoint, up: boolean, namer: Namer): string {
  return `until ${endSentence(breakpointEnd(ahead, up), 0, namer)}`;
}

/** A breakpoint by itself: `+34.0 MW: line 17 (Ash to Birch) binds; the price is 23.41 $/MWh`. */
export function breakpointSentence(breakpoint: TrackBreakpoint, namer: Namer): string {
  const { mw, price_before, price_after } = breakpoint;
  const jump = price_after - price_before;
  const price = jumps(jump)
    ? `${jumpSentence(jump)} from ${formatPrice(price_before)} to ${formatPrice(price_after)}`
    : `the price is ${formatPrice(price_before)} $/MWh`;
  return `${formatMw(mw, { signed: true })} MW: ${eventSentence(breakpoint, namer)}; ${price}`;
}

/** Why a path ends, for the end of the slider; empty where the problem itself goes on. */
export function stopSentence(stop: TrackStop | null, side: "below" | "above"): string {
  switch (stop?.reason) {
    case "infeasible":
      return `No solution ${side}`;
    case "edit_limit":
      return stop.message.replace(/\.$/, "");
    case "too_many_breakpoints":
    case "not_followed":
      return `Exact path not followed ${side} ${formatMw(stop.mw, { signed: true })} MW`;
    case undefined:
      return "";
  }
}

/** One-sided derivatives at a breakpoint, ($/MWh)/MW; undefined to a side without a solution. */
export interface OneSided {
  left: number | undefined;
  right: number | undefined;
  /** Jump of the price when the edit grows past the breakpoint, or shrinks below it, $/MWh. */
  jumpUp: number | null;
  jumpDown: number | null;
}

/** `At a breakpoint, derivatives left 0, right 0.440 ($/MWh)/MW; for an increase the price jumps by +2.10 $/MWh`. */
export function oneSidedSentence({ left, right, jumpUp, jumpDown }: OneSided, at: string): string {
  const side = (value: number | undefined): string => (value === undefined ? "no solution" : formatDerivative(value));
  const jump = [
    ...(jumps(jumpUp) ? [`for an increase ${jumpSentence(jumpUp)}`] : []),
    ...(jumps(jumpDown) ? [`for a decrease ${jumpSentence(jumpDown)}`] : []),
  ];
  const derivatives = `At a breakpoint the derivative${at} is one-sided: left ${side(left)}, right ${side(right)} ($/MWh)/MW`;
  return `${[derivatives, ...jump].join("; ")}.`;
}

/** The whole path in one sentence, for those who do not see its picture. */
export function pathSentence(
  what: string,
  ends: { min: number; max: number; low: number; high: number },
  breakpoints: number,
): string {
  const count =
    breakpoints === 0 ? "no breakpoints" : breakpoints === 1 ? "1 breakpoint" : `${breakpoints} breakpoints`;
  return (
    `${what} from ${formatMw(ends.min, { signed: true })} to ${formatMw(ends.max, { signed: true })} MW: ` +
    `${formatPrice(ends.low)} to ${formatPrice(ends.high)} $/MWh, ${count}.`
  );
}
