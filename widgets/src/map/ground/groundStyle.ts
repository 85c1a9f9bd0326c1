import type { LayerSpecification, StyleSpecification } from "@service/widgets/maplibre";
import { plainColour, rgbaOf } from "../../ui/cssColour.ts";
import type { Theme } from "../../ui/theme.ts";
import { SCALES } from "../basemap/basemapStyle.ts";

/** Zooms with tiles in the baked archive (widgets/basemap/tiles.mjs). */
const ZOOMS = { world: { minzoom: 0, maxzoom: 5 }, us: { minzoom: 4, maxzoom: 7 } };
/** West, south, east, north, degrees. */
export type Box = [number, number, number, number];
/** Where the finer map reaches. */
const BOX: Box = [-130, 14, -60, 54];
/** Smallest zooms at which the named layers are shown; all others have those of the plain picture. */
const FROM = { urban: 5, interstate: 5, major: 6, secondary: 7, road: 7.6, rail: 7 };

/** MapLibre's zoom, at which the world is 512 pixels wide at zoom 0, for a scale in pixels per degree. */
export function zoomOf(scale: number): number {
  return Math.log2((360 * scale) / 512);
}

/** An extract of the baked archive: its tiles up to a zoom, and the others within a box; null where it has none. */
export interface TileExtract {
  zoom: number;
  box: Box | null;
}

/** The style of the baked basemap, or of an extract of it, in the colours of a theme; `tiles` is the address of its tiles. */
export function ownStyle(theme: Theme, tiles: string, extract: TileExtract | null = null): StyleSpecification {
  const last = extract?.zoom ?? Infinity;
  const finest = extract?.box === null ? last : ZOOMS.us.maxzoom;
  return {
    version: 8,
    sources: {
      world: { type: "vector", tiles: [tiles], ...ZOOMS.world, maxzoom: Math.min(last, ZOOMS.world.maxzoom) },
      us: { type: "vector", tiles: [tiles], bounds: extract?.box ?? BOX, ...ZOOMS.us, maxzoom: finest },
    },
    layers: [{ id: "water", type: "background", paint: { "background-color": theme.water } }, ...layers(theme)],
  };
}

function layers({ land, water, border, county, muted }: Theme): LayerSpecification[] {
  const faint = mixed(land, muted, 0.24);
  const urban = mixed(land, muted, 0.11);
  const states = zoomOf(SCALES.states);
  const rivers = zoomOf(SCALES.rivers);
  return [
    area("world", "land", land),
    area("world", "lake", water),
    line("world", "river", water, [4.8, 0.8, 1.6], rivers),
    line("world", "state", border, [4.8, 0.7, 1.1], states),
    line("world", "coast", border, [4.8, 0.7, 0.7]),
    line("world", "border", border, [4.8, 1.1, 1.1]),
    area("us", "us_sea", water, ZOOMS.us.minzoom),
    area("us", "us_land", land, ZOOMS.us.minzoom),
    area("us", "us_urban", urban, FROM.urban),
    area("us", "us_lake", water, ZOOMS.us.minzoom),
    line("us", "us_river", water, [6, 0.9, 1.8], ZOOMS.us.minzoom),
    line("us", "us_county", county, [6, 0.7, 0.7], zoomOf(SCALES.counties)),
    line("us", "us_rail", faint, [8, 0.6, 1.1], FROM.rail, [5, 2.5]),
    ...(["road", "secondary", "major", "interstate"] as const).map((kind, k) =>
      road(kind, k < 2 ? faint : mixed(land, muted, 0.36), 0.5 + 0.25 * k),
    ),
    line("us", "us_state", border, [6, 0.9, 1.2], ZOOMS.us.minzoom),
    line("us", "us_coast", border, [6, 0.7, 0.7], ZOOMS.us.minzoom),
    line("us", "us_border", border, [6, 1.1, 1.1], ZOOMS.us.minzoom),
  ];
}

function area(source: string, name: string, colour: string, minzoom = 0): LayerSpecification {
  return {
    id: name,
    type: "fill",
    source,
    "source-layer": name,
    minzoom,
    paint: { "fill-color": colour, "fill-antialias": name !== "us_sea" && name !== "land" },
  };
}

/** A line layer: its width up to a zoom, and two zooms later. */
function line(
  source: string,
  name: string,
  colour: string,
  [zoom, narrow, wide]: readonly [number, number, number],
  minzoom = 0,
  dashes?: [number, number],
): LayerSpecification {
  const width = narrow === wide ? wide : ["interpolate", ["linear"], ["zoom"], zoom, narrow, zoom + 2, wide];
  return {
    id: name,
    type: "line",
    source,
    "source-layer": name,
    minzoom: Math.max(0, minzoom),
    layout: { "line-join": "round", "line-cap": dashes === undefined ? "round" : "butt" },
    paint: { "line-color": colour, "line-width": width, ...(dashes === undefined ? {} : { "line-dasharray": dashes }) },
  } as LayerSpecification;
}

function road(kind: "road" | "secondary" | "major" | "interstate", colour: string, width: number): LayerSpecification {
  return {
    ...line("us", "us_road", colour, [FROM[kind], width, 1.8 * width], FROM[kind]),
    id: `us_${kind}`,
    filter: ["==", ["get", "class"], kind],
  } as LayerSpecification;
}

/** A colour between two, at the fraction `part`. */
export function mixed(from: string, to: string, part: number): string {
  const [a, b] = [rgbaOf(from), rgbaOf(to)];
  const bytes = [0, 1, 2].map((k) => Math.round(255 * ((a[k] ?? 0) * (1 - part) + (b[k] ?? 0) * part)));
  return plainColour(`rgb(${bytes.join(" ")})`);
}
