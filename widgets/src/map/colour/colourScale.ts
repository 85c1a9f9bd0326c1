import { interpolateLab, piecewise } from "d3-interpolate";
import {
  interpolatePlasma,
  interpolatePurples,
  interpolateRdPu,
  interpolateViridis,
  interpolateYlGnBu,
  interpolateYlOrBr,
} from "d3-scale-chromatic";
import type { Selection } from "../../workspace/index.ts";
import type { LegendRange } from "./legendRange.ts";
import { trans } from "../../text/index.ts";

/** Short name of the derivative of the prices by the demand or rating of an element. */
export function responseName(selection: Selection | null): string {
  return selection?.kind === "branch" ? "dLMP/dfmax" : "dLMP/dd";
}

/** The derivative with its element: `dLMP/dd, bus 12`. */
export function responseTo(selection: Selection): string {
  const name = responseName(selection);
  return selection.kind === "bus"
    ? trans.__("%1, bus %2", name, selection.id)
    : trans.__("%1, line %2", name, selection.id);
}

type Ramp = (t: number) => string;

interface Ramps {
  price: Ramp;
  negativePrice: Ramp;
  change: Ramp;
  amount: Ramp;
  /** Amounts on lines, in another hue than those of buses. */
  branch: Ramp;
}

/** On white, more is darker; prices below zero have a hue of their own; changes pass through grey at zero. */
const LIGHT: Ramps = {
  price: (t) => interpolateYlGnBu(0.2 + 0.68 * t),
  negativePrice: (t) => interpolateRdPu(0.4 + 0.5 * t),
  change: piecewise(interpolateLab, ["#0b4f8a", "#3f8fc4", "#9cc6e0", "#d9d9d6", "#f2b98d", "#d9722e", "#8f3a06"]),
  amount: (t) => interpolatePurples(0.38 + 0.62 * t),
  branch: (t) => interpolateYlOrBr(0.3 + 0.7 * t),
};

/** On a dark ground, more is brighter; the middle of the changes is a dark grey that stays visible. */
const DARK: Ramps = {
  price: (t) => interpolateViridis(0.18 + 0.82 * t),
  negativePrice: (t) => interpolateRdPu(0.62 - 0.4 * t),
  change: piecewise(interpolateLab, ["#a5dcff", "#4aa3df", "#2f6287", "#5a5d61", "#8c5a2c", "#e08a3c", "#ffd2a1"]),
  amount: (t) => interpolatePlasma(0.25 + 0.75 * t),
  branch: (t) => interpolateYlOrBr(0.85 - 0.8 * t),
};

const STEPS = 128;

/**
 * How values become colours: prices with a hue of their own below zero, changes around zero, voltage magnitudes around 1 p.u.,
 * amounts at buses and on branches.
 */
export type ScaleKind = "price" | "change" | "magnitude" | "amount" | "branch";

/** Turns values into places of a palette of CSS colours. */
export interface ColourScale {
  readonly kind: ScaleKind;
  readonly range: LegendRange;
  readonly palette: readonly string[];
  /** Place in the palette; -1 for a value that does not exist. Values outside the range get its end. */
  place(value: number): number;
  /** -1 below the range, 1 above it, 0 inside. */
  side(value: number): -1 | 0 | 1;
}

/** The values outside the range of a scale: how many to each side, and the lowest and the highest of all values. */
export interface Outside {
  below: number;
  above: number;
  lowest: number;
  highest: number;
}

/** Where there is no scale, nothing is outside. */
export const NOTHING_OUTSIDE: Outside = { below: 0, above: 0, lowest: NaN, highest: NaN };

/** What of some values lies outside a scale; those that do not exist do not count. */
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
export function colourScale(kind: ScaleKind, range: LegendRange, dark: boolean): ColourScale {
  switch (kind) {
    case "price":
      return priceScale(range, dark);
    case "change":
      return changeScale(range, dark);
    case "magnitude":
      return magnitudeScale(range, dark);
    default:
      return amountScale(kind, range, dark);
  }
}

/** Sequential scale of prices; below zero it runs into a second hue, which single prices below a range from zero have too. */
export function priceScale(range: LegendRange, dark: boolean): ColourScale {
  const ramps = dark ? DARK : LIGHT;
  const negatives = range.low < 0 ? STEPS : 0;
  const top = Math.max(range.high, 0);
  const from = Math.max(range.low, 0);
  const palette = [
    ...Array.from({ length: negatives }, (_, k) => ramps.negativePrice(1 - k / (STEPS - 1))),
    ...Array.from({ length: STEPS }, (_, k) => ramps.price(k / (STEPS - 1))),
    ramps.negativePrice(0.7),
  ];
  const place = (value: number): number => {
    if (value < 0) {
      return negatives > 0 ? step((value - range.low) / -range.low) : STEPS;
    }
    return negatives + (top > from ? step((value - from) / (top - from)) : Math.floor(STEPS / 2));
  };
  return scale("price", range, palette, place);
}

/** Diverging scale of changes, centred on zero. */
export function changeScale(range: LegendRange, dark: boolean): ColourScale {
  const { change } = dark ? DARK : LIGHT;
  const palette = Array.from({ length: 2 * STEPS + 1 }, (_, k) => change(k / (2 * STEPS)));
  const place = (value: number): number =>
    range.high > 0 ? STEPS + Math.round(STEPS * Math.max(-1, Math.min(1, value / range.high))) : STEPS;
  return scale("change", range, palette, place);
}

/** Diverging scale of voltage magnitudes from the lower to the upper end of the range, with its middle at 1 p.u. */
export function magnitudeScale(range: LegendRange, dark: boolean): ColourScale {
  const { change } = dark ? DARK : LIGHT;
  const palette = Array.from({ length: 2 * STEPS + 1 }, (_, k) => change(k / (2 * STEPS)));
  const place = (value: number): number => {
    const off = value - 1;
    const side = off < 0 ? 1 - range.low : range.high - 1;
    return STEPS + (side > 0 ? Math.round(STEPS * Math.max(-1, Math.min(1, off / side))) : Math.sign(off) * STEPS);
  };
  return scale("magnitude", range, palette, place);
}

/** Sequential scale of amounts at buses or on branches. */
export function amountScale(kind: "amount" | "branch", range: LegendRange, dark: boolean): ColourScale {
  const ramp = (dark ? DARK : LIGHT)[kind];
  const palette = Array.from({ length: STEPS }, (_, k) => ramp(k / (STEPS - 1)));
  const { low, high } = range;
  const place = (value: number): number => (high > low ? step((value - low) / (high - low)) : Math.floor(STEPS / 2));
  return scale(kind, range, palette, place);
}

function scale(
  kind: ScaleKind,
  range: LegendRange,
  palette: readonly string[],
  place: (value: number) => number,
): ColourScale {
  const slack = 1e-9 * Math.max(Math.abs(range.low), Math.abs(range.high));
  return {
    kind,
    range,
    palette,
    place: (value) => (Number.isFinite(value) ? place(value) : -1),
    side: (value) => (value < range.low - slack ? -1 : value > range.high + slack ? 1 : 0),
  };
}

function step(share: number): number {
  return Math.round((STEPS - 1) * Math.max(0, Math.min(1, share)));
}
