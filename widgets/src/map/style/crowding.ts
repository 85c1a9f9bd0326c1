import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { busRadius } from "../picture/busMarks.ts";

/** A mark of a crowd shrinks to this part of its size at most. */
const LEAST = 0.42;
/** Marks have room where the mean distance to their neighbours is this many radii. */
const ROOM = 2.6;
/** Neighbours whose distance counts. */
const NEIGHBOURS = 4;
/** Factor of the size of the kept ones. */
const LARGE = 1.15;
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
  /** The sizes without those that are kept, and what they were made of. */
  #crowded: { key: readonly unknown[]; sizes: Float32Array } = { key: [], sizes: new Float32Array() };
  #kept: ReadonlySet<number> | null = null;
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
    // New prices make others the lowest and the highest; the crowd stays.
    if (!same || kept !== this.#kept) {
      this.#kept = kept;
      this.#sizes = this.#crowded.sizes.slice();
      for (const row of kept) {
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

/** Rows of the first values in ascending order, or with the sign -1 in descending order; of equal ones the first rows. */
function lowest(values: Float64Array, sign: 1 | -1, count: number): number[] {
  const rows: number[] = [];
  const at = (row: number): number => sign * (values[row] ?? NaN);
  let bound = Infinity; // what is not below it is none of them
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

/** Mean distance of every bus to its nearest neighbours; NaN where there is none. */
export function spacing({ busX, busY }: Geometry): Float64Array {
  const found = new Float64Array(busX.length).fill(NaN);
  const grid = gridOf(busX, busY);
  const wanted = Math.min(NEIGHBOURS, grid.count - 1);
  if (wanted < 1) {
    return found;
  }
  const nearest = new Float64Array(wanted); // squares, ascending
  for (let row = 0; row < found.length; row += 1) {
    if (Number.isFinite(busX[row]) && Number.isFinite(busY[row])) {
      nearest.fill(Infinity);
      for (let ring = 0; ring === 0 || (nearest[wanted - 1] ?? 0) > ((ring - 1) * grid.cell) ** 2; ring += 1) {
        searchRing(grid, row, ring, nearest);
      }
      found[row] = nearest.reduce((sum, square) => sum + Math.sqrt(square), 0) / wanted;
    }
  }
  return found;
}

/** Buses in square cells, about two in each: the first of every cell, and to every bus the next one in its cell. */
interface Grid {
  readonly busX: Float64Array;
  readonly busY: Float64Array;
  /** Buses with a position. */
  readonly count: number;
  readonly cell: number;
  readonly columns: number;
  readonly lines: number;
  readonly column: Int32Array;
  readonly line: Int32Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function gridOf(busX: Float64Array, busY: Float64Array): Grid {
  let [count, x0, y0, x1, y1] = [0, Infinity, Infinity, -Infinity, -Infinity];
  for (let row = 0; row < busX.length; row += 1) {
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      count += 1;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
    }
  }
  // Buses in a row have cells in a row.
  const [wide, tall] = [x1 - x0, y1 - y0];
  const cell = Math.max(Math.sqrt((2 * wide * tall) / count), (2 * Math.max(wide, tall)) / count) || 1;
  const [columns, lines] = [wide, tall].map((extent) => (count > 0 ? Math.floor(extent / cell) + 1 : 0)) as [
    number,
    number,
  ];
  const [column, line, next] = [0, 1, 2].map(() => new Int32Array(busX.length).fill(-1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const first = new Int32Array(columns * lines).fill(-1);
  for (let row = 0; row < busX.length; row += 1) {
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      column[row] = Math.floor((x - x0) / cell);
      line[row] = Math.floor((y - y0) / cell);
      const place = (line[row] ?? 0) * columns + (column[row] ?? 0);
      next[row] = first[place] ?? -1;
      first[place] = row;
    }
  }
  return { busX, busY, count, cell, columns, lines, column, line, first, next };
}

/** Notes the squares of the distances of a bus to those in the cells that are `ring` cells from its own. */
function searchRing({ busX, busY, ...grid }: Grid, row: number, ring: number, nearest: Float64Array): void {
  const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
  const [column, line] = [grid.column[row] ?? 0, grid.line[row] ?? 0];
  for (let l = Math.max(0, line - ring); l <= Math.min(grid.lines - 1, line + ring); l += 1) {
    const inside = Math.abs(l - line) < ring;
    for (let c = column - ring; c <= column + ring; c += inside ? 2 * ring : 1) {
      if (c >= 0 && c < grid.columns) {
        for (let other = grid.first[l * grid.columns + c] ?? -1; other >= 0; other = grid.next[other] ?? -1) {
          if (other !== row) {
            const [dx, dy] = [(busX[other] ?? 0) - x, (busY[other] ?? 0) - y];
            note(nearest, dx * dx + dy * dy);
          }
        }
      }
    }
  }
}

/** Puts a value among the least ones. */
function note(least: Float64Array, value: number): void {
  let place = least.length;
  while (place > 0 && value < (least[place - 1] ?? 0)) {
    place -= 1;
  }
  if (place < least.length) {
    least.copyWithin(place + 1, place);
    least[place] = value;
  }
}
