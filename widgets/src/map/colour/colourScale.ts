import { CATEGORY_COLOURS } from "@service/engine";
import { type EditedElement, editedValue, type Selection } from "../../workspace/index.ts";
import { DEFAULT_COLOUR_MAP, OTHER_RAMPS, type Ramp, rampOf } from "./colourMaps.ts";
import type { LegendRange } from "./legendRange.ts";
import { trans } from "../../text/index.ts";

/** Short name of the derivative of the prices by the edited value of an element. */
export function responseName(selection: Selection | null): string {
  switch (selection === null ? "demand" : editedValue(selection)) {
    case "demand":
      return "dLMP/dd";
    case "rating":
      return "dLMP/dfmax";
    case "capacity":
      return "dLMP/dPmax";
    case "p_min":
      return "dLMP/dPmin";
    case "cost":
      return "dLMP/dc";
    case "x":
      return "dLMP/dx";
    case "tap":
      return "dLMP/dtap";
    case "shift":
      return "dLMP/dshift";
    case "limit":
      return "dLMP/dPmax";
    case "schedule":
      return "dLMP/dp";
    case "injection":
      return "dLMP/dp";
    case "energy_value":
      return "dLMP/dv";
  }
}

/** The derivative with its element: `dLMP/dd, bus 12`. */
export function responseTo(selection: EditedElement): string {
  const name = responseName(selection);
  switch (selection.kind) {
    case "bus":
      return trans.__("%1, bus %2", name, selection.id);
    case "branch":
      return trans.__("%1, line %2", name, selection.id);
    case "generator":
      return trans.__("%1, generator %2", name, selection.id);
    case "link":
      return trans.__("%1, HVDC link %2", name, selection.id);
  }
}

/** A ramp on one ground. */
function otherRamp(name: keyof typeof OTHER_RAMPS, dark: boolean): Ramp {
  return OTHER_RAMPS[name][dark ? "dark" : "light"];
}

/** The user's choices for a scale. */
export interface ScaleChoice {
  /** Name of a colour map, for prices and amounts at buses. */
  readonly cmap: string;
  /** Whether the scale is logarithmic. */
  readonly log: boolean;
}

const USUAL: ScaleChoice = { cmap: DEFAULT_COLOUR_MAP, log: false };

const STEPS = 128;

/**
 * The kinds of scales: prices with a separate hue below zero, changes around zero, voltage magnitudes around 1 pu,
 * amounts at buses and on branches, and categories without an order.
 */
export type ScaleKind = "price" | "change" | "magnitude" | "amount" | "branch" | "category";

/** Maps values to indices of a palette of CSS colours. */
export interface ColourScale {
  readonly kind: ScaleKind;
  readonly range: LegendRange;
  readonly palette: readonly string[];
  /** Palette index; -1 for NaN. Values outside the range have the index of the nearer end. */
  place(value: number): number;
  /** -1 below the range, 1 above it, 0 inside. */
  side(value: number): -1 | 0 | 1;
  /** Position of a value between the ends of the range, from 0 to 1, and the inverse. */
  share(value: number): number;
  valueAt(share: number): number;
  /** Whether the scale is logarithmic. */
  readonly log: boolean;
}

/** The values outside the range of a scale: the number on each side, and the extremes of all values. */
export interface Outside {
  below: number;
  above: number;
  lowest: number;
  highest: number;
}

/** For cases without a scale. */
export const NOTHING_OUTSIDE: Outside = { below: 0, above: 0, lowest: NaN, highest: NaN };

/** The values outside a scale, without NaN. */
export function outsideOf(values: Float64Array, scale: ColourScale | null): Outside {
  const found = { below: 0, above: 0, lowest: Infinity, highest: -Infinity };
  for (const value of values) {
    if (scale !== null && Number.isFinite(value)) {
      const side = scale.side(value);
      found.below += side < 0 ? 1 : 0;
      found.above += side > 0 ? 1 : 0;
      found.lowest = Math.min(found.lowest, value);
      found.highest = Math.max(found.highest, value);
    }
  }
  return found.lowest > found.highest ? NOTHING_OUTSIDE : found;
}

/** The scale of a kind over a range. */
export function colourScale(
  kind: ScaleKind,
  range: LegendRange,
  dark: boolean,
  choice: ScaleChoice = USUAL,
): ColourScale {
  switch (kind) {
    case "price":
      return priceScale(range, dark, choice);
    case "change":
      return changeScale(range, dark);
    case "magnitude":
      return magnitudeScale(range, dark);
    case "category":
      return categoryScale(range, dark);
    default:
      return amountScale(kind, range, dark, choice);
  }
}

/**
 * Sequential scale of prices. Below zero it continues in a second hue, which single prices below a range from zero have
 * too.
 */
export function priceScale(range: LegendRange, dark: boolean, choice: ScaleChoice = USUAL): ColourScale {
  const negative = otherRamp("negative_price", dark);
  const ramp = rampOf(choice.cmap, dark);
  const negatives = range.low < 0 ? STEPS : 0;
  const top = Math.max(range.high, 0);
  const from = Math.max(range.low, 0);
  const palette = [
    ...Array.from({ length: negatives }, (_, k) => negative(1 - k / (STEPS - 1))),
    ...Array.from({ length: STEPS }, (_, k) => ramp(k / (STEPS - 1))),
    negative(0.7),
  ];
  const positive = stretch({ low: from, high: top }, choice.log);
  const place = (value: number): number => {
    if (value < 0) {
      return negatives > 0 ? step((value - range.low) / -range.low) : STEPS;
    }
    return negatives + (top > from ? step(positive.share(value)) : Math.floor(STEPS / 2));
  };
  return scale("price", range, palette, place, choice.log);
}

/** Diverging scale of changes, centred on zero. */
export function changeScale(range: LegendRange, dark: boolean): ColourScale {
  const change = otherRamp("change", dark);
  const palette = Array.from({ length: 2 * STEPS + 1 }, (_, k) => change(k / (2 * STEPS)));
  const place = (value: number): number =>
    range.high > 0 ? STEPS + Math.round(STEPS * Math.max(-1, Math.min(1, value / range.high))) : STEPS;
  return scale("change", range, palette, place);
}

/** Diverging scale of voltage magnitudes from the lower to the upper end of the range, with its middle at 1 pu. */
export function magnitudeScale(range: LegendRange, dark: boolean): ColourScale {
  const change = otherRamp("change", dark);
  const palette = Array.from({ length: 2 * STEPS + 1 }, (_, k) => change(k / (2 * STEPS)));
  const place = (value: number): number => {
    const off = value - 1;
    const side = off < 0 ? 1 - range.low : range.high - 1;
    return STEPS + (side > 0 ? Math.round(STEPS * Math.max(-1, Math.min(1, off / side))) : Math.sign(off) * STEPS);
  };
  return scale("magnitude", range, palette, place);
}

/** Sequential scale of amounts at buses or on branches. */
export function amountScale(
  kind: "amount" | "branch",
  range: LegendRange,
  dark: boolean,
  { cmap, log }: ScaleChoice = USUAL,
): ColourScale {
  const own = kind === "amount" && cmap !== DEFAULT_COLOUR_MAP;
  const ramp = own ? rampOf(cmap, dark) : otherRamp(kind, dark);
  const palette = Array.from({ length: STEPS }, (_, k) => ramp(k / (STEPS - 1)));
  const { low, high } = range;
  const { share } = stretch(range, log);
  const place = (value: number): number => (high > low ? step(share(value)) : Math.floor(STEPS / 2));
  return scale(kind, range, palette, place, log);
}

/** Categories by number; neighbouring numbers have distinct hues. */
function categoryScale(range: LegendRange, dark: boolean): ColourScale {
  const palette = CATEGORY_COLOURS[dark ? "dark" : "light"];
  return scale("category", range, palette, (value) => Math.abs(Math.round(value)) % palette.length);
}

/** Shares of a range, linear or logarithmic; a range that contains zero is linear around zero. */
function stretch({ low, high }: LegendRange, log: boolean): Pick<ColourScale, "share" | "valueAt"> {
  const near = 0.01 * Math.max(Math.abs(low), Math.abs(high));
  const [to, back]: ((x: number) => number)[] = !log
    ? [(x: number) => x, (y: number) => y]
    : low > 0
      ? [(x: number) => Math.log(Math.max(x, 1e-3 * low)), Math.exp]
      : [(x: number) => Math.asinh(x / near), (y: number) => near * Math.sinh(y)];
  const [first, last] = [to?.(low) ?? low, to?.(high) ?? high];
  return {
    share: (value) => (last > first ? ((to?.(value) ?? value) - first) / (last - first) : 0.5),
    valueAt: (share) => back?.(first + share * (last - first)) ?? low,
  };
}

function scale(
  kind: ScaleKind,
  range: LegendRange,
  palette: readonly string[],
  place: (value: number) => number,
  log = false,
): ColourScale {
  const slack = 1e-9 * Math.max(Math.abs(range.low), Math.abs(range.high));
  return {
    ...stretch(range, log),
    kind,
    range,
    palette,
    log,
    place: (value) => (Number.isFinite(value) ? place(value) : -1),
    side: (value) => (value < range.low - slack ? -1 : value > range.high + slack ? 1 : 0),
  };
}

function step(share: number): number {
  return Math.round((STEPS - 1) * Math.max(0, Math.min(1, share)));
}
