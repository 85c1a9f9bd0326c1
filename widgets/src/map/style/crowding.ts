import Flatbush from "flatbush";
import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { busRadius } from "../picture/busMarks.ts";

/** A mark of a crowd shrinks to this part of its size at most. */
const LEAST = 0.42;
/** Marks have room where the mean distance to their neighbours is this many radii. */
const ROOM = 2.6;
/** Neighbours whose distance counts. */
const NEIGHBOURS = 4;
/** As many of the lowest and of the highest values keep the size of their marks. */
const EXTREMES = 6;

/**
 * Factors of the sizes of marks: in a crowd, where neighbours would cover each other at the present zoom, marks shrink; the lowest and
 * the highest values stay as large as they are, so that they are seen from afar.
 */
export class Crowding {
  #geometry: Geometry | null = null;
  /** Distance to the neighbours of every bus, in units of the picture's world. */
  #spacing: Float64Array = new Float64Array();
  #key: readonly unknown[] = [];
  #sizes = new Float32Array();

  /** The sizes of a frame; the same array while nothing of it has changed. `others` is the factor of all but the `kept`. */
  sizes(base: Float32Array, geometry: Geometry, camera: Camera, kept: ReadonlySet<number>, others = 1): Float32Array {
    if (geometry !== this.#geometry) {
      this.#geometry = geometry;
      this.#spacing = spacing(geometry);
    }
    const radius = busRadius({ camera, geometry });
    // In steps: a zoom changes sizes seldom, and what holds them in memory is seldom made anew.
    const step = Math.round(8 * Math.log2(camera.scale / radius));
    const key = [base, geometry, step, kept, others];
    if (key.some((part, k) => part !== this.#key[k])) {
      this.#key = key;
      const pixels = 2 ** (step / 8);
      this.#sizes = base.map((size, row) => {
        if (kept.has(row)) {
          return size * 1.15;
        }
        const room = ((this.#spacing[row] ?? NaN) * pixels) / ROOM;
        return others * (Number.isFinite(room) ? size * Math.min(1, Math.max(LEAST, room)) : size);
      });
    }
    return this.#sizes;
  }
}

/** Rows of the lowest and the highest values. */
export function extremes(values: Float64Array, count = EXTREMES): ReadonlySet<number> {
  const low: number[] = [];
  const high: number[] = [];
  const at = (row: number): number => values[row] ?? NaN;
  values.forEach((value, row) => {
    if (Number.isFinite(value)) {
      keep(low, row, count, (a, b) => at(a) - at(b));
      keep(high, row, count, (a, b) => at(b) - at(a));
    }
  });
  return new Set([...low, ...high]);
}

/** Adds a row to a short sorted list where it belongs among the first. */
function keep(list: number[], row: number, count: number, order: (a: number, b: number) => number): void {
  const last = list[count - 1];
  if (last !== undefined && order(row, last) >= 0) {
    return;
  }
  let at = list.length;
  while (at > 0 && order(row, list[at - 1] as number) < 0) {
    at -= 1;
  }
  list.splice(at, 0, row);
  list.length = Math.min(list.length, count);
}

/** Mean distance of every bus to its nearest neighbours; NaN where there is none. */
export function spacing({ busX, busY }: Geometry): Float64Array {
  const rows = [...busX.keys()].filter((row) => Number.isFinite(busX[row]) && Number.isFinite(busY[row]));
  const found = new Float64Array(busX.length).fill(NaN);
  if (rows.length < 2) {
    return found;
  }
  const index = new Flatbush(rows.length);
  for (const row of rows) {
    index.add(busX[row] ?? 0, busY[row] ?? 0);
  }
  index.finish();
  for (const row of rows) {
    const [x, y] = [busX[row] ?? 0, busY[row] ?? 0];
    const near = index.neighbors(x, y, NEIGHBOURS + 1).map((k) => rows[k] ?? row);
    const distances = near.map((other) => Math.hypot((busX[other] ?? 0) - x, (busY[other] ?? 0) - y));
    found[row] = distances.reduce((sum, distance) => sum + distance, 0) / Math.max(1, near.length - 1);
  }
  return found;
}
