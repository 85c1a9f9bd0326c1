import Flatbush from "flatbush";
import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { busRadius } from "../picture/busMarks.ts";

/** Smallest size factor of a mark in a crowd. */
const LEAST = 0.42;
/** Marks have room where the mean distance to their neighbours is this many radii. */
const ROOM = 2.6;
/** Size factor of the exempt marks. */
const LARGE = 1.15;
/** Number of neighbours whose distance counts. */
const NEIGHBOURS = 4;
/** Number of lowest and of highest values whose marks do not shrink. */
const EXTREMES = 6;

/**
 * Size factors of marks. In a crowd, where neighbours would overlap at the present zoom, marks shrink; those of the
 * lowest and the highest values do not, so that they are visible from afar.
 */
export class Crowding {
  #geometry: Geometry | null = null;
  /** Mean distance to the neighbours of every bus, in world units of the picture. */
  #spacing: Float64Array = new Float64Array();
  /** The sizes without exemptions, and their inputs. */
  #crowded: { key: readonly unknown[]; sizes: Float32Array } = { key: [], sizes: new Float32Array() };
  #exempt: ReadonlySet<number> | null = null;
  #sizes = new Float32Array();

  /**
   * The sizes of a frame; the same array while nothing has changed. `others` is the factor of all marks that are not
   * exempt.
   */
  sizes(base: Float32Array, geometry: Geometry, camera: Camera, exempt: ReadonlySet<number>, others = 1): Float32Array {
    if (geometry !== this.#geometry) {
      this.#geometry = geometry;
      this.#spacing = spacing(geometry);
    }
    const radius = busRadius({ camera, geometry });
    // In steps, so that a zoom changes sizes, and the buffers that hold them, only occasionally.
    const step = Math.round(8 * Math.log2(camera.scale / radius));
    const key = [base, geometry, step, others];
    const same = key.every((part, k) => part === this.#crowded.key[k]);
    if (!same) {
      const pixels = 2 ** (step / 8);
      const sizes = base.map((size, row) => {
        const room = ((this.#spacing[row] ?? NaN) * pixels) / ROOM;
        return others * (Number.isFinite(room) ? size * Math.min(1, Math.max(LEAST, room)) : size);
      });
      this.#crowded = { key, sizes };
    }
    // New prices only change the extremes, not the crowd.
    if (!same || exempt !== this.#exempt) {
      this.#exempt = exempt;
      this.#sizes = this.#crowded.sizes.slice();
      for (const row of exempt) {
        this.#sizes[row] = (base[row] ?? NaN) * LARGE;
      }
    }
    return this.#sizes;
  }
}

/** Rows of the lowest and the highest values. */
export function extremes(values: Float64Array, count = EXTREMES): ReadonlySet<number> {
  return new Set([...lowest(values, 1, count), ...lowest(values, -1, count)]);
}

/** Rows of the smallest values, or with the sign -1 of the largest; ties go to the first rows. */
function lowest(values: Float64Array, sign: 1 | -1, count: number): number[] {
  const rows: number[] = [];
  const at = (row: number): number => sign * (values[row] ?? NaN);
  let bound = Infinity; // values that are not below it are not among them
  for (let row = 0; row < values.length; row += 1) {
    const value = sign * (values[row] as number);
    if (value < bound && value > -Infinity) {
      let place = rows.length;
      while (place > 0 && value < at(rows[place - 1] ?? 0)) {
        place -= 1;
      }
      rows.splice(place, 0, row);
      rows.length = Math.min(rows.length, count);
      bound = rows.length === count ? at(rows[count - 1] ?? 0) : Infinity;
    }
  }
  return rows;
}

/** Mean distance of every bus to its nearest neighbours; NaN without neighbours. */
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
    const near = index.neighbors(x, y, NEIGHBOURS + 1); // including the bus itself
    let sum = 0;
    for (const k of near) {
      const other = rows[k] ?? row;
      const [dx, dy] = [(busX[other] ?? 0) - x, (busY[other] ?? 0) - y];
      sum += Math.sqrt(dx * dx + dy * dy);
    }
    found[row] = sum / Math.max(1, near.length - 1);
  }
  return found;
}
