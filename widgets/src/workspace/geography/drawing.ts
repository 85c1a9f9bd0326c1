import type { Display, GeoDrawing } from "@service/engine";
import type { NetworkGraph } from "../cases/networkGraph.ts";
import { noPositions, placeStarPoints, type Point, type Positions } from "./positions.ts";

/** A drawing of a network in its own units, y upwards: for the diagram, never for the map. */
export interface Drawing {
  positions: Positions;
  /** Its origin in a phrase after the word drawing: the name of its file, or `of the case file`. */
  source: string;
  /** Buses and branches of the network that the drawing places. */
  buses: number;
  branches: number;
}

/** Buses of one symbol are placed on a ring around it, with this share of the drawing's longer side as its radius. */
const RING_SHARE = 0.012;

/**
 * A one-line drawing matched to a network: buses by number, then by the substation whose name is a prefix of theirs
 * (`ASH` for `ASH 1` and `ASH 138KV`), lines by their two buses in row order. Null when it places no bus of the
 * network.
 */
export function drawingOfDisplay(display: Display, graph: NetworkGraph, source: string): Drawing | null {
  const { x, y } = noPositions(graph.busCount);
  for (const bus of display.buses) {
    const row = graph.busKeyRow(bus.number);
    if (row >= 0) {
      x[row] = bus.x;
      y[row] = bus.y;
    }
  }
  placeBySubstation(display, graph, x, y);
  const buses = x.filter(Number.isFinite).length;
  if (buses === 0) {
    return null;
  }
  spread(x, y, graph);
  placeStarPoints(x, y, graph);
  const routes = routesOf(display, graph);
  return { positions: { x, y, routes }, source, buses, branches: routes.size };
}

/** The coordinates of a geographic layer that are not geographic, as a drawing. */
export function drawingOfLayer(layer: GeoDrawing, graph: NetworkGraph, source: string): Drawing {
  const { x, y } = noPositions(graph.busCount);
  for (const bus of layer.buses) {
    const row = graph.busKeyRow(bus.bus);
    x[row] = bus.x;
    y[row] = bus.y;
  }
  spread(x, y, graph);
  placeStarPoints(x, y, graph);
  const routes = new Map(layer.branches.map(({ branch, points }) => [graph.branchKeyRow(branch), points]));
  return { positions: { x, y, routes }, source, buses: layer.buses.length, branches: routes.size };
}

function placeBySubstation(display: Display, graph: NetworkGraph, x: Float64Array, y: Float64Array): void {
  const named = new Map(
    display.substations.flatMap((place) => (place.name?.trim() ? [[key(place.name), place] as const] : [])),
  );
  for (let row = 0; row < graph.moduleBuses && named.size > 0; row += 1) {
    const words = key(graph.busName(row) ?? "").split(" ");
    // The longest name wins: `NEW SALEM 2` belongs to `NEW SALEM` rather than to `NEW`.
    for (let count = words.length; count > 0 && Number.isNaN(x[row]); count -= 1) {
      const place = named.get(words.slice(0, count).join(" "));
      if (place !== undefined) {
        x[row] = place.x;
        y[row] = place.y;
      }
    }
  }
}

function key(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

/** Spreads buses at one point on a small ring around it, by ascending id, so that each can be seen and clicked. */
function spread(x: Float64Array, y: Float64Array, graph: NetworkGraph): void {
  const groups = new Map<string, number[]>();
  for (let row = 0; row < graph.moduleBuses; row += 1) {
    if (Number.isFinite(x[row])) {
      const place = `${x[row]} ${y[row]}`;
      groups.set(place, [...(groups.get(place) ?? []), row]);
    }
  }
  const radius = RING_SHARE * Math.max(span(x), span(y));
  for (const rows of groups.values()) {
    if (rows.length > 1) {
      rows.sort((a, b) => compareIds(graph.busId(a), graph.busId(b)));
      rows.forEach((row, k) => {
        const angle = (2 * Math.PI * k) / rows.length;
        x[row] = (x[row] ?? 0) + radius * Math.cos(angle);
        y[row] = (y[row] ?? 0) + radius * Math.sin(angle);
      });
    }
  }
}

function span(values: Float64Array): number {
  const finite = values.filter(Number.isFinite);
  return finite.reduce((most, value) => Math.max(most, value), -Infinity) - finite.reduce((a, b) => Math.min(a, b));
}

function compareIds(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1;
}

/** Drawn lines by branch row; lines between the same buses go to the parallel branches in order. */
function routesOf(display: Display, graph: NetworkGraph): Map<number, readonly Point[]> {
  const rows = new Map<string, number[]>();
  graph.fromRow.forEach((from, row) => {
    const pair = pairKey(from, graph.toRow[row] ?? -1);
    rows.set(pair, [...(rows.get(pair) ?? []), row]);
  });
  const routes = new Map<number, readonly Point[]>();
  for (const { from, to, points } of display.branches) {
    const [a, b] = [graph.busKeyRow(from), graph.busKeyRow(to)];
    const row = a < 0 || b < 0 ? undefined : rows.get(pairKey(a, b))?.shift();
    if (row !== undefined && points.length > 1) {
      routes.set(row, graph.fromRow[row] === a ? points : [...points].reverse());
    }
  }
  return routes;
}

function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
