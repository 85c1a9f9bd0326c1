import Flatbush from "flatbush";
import type { Geometry } from "./geometry.ts";

/** Finds the bus or branch under a point of the drawing. */
export class Picker {
  readonly #geometry: Geometry;
  readonly #buses: Flatbush | null;
  readonly #busRows: number[];
  readonly #branches: Flatbush | null;
  readonly #branchRows: number[];

  constructor(geometry: Geometry) {
    this.#geometry = geometry;
    const { busX, busY, paths } = geometry;
    this.#busRows = [...busX.keys()].filter((row) => Number.isFinite(busX[row]) && Number.isFinite(busY[row]));
    this.#buses = index(this.#busRows, (row) => Float64Array.of(busX[row] ?? 0, busY[row] ?? 0));
    this.#branchRows = paths.flatMap((path, row) => (path.length > 0 && path.every(Number.isFinite) ? [row] : []));
    this.#branches = index(this.#branchRows, (row) => paths[row] ?? new Float64Array());
  }

  /** Dense row of the nearest bus within `reach` of a point, -1 for none. */
  busAt(x: number, y: number, reach: number): number {
    const [found] = this.#buses?.neighbors(x, y, 1, reach) ?? [];
    return found === undefined ? -1 : (this.#busRows[found] ?? -1);
  }

  /** Dense rows of the buses inside a box. */
  busesIn(x0: number, y0: number, x1: number, y1: number): number[] {
    const found = this.#buses?.search(x0, y0, x1, y1) ?? [];
    return found.map((k) => this.#busRows[k] ?? -1).sort((a, b) => a - b);
  }

  /** Dense rows of the branches whose bounds meet a box. */
  branchesIn(x0: number, y0: number, x1: number, y1: number): number[] {
    const found = this.#branches?.search(x0, y0, x1, y1) ?? [];
    return found.map((k) => this.#branchRows[k] ?? -1).sort((a, b) => a - b);
  }

  /** Dense row of the branch whose line passes nearest, within `reach` of a point; -1 for none. */
  branchAt(x: number, y: number, reach: number): number {
    let nearest = -1;
    let least = reach;
    for (const found of this.#branches?.search(x - reach, y - reach, x + reach, y + reach) ?? []) {
      const row = this.#branchRows[found] ?? -1;
      const distance = distanceToPath(this.#geometry.paths[row] ?? new Float64Array(), x, y);
      if (distance <= least) {
        least = distance;
        nearest = row;
      }
    }
    return nearest;
  }

  /** Dense row of the nearest bus from bus `row` in a direction (within 60 degrees of it), -1 for none. */
  busTowards(row: number, dx: number, dy: number): number {
    const { busX, busY } = this.#geometry;
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    let nearest = -1;
    let least = Infinity;
    for (const other of this.#busRows) {
      const [ox, oy] = [(busX[other] ?? 0) - x, (busY[other] ?? 0) - y];
      const along = ox * dx + oy * dy;
      const distance = Math.hypot(ox, oy);
      if (other !== row && along > 0.5 * distance && distance * (2 - along / distance) < least) {
        least = distance * (2 - along / distance);
        nearest = other;
      }
    }
    return nearest;
  }
}

function index(rows: number[], pointsOf: (row: number) => Float64Array): Flatbush | null {
  if (rows.length === 0) {
    return null;
  }
  const tree = new Flatbush(rows.length);
  for (const row of rows) {
    const points = pointsOf(row);
    const [xs, ys] = [points.filter((_, k) => k % 2 === 0), points.filter((_, k) => k % 2 === 1)];
    tree.add(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  tree.finish();
  return tree;
}

/** The distance of a point to a path of x, y pairs. */
export function distanceToPath(path: ArrayLike<number>, x: number, y: number): number {
  let least = Infinity;
  for (let k = 0; k + 3 < path.length; k += 2) {
    const [ax, ay, bx, by] = [path[k] ?? 0, path[k + 1] ?? 0, path[k + 2] ?? 0, path[k + 3] ?? 0];
    const [dx, dy] = [bx - ax, by - ay];
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square));
    least = Math.min(least, Math.hypot(ax + share * dx - x, ay + share * dy - y));
  }
  return least;
}
