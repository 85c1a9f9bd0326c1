import Flatbush from "flatbush";
import type { Geometry } from "../view/geometry.ts";

/** Number of buses that a cell interpolates. */
const NEIGHBOURS = 8;
/** Largest number of cells of a field. */
const MOST_CELLS = 48_000;
/**
 * The footprint extends this many typical distances between neighbours beyond the outermost buses, and closes gaps up
 * to a multiple.
 */
const REACH = 0.9;
const GAPS = 5;
/** Quantile of the neighbour distances that is typical of rural areas. */
const RURAL = 0.95;
/** Width of the soft edge of the footprint, cells. */
const EDGE = 1.5;

/** The box of a field in the coordinates of the picture. */
export interface FieldBox {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/**
 * A smooth field between the buses of a network on a grid of cells over its footprint. The buses and weights of a cell
 * follow from the positions alone and are computed once; new values then take a few products per cell.
 *
 * The weights are those of Franke and Little (modified Shepard interpolation): `((R - d) / (R d))^2` for a bus at
 * distance d, where R is the distance of the first bus that no longer counts, so that the field is continuous.
 */
export class Field {
  readonly box: FieldBox;
  readonly width: number;
  readonly height: number;
  /** Coverage of each cell by the footprint, 0 to 255. */
  readonly cover: Uint8Array;
  /** Bus row and weight, `NEIGHBOURS` for each cell of the footprint. */
  readonly #rows: Int32Array;
  readonly #weights: Float32Array;
  /** The cells of the footprint. */
  readonly #cells: Int32Array;

  constructor(geometry: Geometry, mostCells = MOST_CELLS) {
    const { busX, busY } = geometry;
    const rows = [...busX.keys()].filter((row) => Number.isFinite(busX[row]) && Number.isFinite(busY[row]));
    const index = new Flatbush(Math.max(1, rows.length));
    for (const row of rows.length === 0 ? [0] : rows) {
      index.add(busX[row] ?? 0, busY[row] ?? 0);
    }
    index.finish();
    const typical = typicalDistance(index, rows, geometry);
    const margin = REACH * typical + 1e-9;
    const xs = rows.map((row) => busX[row] ?? 0);
    const ys = rows.map((row) => busY[row] ?? 0);
    const box = {
      x0: least(xs) - margin,
      y0: least(ys) - margin,
      x1: -least(xs.map((x) => -x)) + margin,
      y1: -least(ys.map((y) => -y)) + margin,
    };
    const cell = Math.sqrt(Math.max(1e-18, ((box.x1 - box.x0) * (box.y1 - box.y0)) / mostCells));
    this.width = Math.max(2, Math.ceil((box.x1 - box.x0) / cell));
    this.height = Math.max(2, Math.ceil((box.y1 - box.y0) / cell));
    this.box = { ...box, x1: box.x0 + this.width * cell, y1: box.y0 + this.height * cell };
    const taken = new Uint8Array(this.width * this.height);
    rows.forEach((_, k) => {
      const [i, j] = [Math.floor(((xs[k] ?? 0) - box.x0) / cell), Math.floor(((ys[k] ?? 0) - box.y0) / cell)];
      taken[j * this.width + i] = 1;
    });
    this.cover = footprint(taken, this.width, this.height, (REACH * typical) / cell, (GAPS * typical) / cell);
    this.#cells = Int32Array.from([...this.cover.keys()].filter((at) => (this.cover[at] ?? 0) > 0));
    this.#rows = new Int32Array(NEIGHBOURS * this.#cells.length).fill(-1);
    this.#weights = new Float32Array(this.#rows.length);
    this.#cells.forEach((at, k) => {
      const x = box.x0 + ((at % this.width) + 0.5) * cell;
      const y = box.y0 + (Math.floor(at / this.width) + 0.5) * cell;
      const near = index.neighbors(x, y, NEIGHBOURS + 1).map((found) => rows[found] ?? -1);
      const away = near.map((row) => Math.max(0.3 * cell, Math.hypot((busX[row] ?? 0) - x, (busY[row] ?? 0) - y)));
      const reach = 1.0001 * (away.at(-1) ?? 1);
      near.slice(0, near.length > NEIGHBOURS ? NEIGHBOURS : near.length).forEach((row, n) => {
        const d = away[n] ?? 1;
        this.#rows[NEIGHBOURS * k + n] = row;
        this.#weights[NEIGHBOURS * k + n] = ((reach - d) / (reach * d)) ** 2 + 1e-12;
      });
    });
  }

  /** Values of all cells from the values by bus; NaN outside the footprint, and where no bus nearby has a value. */
  valuesOf(values: ArrayLike<number>): Float32Array {
    const found = new Float32Array(this.width * this.height).fill(NaN);
    const [rows, weights] = [this.#rows, this.#weights];
    this.#cells.forEach((at, k) => {
      let [sum, all] = [0, 0];
      for (let n = NEIGHBOURS * k; n < NEIGHBOURS * (k + 1); n += 1) {
        const row = rows[n] as number;
        const value = row < 0 ? NaN : (values[row] as number);
        if (value === value) {
          const weight = weights[n] as number;
          sum += weight * value;
          all += weight;
        }
      }
      found[at] = all > 0 ? sum / all : NaN;
    });
    return found;
  }

  /**
   * The colours of all cells, four bytes each, from the values by bus; `inks` holds red, green and blue of each palette
   * index.
   */
  colour(
    values: ArrayLike<number>,
    place: (value: number) => number,
    inks: readonly (readonly [number, number, number])[],
    into: Uint8ClampedArray,
  ): void {
    const field = this.valuesOf(values);
    for (let at = 0; at < field.length; at += 1) {
      const ink = inks[place(field[at] as number)];
      into[4 * at] = ink?.[0] ?? 0;
      into[4 * at + 1] = ink?.[1] ?? 0;
      into[4 * at + 2] = ink?.[2] ?? 0;
      into[4 * at + 3] = ink === undefined ? 0 : (this.cover[at] as number);
    }
  }
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values.length === 0 ? 0 : Infinity);
}

/**
 * The distance to the third neighbour that few buses exceed, which is typical of rural areas and most of a footprint,
 * not of towns.
 */
function typicalDistance(index: Flatbush, rows: readonly number[], { busX, busY }: Geometry): number {
  const step = Math.max(1, Math.floor(rows.length / 800));
  const distances = rows
    .filter((_, k) => k % step === 0)
    .map((row) => {
      const [x, y] = [busX[row] ?? 0, busY[row] ?? 0];
      const far = rows[index.neighbors(x, y, 4).at(-1) ?? 0] ?? row;
      return Math.hypot((busX[far] ?? 0) - x, (busY[far] ?? 0) - y);
    })
    .sort((a, b) => a - b);
  return distances[Math.floor(RURAL * (distances.length - 1))] || 1;
}

/**
 * The footprint of some cells: dilation by `gaps` cells, then erosion by `gaps - reach`. It closes gaps inside, and its
 * edge is `reach` cells from the outermost cells.
 */
function footprint(taken: Uint8Array, width: number, height: number, reach: number, gaps: number): Uint8Array {
  // Padded, so that the edges of the box are eroded like others.
  const pad = Math.ceil(gaps) + 2;
  const [w, h] = [width + 2 * pad, height + 2 * pad];
  const at = (x: number, y: number): number => (y + pad) * w + x + pad;
  const seeds = new Uint8Array(w * h);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      seeds[at(x, y)] = taken[y * width + x] ?? 0;
    }
  }
  const toSeed = distances(seeds, w, h);
  const outside = Uint8Array.from(toSeed, (d) => Number(d > gaps));
  const toOutside = distances(outside, w, h);
  const cover = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const inside = Math.max((toOutside[at(x, y)] ?? 0) - (gaps - reach), reach - (toSeed[at(x, y)] ?? 0));
      cover[y * width + x] = Math.round(255 * Math.max(0, Math.min(1, inside / EDGE)));
    }
  }
  return cover;
}

/**
 * Distance of every cell to the nearest marked cell, in cells: lower envelopes of parabolas (Felzenszwalb and
 * Huttenlocher, 2012).
 */
export function distances(marked: Uint8Array, width: number, height: number): Float64Array {
  const far = (width + height) ** 2;
  const squared = Float64Array.from(marked, (one) => (one === 1 ? 0 : far));
  for (let x = 0; x < width; x += 1) {
    envelope(squared, x, width, height);
  }
  for (let y = 0; y < height; y += 1) {
    envelope(squared, y * width, 1, width);
  }
  return squared.map(Math.sqrt);
}

function envelope(values: Float64Array, first: number, stride: number, count: number): void {
  const given = Float64Array.from({ length: count }, (_, k) => values[first + k * stride] as number);
  const places = new Int32Array(count);
  const bounds = new Float64Array(count + 1);
  let last = 0;
  bounds[0] = -Infinity;
  bounds[1] = Infinity;
  const crossing = (q: number, p: number): number =>
    ((given[q] as number) + q * q - (given[p] as number) - p * p) / (2 * q - 2 * p);
  for (let q = 1; q < count; q += 1) {
    let s = crossing(q, places[last] as number);
    while (s <= (bounds[last] as number)) {
      last -= 1;
      s = crossing(q, places[last] as number);
    }
    last += 1;
    places[last] = q;
    bounds[last] = s;
    bounds[last + 1] = Infinity;
  }
  last = 0;
  for (let q = 0; q < count; q += 1) {
    while ((bounds[last + 1] as number) < q) {
      last += 1;
    }
    const p = places[last] as number;
    values[first + q * stride] = (q - p) ** 2 + (given[p] as number);
  }
}
