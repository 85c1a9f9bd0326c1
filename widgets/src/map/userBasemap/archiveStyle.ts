import type { LayerSpecification, StyleSpecification } from "@service/widgets/maplibre";
import type { Theme } from "../../ui/theme.ts";
import { mixed } from "../ground/groundStyle.ts";

/** The source of tiles and its range of zooms. */
interface Tiles {
  readonly tiles: string;
  readonly minzoom?: number;
  readonly maxzoom?: number;
}

const SOURCE = "tiles";
/** Size of a raster tile, pixels, on most servers. */
const TILE_SIZE = 256;

/**
 * Kinds of vector tile layers by their names in the schemas of OpenMapTiles, Protomaps, Shortbread and Natural Earth.
 */
const WATER = /water|ocean|sea$|lake|river|stream/i;
const LAND = /^(earth|land|country|countries|.*_land)$/i;
const AREAS = /landuse|landcover|park|urban|building|site|land_/i;
const BORDERS = /bound|border|admin|state|county|coast/i;

/** The style of raster tiles. */
export function rasterStyle({ tiles, ...zooms }: Tiles): StyleSpecification {
  return {
    version: 8,
    sources: { [SOURCE]: { type: "raster", tiles: [tiles], tileSize: TILE_SIZE, ...zooms } },
    layers: [{ id: SOURCE, type: "raster", source: SOURCE }],
  };
}

/** A style in the colours of a theme for vector tiles without one: areas, then lines, without labels. */
export function vectorStyle(
  { tiles, metadata, ...zooms }: Tiles & { metadata: Readonly<Record<string, unknown>> },
  theme: Theme,
): StyleSpecification {
  const names = layerNames(metadata);
  return {
    version: 8,
    sources: { [SOURCE]: { type: "vector", tiles: [tiles], ...zooms } },
    layers: [
      {
        id: "background",
        type: "background",
        paint: { "background-color": names.some(isLand) ? theme.water : theme.land },
      },
      ...names.toSorted((a, b) => Number(isLand(b)) - Number(isLand(a))).map((name) => areas(name, theme)),
      ...names.map((name) => lines(name, theme)),
    ],
  };
}

function isLand(name: string): boolean {
  return LAND.test(name);
}

function layerNames(metadata: Readonly<Record<string, unknown>>): string[] {
  const listed: unknown = metadata["vector_layers"];
  const layers = Array.isArray(listed) ? (listed as unknown[]) : [];
  return layers.flatMap((layer) => {
    const { id } = (layer ?? {}) as { id?: unknown };
    return typeof id === "string" ? [id] : [];
  });
}

function areas(name: string, { land, water, muted }: Theme): LayerSpecification {
  const colour = WATER.test(name) ? water : isLand(name) ? land : AREAS.test(name) ? mixed(land, muted, 0.11) : null;
  return {
    id: `${name} areas`,
    type: "fill",
    source: SOURCE,
    "source-layer": name,
    filter: ["==", ["geometry-type"], "Polygon"],
    paint: { "fill-color": colour ?? land, "fill-opacity": colour === null ? 0 : 1 },
  };
}

function lines(name: string, { land, water, border, muted }: Theme): LayerSpecification {
  const colour = WATER.test(name) ? water : BORDERS.test(name) ? border : mixed(land, muted, 0.3);
  return {
    id: `${name} lines`,
    type: "line",
    source: SOURCE,
    "source-layer": name,
    filter: ["==", ["geometry-type"], "LineString"],
    paint: { "line-color": colour, "line-width": 0.9 },
  };
}
