// What distinguishes the four grids: footprint, size, voltages, fleet, and where they are congested.
import { distanceKm, type LonLat } from "./numerics/geometry.ts";

/** A box of longitudes and latitudes, or a circle; these distinguish places and generators. */
export type Region =
  | { lon?: readonly [west: number, east: number]; lat?: readonly [south: number, north: number] }
  | { centre: LonLat; km: number };

/** Whether a point lies in a region. */
export function within(region: Region, at: LonLat): boolean {
  if ("centre" in region) return distanceKm(region.centre, at) <= region.km;
  const between = (range: readonly [number, number] | undefined, v: number) =>
    !range || (v >= range[0] && v <= range[1]);
  return between(region.lon, at[0]) && between(region.lat, at[1]);
}

export type Technology = "gas" | "coal" | "nuclear" | "wind" | "solar" | "hydro";

/** Part of the generating capacity: of one technology, in one region. */
export interface FleetPart {
  technology: Technology;
  /** Fraction of the grid's capacity. */
  share: number;
  /** Where its plants stand; everywhere when absent. */
  region?: Region;
}

/** Lines between a region and the rest, some of which the grid's character wants to bind. */
export interface Cut {
  region: Region;
  /** How many of these lines may bind. */
  lines: number;
  /** Only lines of at least this voltage; all when absent. */
  fromKv?: number;
}

/** One grid. */
export interface GridSpec {
  id: string;
  name: string;
  description: string;
  /** Two letters and name of the state whose footprint it has. */
  state: string;
  stateName: string;
  /** Origin of its plane. */
  origin: LonLat;
  /** Buses it has, and substations aimed at. */
  buses: number;
  substations: number;
  /** Radius of the first turn of the spirals on which a place's substations lie, and distance under which two are one, km. */
  spiralKm: number;
  mergeKm: number;
  /** Demand of a person, kW. */
  kwPerPerson: number;
  /** Nominal voltages from low to high, kV. */
  levels: readonly number[];
  areas: number;
  /** Capacity over demand. */
  capacity: number;
  fleet: readonly FleetPart[];
  /** Three-winding transformers and phase-shifting transformers. */
  threeWinding: number;
  shifters: number;
  cuts: readonly Cut[];
  /** Binding lines aimed at, those of the cuts included. */
  binding: number;
}

export const GRIDS: readonly GridSpec[] = [
  {
    id: "carolina",
    name: "Carolina 500, synthetic",
    description: "Synthetic 500-bus grid on the footprint of South Carolina; a corridor to the coast is congested.",
    state: "SC",
    stateName: "South Carolina",
    origin: [-80.9, 33.9],
    buses: 500,
    substations: 245,
    spiralKm: 2.6,
    mergeKm: 4,
    kwPerPerson: 1.4,
    levels: [115, 230],
    areas: 4,
    capacity: 1.42,
    fleet: [
      { technology: "gas", share: 0.3, region: { lon: [-84, -81] } },
      { technology: "gas", share: 0.2, region: { lon: [-81, -78] } },
      { technology: "coal", share: 0.13, region: { lon: [-84, -80.4] } },
      { technology: "nuclear", share: 0.16, region: { lon: [-84, -80.6], lat: [34.1, 36] } },
      { technology: "hydro", share: 0.11, region: { lat: [34, 36] } },
      { technology: "solar", share: 0.1, region: { lat: [32, 33.9] } },
    ],
    threeWinding: 0,
    shifters: 0,
    cuts: [
      { region: { centre: [-79.95, 32.85], km: 60 }, lines: 3 },
      { region: { centre: [-78.95, 33.7], km: 50 }, lines: 2 },
    ],
    binding: 7,
  },
  {
    id: "illinois",
    name: "Illinois 1500, synthetic",
    description:
      "Synthetic 1,500-bus grid on the footprint of Illinois; Chicago is a load pocket with little generation of its own.",
    state: "IL",
    stateName: "Illinois",
    origin: [-89, 40],
    buses: 1500,
    substations: 735,
    spiralKm: 1.7,
    mergeKm: 3,
    kwPerPerson: 1,
    levels: [138, 345],
    areas: 6,
    capacity: 1.42,
    fleet: [
      { technology: "gas", share: 0.12, region: { centre: [-87.8, 41.85], km: 70 } },
      { technology: "gas", share: 0.34, region: { lat: [37, 41.4] } },
      { technology: "coal", share: 0.14, region: { lat: [36.5, 39.9] } },
      { technology: "nuclear", share: 0.2, region: { lat: [39.9, 41.6] } },
      { technology: "wind", share: 0.16, region: { lon: [-92, -88.3], lat: [39.7, 41.7] } },
      { technology: "solar", share: 0.04, region: { lat: [37, 39.6] } },
    ],
    threeWinding: 0,
    shifters: 0,
    cuts: [
      { region: { centre: [-87.8, 41.85], km: 55 }, lines: 6, fromKv: 300 },
      { region: { lat: [36, 39.4] }, lines: 2 },
    ],
    binding: 10,
  },
  {
    id: "texas",
    name: "Texas 6700, synthetic",
    description: "Synthetic 6,700-bus grid on the footprint of Texas; wind in the west, demand in the east.",
    state: "TX",
    stateName: "Texas",
    origin: [-98.5, 31.2],
    buses: 6700,
    substations: 3200,
    spiralKm: 1.7,
    mergeKm: 2.5,
    kwPerPerson: 1.9,
    levels: [138, 345],
    areas: 8,
    capacity: 1.38,
    fleet: [
      { technology: "gas", share: 0.46, region: { lon: [-99, -93] } },
      { technology: "gas", share: 0.05, region: { lon: [-107, -99] } },
      { technology: "coal", share: 0.12, region: { lon: [-98.5, -93] } },
      { technology: "nuclear", share: 0.07, region: { lon: [-98.5, -95.5] } },
      { technology: "wind", share: 0.2, region: { lon: [-104, -99.3], lat: [31, 36.6] } },
      { technology: "wind", share: 0.02, region: { lon: [-99, -96.5], lat: [25.5, 28] } },
      { technology: "solar", share: 0.07, region: { lon: [-107, -100], lat: [29, 32.5] } },
      { technology: "hydro", share: 0.01, region: { lon: [-100, -97], lat: [29.5, 31.5] } },
    ],
    threeWinding: 40,
    shifters: 0,
    cuts: [
      { region: { lon: [-107, -99.1] }, lines: 9, fromKv: 300 },
      { region: { lon: [-107, -101.3] }, lines: 2 },
      { region: { centre: [-95.4, 29.76], km: 60 }, lines: 3, fromKv: 300 },
    ],
    binding: 16,
  },
  {
    id: "california",
    name: "California 8500, synthetic",
    description:
      "Synthetic 8,500-bus test system on the footprint of California; 500 kV from north to south, solar in the valley and the desert, stiff short urban lines.",
    state: "CA",
    stateName: "California",
    origin: [-119.5, 36.8],
    buses: 8500,
    substations: 4050,
    spiralKm: 1.35,
    mergeKm: 1.9,
    kwPerPerson: 1.15,
    levels: [115, 230, 500],
    areas: 9,
    capacity: 1.4,
    fleet: [
      { technology: "gas", share: 0.25, region: { lat: [35, 42] } },
      { technology: "gas", share: 0.27, region: { lat: [32, 35] } },
      { technology: "nuclear", share: 0.04, region: { lat: [34.5, 36.5], lon: [-122, -119] } },
      { technology: "hydro", share: 0.16, region: { lat: [38.2, 42] } },
      { technology: "hydro", share: 0.04, region: { lat: [36, 38.2], lon: [-120.4, -118] } },
      { technology: "solar", share: 0.09, region: { lat: [35, 37.5], lon: [-121, -118.5] } },
      { technology: "solar", share: 0.08, region: { lat: [32.5, 35.4], lon: [-118.2, -114] } },
      { technology: "wind", share: 0.04, region: { centre: [-118.4, 35.1], km: 60 } },
      { technology: "wind", share: 0.015, region: { centre: [-121.8, 38.1], km: 40 } },
      { technology: "wind", share: 0.015, region: { centre: [-116.6, 33.9], km: 40 } },
    ],
    threeWinding: 0,
    shifters: 6,
    cuts: [
      { region: { lat: [38.3, 42] }, lines: 3, fromKv: 200 },
      { region: { lat: [35.2, 42] }, lines: 4, fromKv: 200 },
      { region: { centre: [-122.2, 37.7], km: 50 }, lines: 3, fromKv: 200 },
      { region: { centre: [-117.1, 32.8], km: 60 }, lines: 2, fromKv: 200 },
    ],
    binding: 18,
  },
];

/** The grid of an id. */
export function gridSpec(id: string): GridSpec {
  const spec = GRIDS.find((grid) => grid.id === id);
  if (!spec) throw new Error(`There is no grid ${id}; there are ${GRIDS.map((grid) => grid.id).join(", ")}.`);
  return spec;
}
