import {
  EARTH_RADIUS_KM,
  type IngestedDistribution,
  type IngestedNetwork,
  type Network,
  SUBSTATION_KM,
} from "@service/engine";
import type { NetworkGraph } from "../cases/networkGraph.ts";

/** A point: longitude and latitude on the map, x and y upwards in a drawing. */
export type Point = readonly [number, number];

/** Positions of a network by dense row; NaN for buses without one. */
export interface Positions {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Routes of branches by dense row; a branch without one is drawn straight from bus to bus. */
  readonly routes: ReadonlyMap<number, readonly Point[]>;
}

/** Longitudes and latitudes of a network; null without any. Drawing coordinates are never used as such. */
export function mapPositions(network: IngestedNetwork, graph: NetworkGraph): Positions | null {
  if (network.model === "multiconductor") {
    return network.coords_space === "geographic" ? graphPositions(network) : null;
  }
  return network.view === null ? null : viewPositions(network.view, graph);
}

/** Coordinates of a multiconductor network that are not geographic; null for every other network. */
export function ownDrawing(network: IngestedNetwork): Positions | null {
  const drawn = network.model === "multiconductor" && !["geographic", "none"].includes(network.coords_space);
  return drawn ? graphPositions(network) : null;
}

/** Whether the ends of a branch, in longitude and latitude, are in one substation. */
export function isWithinSubstation({ x, y }: Positions, graph: NetworkGraph, branch: number): boolean {
  const [from, to] = [graph.fromRow[branch] ?? -1, graph.toRow[branch] ?? -1];
  const [lonA, latA, lonB, latB] = [x[from], y[from], x[to], y[to]].map(
    (degrees = NaN) => (degrees * Math.PI) / 180,
  ) as [number, number, number, number];
  const half = Math.sin((latB - latA) / 2) ** 2 + Math.cos(latA) * Math.cos(latB) * Math.sin((lonB - lonA) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(half)) <= SUBSTATION_KM;
}

/** A layout as positions: `flat` holds x and y by bus of the module, star points go between their neighbours. */
export function layoutPositions(flat: ArrayLike<number>, graph: NetworkGraph): Positions {
  const { x, y } = noPositions(graph.busCount);
  for (let row = 0; row < graph.moduleBuses; row += 1) {
    x[row] = flat[2 * row] ?? NaN;
    y[row] = flat[2 * row + 1] ?? NaN;
  }
  placeStarPoints(x, y, graph);
  return { x, y, routes: new Map() };
}

/** Coordinates of `buses` buses, all unknown. */
export function noPositions(buses: number): { x: Float64Array; y: Float64Array } {
  return { x: new Float64Array(buses).fill(NaN), y: new Float64Array(buses).fill(NaN) };
}

/** Places star points without a position at the centre of the buses they connect. */
export function placeStarPoints(x: Float64Array, y: Float64Array, graph: NetworkGraph): void {
  const { moduleBuses, busCount, fromRow, toRow } = graph;
  const sums = Array.from({ length: busCount - moduleBuses }, () => ({ x: 0, y: 0, count: 0 }));
  fromRow.forEach((from, branch) => {
    const to = toRow[branch] ?? -1;
    for (const [star, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const sum = sums[star - moduleBuses];
      if (sum !== undefined && other < moduleBuses && Number.isFinite(x[other])) {
        sum.x += x[other] ?? 0;
        sum.y += y[other] ?? 0;
        sum.count += 1;
      }
    }
  });
  sums.forEach((sum, k) => {
    const row = moduleBuses + k;
    if (sum.count > 0 && Number.isNaN(x[row])) {
      x[row] = sum.x / sum.count;
      y[row] = sum.y / sum.count;
    }
  });
}

function viewPositions(view: Network, graph: NetworkGraph): Positions {
  const { x, y } = noPositions(graph.busCount);
  for (const bus of view.buses) {
    const row = graph.busKeyRow(bus.id);
    x[row] = bus.lon;
    y[row] = bus.lat;
  }
  const routes = new Map<number, readonly Point[]>();
  for (const branch of view.branches) {
    if (branch.path !== undefined) {
      routes.set(graph.branchKeyRow(branch.id), branch.path);
    }
  }
  return { x, y, routes };
}

function graphPositions({ graph }: IngestedDistribution): Positions | null {
  const x = Float64Array.from(graph.buses, (bus) => bus.xy?.[0] ?? NaN);
  const y = Float64Array.from(graph.buses, (bus) => bus.xy?.[1] ?? NaN);
  const routes = new Map<number, readonly Point[]>();
  graph.edges.forEach(({ path }, row) => {
    if (path !== undefined) {
      routes.set(row, path);
    }
  });
  return x.some(Number.isFinite) ? { x, y, routes } : null;
}
