/** Sentences about the interval in which a derivative is exact, and the events at its ends. */

import { type BreakpointEvent, FULL_LOADING, type SensitivityHead, type WarrantEnd } from "@service/engine";
import { messageText } from "../messages.ts";
import type { Namer } from "../namer.ts";
import { type EditUnit, formatAmount, formatLoading, formatPower, formatPrice, formatPriceChange } from "../numbers.ts";
import { trans } from "../translation.ts";

const EVENTS: Record<Exclude<BreakpointEvent, "edit_limit">, string> = {
  generator_reaches_max: "event.generator_reaches_max",
  generator_reaches_min: "event.generator_reaches_min",
  generator_reaches_breakpoint: "event.generator_reaches_breakpoint",
  generator_leaves_limit: "event.generator_leaves_limit",
  line_binds: "event.line_binds",
  line_unbinds: "event.line_unbinds",
  excess_begins: "event.excess_begins",
  lost_load_begins: "event.lost_load_begins",
  lost_load_ends: "event.lost_load_ends",
  excess_ends: "event.excess_ends",
  error_estimate: "event.error_estimate",
  reactive_limit: "event.reactive_limit",
  voltage_held: "event.voltage_held",
  generator_reaches_limit: "event.generator_reaches_limit",
  reactive_reaches_limit: "event.reactive_reaches_limit",
  reactive_leaves_limit: "event.reactive_leaves_limit",
  voltage_reaches_limit: "event.voltage_reaches_limit",
  voltage_leaves_limit: "event.voltage_leaves_limit",
  cut_binds: "event.cut_binds",
  cut_unbinds: "event.cut_unbinds",
  cone_tightens: "event.cone_tightens",
  cone_loosens: "event.cone_loosens",
};

/** What ends an edit, by element kind. */
const EDIT_LIMITS: Record<string, string> = { bus: "event.demand_zero", generator: "event.limits_meet" };

/** An event at a position: the end of an interval, or a breakpoint of a path. */
export type EventPlace = Pick<WarrantEnd, "mw" | "event" | "element"> & Partial<WarrantEnd>;

/** The event at the end of an interval: `line 17 (Ash to Birch) binds`, `the demand reaches zero`. */
export function eventSentence(end: Pick<EventPlace, "event" | "element">, namer: Namer): string {
  const { event, element } = end;
  if (event === "edit_limit") {
    return messageText({ key: EDIT_LIMITS[element.kind] ?? "event.rating_zero" }, namer);
  }
  // Templates without the element ignore it.
  return messageText({ key: EVENTS[event], values: { element: { element } } }, namer);
}

/** Whether a column is that of a breakpoint, where left and right derivatives differ. */
export function isOneSided({ warrant }: Pick<SensitivityHead, "warrant">): boolean {
  return warrant.kind === "one_sided" || warrant.kind === "degenerate";
}

/**
 * Whether a column is a tangent of a curved optimum, exact only at its own state. Its interval shows where other limits
 * bind.
 */
export function isEstimate({ warrant }: Pick<SensitivityHead, "warrant">): boolean {
  return warrant.kind === "estimate";
}

/** The unit of a column's parameter. */
export function unitOfChange({ units }: Pick<SensitivityHead, "units">): EditUnit {
  if (units.endsWith("/($/MWh)")) {
    return "$/MWh";
  }
  if (units.endsWith("/degree")) {
    return "\u00b0";
  }
  return units.endsWith("/MVA") ? "MVA" : "MW";
}

/** `exact from −12.0 to +34.2 MW`, as changes from the base case; `offsetMw` is the change at the present state. */
export function intervalSentence(column: SensitivityHead, offsetMw: number): string {
  const [low, high] = column.warrant.valid_mw;
  const unit = unitOfChange(column);
  const at = (mw: number): string => formatAmount(offsetMw + mw, unit, { signed: true });
  if (isEstimate(column)) {
    return trans.__("linear estimate");
  }
  if (exactOnlyHere(column)) {
    return trans.__("exact only here");
  }
  if (low === null && high === null) {
    return trans.__("exact for any change");
  }
  if (low === null) {
    return trans.__("exact up to %1 %2", at(high ?? 0), unit);
  }
  if (high === null) {
    return trans.__("exact from %1 %2 upwards", at(low), unit);
  }
  return trans.__("exact from %1 to %2 %3", at(low), at(high), unit);
}

/**
 * The event at one end of the exact interval: `+34.2 MW, then line 17 (Ash to Birch) binds`, and whether the price
 * jumps there or no solution exists beyond.
 */
export function endSentence(
  end: EventPlace,
  offsetMw: number,
  namer: Namer,
  link: "then" | "where" = "then",
  unit: EditUnit = "MW",
): string {
  const at = formatPower(offsetMw + end.mw, unit, { signed: true });
  const event = eventSentence(end, namer);
  return withBeyond(link === "then" ? trans.__("%1, then %2", at, event) : trans.__("%1, where %2", at, event), end);
}

/** An event with its consequence beyond. */
function withBeyond(sentence: string, end: EventPlace): string {
  if (end.no_solution_beyond === true) {
    return trans.__("%1 and there is no solution beyond", sentence);
  }
  return jumps(end.price_jump) ? trans.__("%1 and %2", sentence, jumpSentence(end.price_jump)) : sentence;
}

/** A position this close, MW, is the present one. */
const HERE_MW = 1e-6;

/** Whether the interval is empty: an event occurs at once on both sides. */
export function exactOnlyHere({ warrant }: Pick<SensitivityHead, "warrant">): boolean {
  return warrant.valid_mw.every((mw) => mw !== null && Math.abs(mw) <= HERE_MW);
}

/** The events on both sides of an empty interval: `: upwards line 17 binds; downwards generator 3 leaves its limit`. */
export function hereSentence({ warrant }: Pick<SensitivityHead, "warrant">, namer: Namer): string {
  const [low, high] = warrant.ends;
  const parts = [
    ...(high === null ? [] : [trans.__("upwards %1", withBeyond(eventSentence(high, namer), high))]),
    ...(low === null
      ? []
      : low.event === "edit_limit"
        ? [lowerEndSentence(low, 0, namer)]
        : [trans.__("downwards %1", withBeyond(eventSentence(low, namer), low))]),
  ];
  return parts.length === 0 ? "" : `: ${parts.join("; ")}`;
}

/** The event at the lower end of an interval: as `endSentence` after `down to`, or that the value cannot go lower. */
export function lowerEndSentence(low: EventPlace, offsetMw: number, namer: Namer, unit: EditUnit = "MW"): string {
  return floorOf(low) ?? trans.__("down to %1", endSentence(low, offsetMw, namer, "then", unit));
}

/** The range of a slider, as changes from the base case. */
export interface SliderEnds {
  min: number;
  max: number;
}

/**
 * The ends of an interval in words, the upper one first: `up to +34.2 MW, then line 17 (Ash to Birch) binds`. An end
 * beyond the slider is cut there: `up to +100.0 MW, the end of the slider`. Empty where the interval is open and there
 * is no slider.
 */
export function intervalEnds(
  { warrant, units }: Pick<SensitivityHead, "warrant" | "units">,
  offsetMw: number,
  namer: Namer,
  slider: SliderEnds | null = null,
): string[] {
  const [low, high] = warrant.ends;
  const unit = unitOfChange({ units });
  const at = (mw: number): string => formatPower(mw, unit, { signed: true });
  const above = slider !== null && high !== null && offsetMw + high.mw > slider.max + HERE_MW;
  const below = slider !== null && low !== null && offsetMw + low.mw < slider.min - HERE_MW;
  return [
    ...(high === null
      ? []
      : [
          above
            ? trans.__("up to %1, the end of the slider", at(slider.max))
            : trans.__("up to %1", endSentence(high, offsetMw, namer, "then", unit)),
        ]),
    ...(low === null
      ? []
      : [
          below
            ? trans.__("down to %1, the end of the slider", at(slider.min))
            : lowerEndSentence(low, offsetMw, namer, unit),
        ]),
  ];
}

/** A note that the value is at its minimum: `the demand cannot go lower`; null where a decrease is possible. */
export function floorSentence({ warrant }: Pick<SensitivityHead, "warrant">): string | null {
  const [low] = warrant.ends;
  return low === null ? null : floorOf(low);
}

function floorOf({ event, mw, element }: EventPlace): string | null {
  if (event !== "edit_limit" || Math.abs(mw) > HERE_MW) {
    return null;
  }
  switch (element.kind) {
    case "bus":
      return trans.__("the demand cannot go lower");
    case "generator":
      return trans.__("the capacity cannot go below Pmin");
    default:
      return trans.__("the rating cannot go lower");
  }
}

/** Jumps below this, $/MWh, are rounding. */
const LEAST_JUMP = 1e-6;

/** Whether a price jumps. */
export function jumps(jump: number | null | undefined): jump is number {
  return typeof jump === "number" && Math.abs(jump) > LEAST_JUMP;
}

/** `the price jumps by +2.10 $/MWh`. */
export function jumpSentence(jump: number): string {
  return trans.__("the price jumps by %1 $/MWh", formatPriceChange(jump, { signed: true }));
}

/** Why a column is zero, and up to which position. */
export function zeroColumnSentence(
  column: SensitivityHead,
  offsetMw: number,
  namer: Namer,
  slider: SliderEnds | null = null,
): string {
  if (exactOnlyHere(column)) {
    return trans.__("Prices do not change at first%1.", hereSentence(column, namer));
  }
  const [low, high] = column.warrant.ends;
  const onSlider = ({ mw }: EventPlace): boolean =>
    slider === null || (offsetMw + mw <= slider.max + HERE_MW && offsetMw + mw >= slider.min - HERE_MW);
  const rises = high !== null && onSlider(high) ? high : null;
  const falls = low !== null && onSlider(low) && floorOf(low) === null ? low : null;
  const amount = ({ mw }: EventPlace): string => formatPower(Math.abs(mw), unitOfChange(column));
  const then = (end: EventPlace): string => withBeyond(eventSentence(end, namer), end);
  const [up, down] = changesOf(column);
  if (rises !== null && falls !== null) {
    const [above, below] = [amount(rises), amount(falls)];
    const until = trans.__("%1 by %2, when %3, or falls by %4, when %5", up, above, then(rises), below, then(falls));
    return trans.__("Prices stay unchanged until %1.", until);
  }
  const only = rises ?? falls;
  if (only !== null) {
    const changed = trans.__("%1 by %2; then %3", only === rises ? up : down, amount(only), then(only));
    return trans.__("Prices stay unchanged until %1.", changed);
  }
  const parts = intervalEnds(column, offsetMw, namer, slider);
  return parts.length === 0 || (high === null && low !== null && floorOf(low) !== null)
    ? trans.__("Prices do not respond to this change.")
    : trans.__("Prices stay unchanged %1.", parts.join("; "));
}

/** The subject of a column as it rises and falls: the demand, the rating or phase shift, or the value of a generator. */
function changesOf({ branch, generator, units }: SensitivityHead): [up: string, down: string] {
  if (branch !== undefined && unitOfChange({ units }) === "\u00b0") {
    return [trans.__("the phase shift rises"), trans.__("the phase shift falls")];
  }
  if (branch !== undefined) {
    return [trans.__("the rating rises"), trans.__("the rating falls")];
  }
  if (generator === undefined) {
    return [trans.__("the demand rises"), trans.__("the demand falls")];
  }
  return unitOfChange({ units }) === "MW"
    ? [trans.__("the limit rises"), trans.__("the limit falls")]
    : [trans.__("the cost rises"), trans.__("the cost falls")];
}

/** Why one price applies everywhere: no line binds, with the line nearest to its limit. */
export function onePriceSentence(price: number, nearest: { id: number; loading: number } | null, namer: Namer): string {
  const shown = formatPrice(price);
  if (nearest === null) {
    return trans.__("One price everywhere, %1 $/MWh: no line binds.", shown);
  }
  const line = namer.nameOf("branch", nearest.id);
  return nearest.loading >= FULL_LOADING
    ? trans.__("One price everywhere, %1 $/MWh: no line binds; %2 is at its limit with zero shadow price.", shown, line)
    : trans.__(
        "One price everywhere, %1 $/MWh: no line binds; the nearest is %2 at %3.",
        shown,
        line,
        formatLoading(nearest.loading),
      );
}
