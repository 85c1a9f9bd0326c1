import { mercator } from "../view/geometry.ts";

/** A topology as baked by widgets/basemap/bake.mjs: lines as differences of integers, areas by their lines. */
export interface PackedTopology {
  scale: [number, number];
  translate: [number, number];
  arcs: number[][];
  /** Polygons of rings of line numbers; ~k is line k backwards. */
  areas: Record<string, number[][][]>;
  lines: Record<string, number[]>;
}

/** The content of basemap.json. */
export interface PackedBasemap {
  schema: "wattbook-basemap";
  version: number;
  world: PackedTopology;
  states: PackedTopology & { labels: [name: string, lon: number, lat: number, size: number][] };
  places: { names: string; lon: number[]; lat: number[]; thousands: number[] };
}

/** The content of counties.json. */
export interface PackedCounties {
  schema: "wattbook-basemap";
  version: number;
  counties: PackedTopology;
}

/** A line or the rings of an area in the coordinates of the picture (`mercator`), with the bounding box. */
export interface Shape {
  /** x, y pairs. */
  rings: Float64Array[];
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A name on the map. */
export interface PlaceLabel {
  text: string;
  x: number;
  y: number;
  /** Population in thousands; 0 for a state. */
  thousands: number;
  /** Width of a state in the units of the picture; 0 for a place. */
  size: number;
}

/** The background of a network on the map, in drawing order by kind. */
export interface Basemap {
  land: Shape[];
  /** The lines between the outlines of two sources, drawn in the colour of the land to close the gap. */
  seam: Shape[];
  lakes: Shape[];
  rivers: Shape[];
  coasts: Shape[];
  borders: Shape[];
  states: Shape[];
  /** Large places, states, and the other places by descending population, in order of label priority. */
  labels: PlaceLabel[];
}

/** Latitude limit of the picture in Web Mercator. */
const MOST_LATITUDE = 84;
/** A place with at least this population, in thousands, is labelled before its state. */
const LARGE_PLACE = 500;
/** Lines beyond this longitude are edges of the sheet, not coasts. */
const DATE_LINE = 179.95;

/** The shapes of basemap.json. */
export function readBasemap({ world, states, places }: PackedBasemap): Basemap {
  const [earth, union] = [new Topology(world), new Topology(states)];
  const names = places.names.split("|");
  const large = places.thousands.findIndex((thousands) => thousands < LARGE_PLACE);
  const stateLabels = states.labels.map(([text, lon, lat, size]) => {
    const [x, y] = mercator([lon / 100, lat / 100]);
    return { text, x, y, thousands: 0, size: size / 100 };
  });
  const placeLabels = names.map((text, k) => {
    const [x, y] = mercator([(places.lon[k] ?? NaN) / 100, (places.lat[k] ?? NaN) / 100]);
    return { text, x, y, thousands: places.thousands[k] ?? 0, size: 0 };
  });
  return {
    land: [...earth.areas("land"), ...union.areas("land")],
    seam: earth.lines("seam"),
    lakes: earth.areas("lakes"),
    rivers: earth.lines("rivers"),
    coasts: [...earth.lines("coasts"), ...union.lines("coasts")],
    borders: earth.lines("borders"),
    states: [...earth.lines("states"), ...union.lines("states")],
    labels: [...placeLabels.slice(0, large), ...stateLabels, ...placeLabels.slice(large)],
  };
}

/** The shapes of counties.json. */
export function readCounties({ counties }: PackedCounties): Shape[] {
  return new Topology(counties).lines("counties");
}

class Topology {
  readonly #packed: PackedTopology;
  readonly #arcs: Float64Array[];

  constructor(packed: PackedTopology) {
    this.#packed = packed;
    const { scale, translate } = packed;
    this.#arcs = packed.arcs.map((steps) => {
      const points = new Float64Array(steps.length);
      let [x, y] = [0, 0];
      for (let k = 0; k < steps.length; k += 2) {
        x += steps[k] ?? 0;
        y += steps[k + 1] ?? 0;
        const lat = y * scale[1] + translate[1];
        const [px, py] = mercator([x * scale[0] + translate[0], clamped(lat)]);
        points[k] = px;
        points[k + 1] = py;
      }
      return points;
    });
  }

  areas(name: string): Shape[] {
    return (this.#packed.areas[name] ?? []).flatMap((rings) => acrossDateLine(rings.map((ring) => this.#ring(ring))));
  }

  lines(name: string): Shape[] {
    const lines = (this.#packed.lines[name] ?? []).map((arc) => this.#arcs[arc] ?? new Float64Array());
    return lines.flatMap(withoutDateLine).map((points) => shape([points]));
  }

  #ring(arcs: number[]): Float64Array {
    const parts = arcs.map((arc) => {
      const points = this.#arcs[arc < 0 ? ~arc : arc] ?? new Float64Array();
      return arc < 0 ? reversed(points) : points;
    });
    const ring = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      ring.set(part, at);
      at += part.length;
    }
    return ring;
  }
}

function clamped(lat: number): number {
  return Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, lat));
}

function reversed(points: Float64Array): Float64Array {
  const back = new Float64Array(points.length);
  for (let k = 0; k < points.length; k += 2) {
    back[k] = points[points.length - 2 - k] ?? NaN;
    back[k + 1] = points[points.length - 1 - k] ?? NaN;
  }
  return back;
}

/** Splits a line, removing the stretches along the date line and the edges of the sheet and the jumps across it. */
function withoutDateLine(points: Float64Array): Float64Array[] {
  const parts: number[][] = [[]];
  const edge = (k: number): boolean => Math.abs(points[k] ?? 0) > DATE_LINE;
  for (let k = 0; k < points.length; k += 2) {
    if (k > 0 && ((edge(k) && edge(k - 2)) || leap(points, k) !== 0)) {
      parts.push([]);
    }
    parts.at(-1)?.push(points[k] ?? NaN, points[k + 1] ?? NaN);
  }
  return parts.filter((part) => part.length > 2).map((part) => Float64Array.from(part));
}

/** How a line crosses the date line at the k-th number: -1 to the east, 1 to the west, 0 not at all. */
function leap(points: Float64Array, k: number): number {
  const way = (points[k] ?? NaN) - (points[k - 2] ?? NaN);
  return Math.abs(way) > 180 ? Math.sign(way) : 0;
}

/** An area, or both of its parts where it crosses the date line, each ending at one edge of the sheet. */
function acrossDateLine(rings: Float64Array[]): Shape[] {
  const [outer = new Float64Array()] = rings;
  const whole = unrolled(outer);
  if (whole === null) {
    return [shape(rings)];
  }
  const { x0, x1 } = shape([whole]);
  const others = rings.slice(1).map((ring) => {
    const own = unrolled(ring) ?? ring;
    const x = own[0] ?? NaN;
    return moved(own, x < x0 ? 360 : x > x1 ? -360 : 0);
  });
  const other = x1 > 180 ? -360 : 360;
  return [0, other].map((by) => shape([whole, ...others].map((ring) => moved(ring, by).map(ontoSheet))));
}

/**
 * A ring across the date line, continued beyond it; null for a ring that does not cross it, or that goes around a pole.
 */
function unrolled(ring: Float64Array): Float64Array | null {
  const points = ring.slice();
  let [turns, leaps] = [0, 0];
  for (let k = 2; k < ring.length; k += 2) {
    const step = leap(ring, k);
    turns -= step;
    leaps += Math.abs(step);
    points[k] = (ring[k] ?? NaN) + 360 * turns;
  }
  return leaps === 0 || turns !== 0 ? null : points;
}

/** The coordinate clamped to the sheet; the parity of `k` distinguishes x and y. */
function ontoSheet(value: number, k: number): number {
  return k % 2 === 0 ? Math.max(-180, Math.min(180, value)) : value;
}

function moved(ring: Float64Array, by: number): Float64Array {
  return by === 0 ? ring : ring.map((value, k) => (k % 2 === 0 ? value + by : value));
}

function shape(rings: Float64Array[]): Shape {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const ring of rings) {
    for (let k = 0; k < ring.length; k += 2) {
      const [x, y] = [ring[k] ?? NaN, ring[k + 1] ?? NaN];
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y);
    }
  }
  return { rings, ...box };
}
