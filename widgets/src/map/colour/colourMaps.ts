import { interpolateLab, piecewise } from "d3-interpolate";
import {
  interpolateCividis,
  interpolateMagma,
  interpolatePlasma,
  interpolateViridis,
  interpolateYlGnBu,
} from "d3-scale-chromatic";
import { trans } from "../../text/index.ts";

/** A CSS colour for a share from 0 to 1. */
export type Ramp = (share: number) => string;

/** Colours from the lowest value to the highest, on each ground. */
export interface ColourMap {
  readonly light: Ramp;
  readonly dark: Ramp;
}

/** The part of a ramp that can be told from the ground. */
function part(ramp: Ramp, from: number, to: number): Ramp {
  return (share) => ramp(from + (to - from) * share);
}

/**
 * By name. `market` has one order of hues on every ground, cool for cheap and warm for expensive as market operators draw prices: blue,
 * cyan, gold, orange, red. Blue and yellow differ for all who tell few colours apart, and the warm end falls in lightness. The others
 * are those of matplotlib and ColorBrewer.
 */
const COLOUR_MAPS: Readonly<Record<string, ColourMap>> = {
  market: {
    light: piecewise(interpolateLab, ["#27408f", "#2f77b8", "#5fb0c9", "#d8c65c", "#e8902b", "#cf4428", "#86102f"]),
    dark: piecewise(interpolateLab, ["#5a78e8", "#4a9ee6", "#6fc9dc", "#f0e07c", "#f8a63f", "#f2643f", "#d93b5e"]),
  },
  viridis: { light: part(interpolateViridis, 0, 0.93), dark: part(interpolateViridis, 0.18, 1) },
  cividis: { light: part(interpolateCividis, 0, 0.9), dark: part(interpolateCividis, 0.2, 1) },
  plasma: { light: part(interpolatePlasma, 0, 0.9), dark: part(interpolatePlasma, 0.18, 1) },
  magma: { light: part(interpolateMagma, 0.05, 0.85), dark: part(interpolateMagma, 0.28, 1) },
  ylgnbu: { light: part(interpolateYlGnBu, 0.2, 0.88), dark: (share) => interpolateYlGnBu(0.8 - 0.75 * share) },
};

/** What prices have unless something else is chosen. */
export const DEFAULT_COLOUR_MAP = "market";

/** The names, in the order of menus. */
export const COLOUR_MAP_NAMES: readonly string[] = Object.keys(COLOUR_MAPS);

/** Whether there is a colour map of that name. */
export function isColourMap(name: unknown): name is string {
  return typeof name === "string" && COLOUR_MAP_NAMES.includes(name);
}

/** The colours of a map on a ground. */
export function rampOf(name: string, dark: boolean): Ramp {
  const map = COLOUR_MAPS[name] ?? COLOUR_MAPS[DEFAULT_COLOUR_MAP];
  return map === undefined ? () => "" : dark ? map.dark : map.light;
}

/** The name of a colour map as people read it. */
export function colourMapLabel(name: string): string {
  return name === DEFAULT_COLOUR_MAP ? trans.__("Market: blue to red") : name;
}

/** Hues of kinds that have no order: areas, zones, sources of energy. After the last one they begin again. */
export const CATEGORIES: Readonly<Record<"light" | "dark", readonly string[]>> = {
  light: ["#3b6fb5", "#d9822b", "#3f9a6b", "#b8476b", "#7a5cab", "#8c6a3f", "#2f9fa8", "#a3a02c", "#5a6672", "#cc5fa8"],
  dark: ["#7ba7ea", "#f2ab62", "#6fd09c", "#f0819f", "#b59ae6", "#cfa877", "#69d3da", "#d8d466", "#a9b4bf", "#f29ad4"],
};
