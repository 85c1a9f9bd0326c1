import { interpolateLab, piecewise } from "d3-interpolate";
import {
  interpolateCividis,
  interpolateMagma,
  interpolatePlasma,
  interpolatePurples,
  interpolateRdPu,
  interpolateViridis,
  interpolateYlGnBu,
  interpolateYlOrBr,
} from "d3-scale-chromatic";
import { COLOUR_MAPS, COLOUR_RAMPS } from "@service/engine";
import { trans } from "../../text/index.ts";

/** A CSS colour for a share from 0 to 1. */
export type Ramp = (share: number) => string;

/** Colours from the lowest value to the highest, on a light and a dark ground. */
export interface ColourMap {
  readonly light: Ramp;
  readonly dark: Ramp;
}

/** The ramps of matplotlib and ColorBrewer that the engine's table takes parts of. */
const WHOLE = {
  viridis: interpolateViridis,
  cividis: interpolateCividis,
  plasma: interpolatePlasma,
  magma: interpolateMagma,
  ylgnbu: interpolateYlGnBu,
  rdpu: interpolateRdPu,
  purples: interpolatePurples,
  ylorbr: interpolateYlOrBr,
};

/** A ramp of the engine's table: through some colours, or part of a published ramp. */
type Stops = { readonly through: readonly string[] } | { part: keyof typeof WHOLE; from: number; to: number };

function rampThrough(stops: Stops): Ramp {
  if ("through" in stops) {
    return piecewise(interpolateLab, [...stops.through]);
  }
  const { part, from, to } = stops;
  return (share) => WHOLE[part](from + (to - from) * share);
}

function onBothGrounds<Name extends string>(
  table: Readonly<Record<Name, { light: Stops; dark: Stops }>>,
): Readonly<Record<Name, ColourMap>> {
  const made = Object.entries<{ light: Stops; dark: Stops }>(table).map(([name, { light, dark }]) => [
    name,
    { light: rampThrough(light), dark: rampThrough(dark) },
  ]);
  return Object.fromEntries(made) as Record<Name, ColourMap>;
}

const MAPS: Readonly<Record<string, ColourMap>> = onBothGrounds(COLOUR_MAPS);

/**
 * The colours of negative prices from zero downwards, of changes, and of amounts at buses (`amount`) and on lines
 * (`branch`).
 */
export const OTHER_RAMPS = onBothGrounds(COLOUR_RAMPS);

/** The default colour map of prices. */
export const DEFAULT_COLOUR_MAP = "market";

/** The names, in the order of menus. */
export const COLOUR_MAP_NAMES: readonly string[] = Object.keys(MAPS);

/** Whether a colour map of that name exists. */
export function isColourMap(name: unknown): name is string {
  return typeof name === "string" && COLOUR_MAP_NAMES.includes(name);
}

/** The colours of a map on a ground. */
export function rampOf(name: string, dark: boolean): Ramp {
  const map = MAPS[name] ?? MAPS[DEFAULT_COLOUR_MAP];
  return map === undefined ? () => "" : dark ? map.dark : map.light;
}

/** The display name of a colour map. */
export function colourMapLabel(name: string): string {
  return name === DEFAULT_COLOUR_MAP ? trans.__("Market: blue to red") : name;
}
