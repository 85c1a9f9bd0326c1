import { MAP_CHOICES, MAP_SIZES } from "@service/engine";
import { DEFAULT_COLOUR_MAP, isColourMap } from "../colour/colourMaps.ts";

type Choice<Keyword extends keyof typeof MAP_CHOICES> = (typeof MAP_CHOICES)[Keyword][number];

/** The style of a map, whatever it shows. Names are those of `study.map()`. */
export interface MapStyle {
  readonly cmap: string;
  readonly range: Choice<"range">;
  /** Ends of a fixed range, in the unit of the quantity; null for an end that follows the values. */
  readonly vmin: number | null;
  readonly vmax: number | null;
  /** Whether the present range is locked in all states. */
  readonly locked: boolean;
  readonly log: boolean;
  readonly surface: Choice<"surface">;
  readonly width: Choice<"width">;
  /** Size factors of buses and lines. */
  readonly busSize: number;
  readonly lineSize: number;
  readonly generators: Choice<"generators">;
  /** The voltage levels, areas and zones to draw; null for all. */
  readonly levels: readonly number[] | null;
  readonly areas: readonly number[] | null;
  readonly zones: readonly number[] | null;
}

/** The default style. */
export const DEFAULT_STYLE: MapStyle = {
  cmap: DEFAULT_COLOUR_MAP,
  range: "auto",
  vmin: null,
  vmax: null,
  locked: false,
  log: false,
  surface: "dots",
  width: "class",
  busSize: 1,
  lineSize: 1,
  generators: "none",
  levels: null,
  areas: null,
  zones: null,
};

/** Parses a style from Python or a file; missing and invalid parts have their defaults. */
export function styleOf(given: unknown): MapStyle {
  const from = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const number = (value: unknown): number | null =>
    typeof value === "number" && Number.isFinite(value) ? value : null;
  const list = (value: unknown): readonly number[] | null =>
    Array.isArray(value) && value.length > 0 && value.every((one) => number(one) !== null) ? (value as number[]) : null;
  const oneOf = <T extends string>(all: readonly T[], value: unknown, usual: T): T =>
    all.find((one) => one === value) ?? usual;
  const factor = (value: unknown): number => Math.min(MAP_SIZES.high, Math.max(MAP_SIZES.low, number(value) ?? 1));
  const [vmin, vmax] = [number(from["vmin"]), number(from["vmax"])];
  const usual = vmin === null && vmax === null ? "auto" : "fixed";
  return {
    cmap: isColourMap(from["cmap"]) ? from["cmap"] : DEFAULT_STYLE.cmap,
    range: oneOf(MAP_CHOICES.range, from["range"], usual),
    vmin,
    vmax,
    locked: from["locked"] === true,
    log: from["log"] === true,
    surface: oneOf(MAP_CHOICES.surface, from["surface"], DEFAULT_STYLE.surface),
    width: oneOf(MAP_CHOICES.width, from["width"], DEFAULT_STYLE.width),
    busSize: factor(from["busSize"]),
    lineSize: factor(from["lineSize"]),
    generators: oneOf(MAP_CHOICES.generators, from["generators"], DEFAULT_STYLE.generators),
    levels: list(from["levels"]),
    areas: list(from["areas"]),
    zones: list(from["zones"]),
  };
}
