import { DEFAULT_COLOUR_MAP, isColourMap } from "../colour/colourMaps.ts";

/** Where the range of the colours of the buses comes from. */
export const RANGES = ["auto", "quantile", "fixed"] as const;
/** What the width of a line stands for. */
export const WIDTHS = ["class", "rating", "kv"] as const;
/** How the values of the buses are drawn: a mark at each, or a smooth field between them. */
export const SURFACES = ["dots", "contour"] as const;
/** What the colour of the symbols of generators stands for; `none` shows no symbols. */
export const GENERATOR_COLOURS = ["none", "fuel", "cost"] as const;

/** How a map is drawn, whatever it shows. Names are those of `study.map()`. */
export interface MapStyle {
  readonly cmap: string;
  readonly range: (typeof RANGES)[number];
  /** Ends of a fixed range, in the unit of the quantity; null for the end that the values have. */
  readonly vmin: number | null;
  readonly vmax: number | null;
  /** Whether the present range stays, whatever the state. */
  readonly locked: boolean;
  readonly log: boolean;
  readonly surface: (typeof SURFACES)[number];
  readonly width: (typeof WIDTHS)[number];
  /** Factors of the sizes of buses and lines. */
  readonly busSize: number;
  readonly lineSize: number;
  readonly generators: (typeof GENERATOR_COLOURS)[number];
  /** The voltage levels, areas and zones that are drawn; null for all. */
  readonly levels: readonly number[] | null;
  readonly areas: readonly number[] | null;
  readonly zones: readonly number[] | null;
}

/** How maps are drawn unless somebody chooses otherwise. */
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

/** Limits of the factors of sizes. */
export const SIZES = { least: 0.25, most: 4 } as const;

/** A style from elsewhere, from Python or a file: what it does not say, or says wrongly, is as usual. */
export function styleOf(given: unknown): MapStyle {
  const from = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const number = (value: unknown): number | null =>
    typeof value === "number" && Number.isFinite(value) ? value : null;
  const list = (value: unknown): readonly number[] | null =>
    Array.isArray(value) && value.length > 0 && value.every((one) => number(one) !== null) ? (value as number[]) : null;
  const oneOf = <T extends string>(all: readonly T[], value: unknown, usual: T): T =>
    all.find((one) => one === value) ?? usual;
  const factor = (value: unknown): number => Math.min(SIZES.most, Math.max(SIZES.least, number(value) ?? 1));
  const [vmin, vmax] = [number(from["vmin"]), number(from["vmax"])];
  const usual = vmin === null && vmax === null ? "auto" : "fixed";
  return {
    cmap: isColourMap(from["cmap"]) ? from["cmap"] : DEFAULT_STYLE.cmap,
    range: oneOf(RANGES, from["range"], usual),
    vmin,
    vmax,
    locked: from["locked"] === true,
    log: from["log"] === true,
    surface: oneOf(SURFACES, from["surface"], DEFAULT_STYLE.surface),
    width: oneOf(WIDTHS, from["width"], DEFAULT_STYLE.width),
    busSize: factor(from["busSize"]),
    lineSize: factor(from["lineSize"]),
    generators: oneOf(GENERATOR_COLOURS, from["generators"], DEFAULT_STYLE.generators),
    levels: list(from["levels"]),
    areas: list(from["areas"]),
    zones: list(from["zones"]),
  };
}
