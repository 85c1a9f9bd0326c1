import Flatbush from "flatbush";
import type { Geometry } from "./geometry.ts";

/** A search index of boxes, with the dense row of each. */
interface Index {
  readonly tree: Flatbush | null;
  readonly rows: readonly number[];
}

/**
 * Finds the bus or branch under a point of the drawing. The indices are built on demand, so that the first picture does
 * not wait.
 */
export class Picker {
  readonly #geometry: Geometry;
  #busIndex: Index | null = null;
  #branchIndex: Index | null = null;

  constructor(geometry: Geometry) {
    this.#geometry = geometry;
  }

  /** Builds the indices in advance. */
  prepare(): void {
    void [this.#buses, this.#branches];
  }

  get #buses(): Index {
    const { busX, busY } = this.#geometry;
    this.#busIndex ??= index(busX.length, (row) => [busX[row] ?? NaN, busY[row] ?? NaN]);
    return this.#busIndex;
  }

  get #branches(): Index {
    const { paths } = this.#geometry;
    this.#branchIndex ??= index(paths.length, (row) => paths[row] ?? []);
    return this.#branchIndex;
  }

  /** Dense row of the nearest bus within `reach` of a point, -1 without one; `seen` restricts the candidates. */
  busAt(x: number, y: number, reach: number, seen?: (row: number) => boolean): number {
    const { tree, rows } = this.#buses;
    const filter = seen && ((k: number): boolean => seen(rows[k] ?? -1));
    const [found] = tree?.neighbors(x, y, 1, reach, filter) ?? [];
    return found === undefined ? -1 : (rows[found] ?? -1);
  }

  /** Dense rows of the buses inside a box. */
  busesIn(x0: number, y0: number, x1: number, y1: number): number[] {
    return rowsIn(this.#buses, x0, y0, x1, y1);
  }

  /** Dense rows of the branches whose bounds meet a box. */
  branchesIn(x0: number, y0: number, x1: number, y1: number): number[] {
    return rowsIn(this.#branches, x0, y0, x1, y1);
  }

  /** Dense row of the branch whose line passes nearest, within `reach` of a point; -1 without one. */
  branchAt(x: number, y: number, reach: number): number {
    let nearest = -1;
    let least = reach;
    const { tree, rows } = this.#branches;
    for (const found of tree?.search(x - reach, y - reach, x + reach, y + reach) ?? []) {
      const row = rows[found] ?? -1;
      const distance = distanceToPath(this.#geometry.paths[row] ?? new Float64Array(), x, y);
      if (distance <= least) {
        least = distance;
        nearest = row;
      }
    }
    return nearest;
  }

  /** Dense row of the nearest bus from bus `row` in a direction (within 60 degrees of it), -1 without one. */
  busTowards(row: number, dx: number, dy: number): number {
    const { busX, busY } = this.#geometry;
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    let nearest = -1;
    let least = Infinity;
    for (const other of this.#buses.rows) {
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

function rowsIn({ tree, rows }: Index, x0: number, y0: number, x1: number, y1: number): number[] {
  const found = tree?.search(x0, y0, x1, y1) ?? [];
  return found.map((k) => rows[k] ?? -1).sort((a, b) => a - b);
}

/** An index of the bounding boxes of x, y pairs, without those that contain NaN. */
function index(count: number, pointsOf: (row: number) => ArrayLike<number>): Index {
  const rows: number[] = [];
  const boxes: number[] = [];
  for (let row = 0; row < count; row += 1) {
    const points = pointsOf(row);
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k + 1 < points.length; k += 2) {
      const [x, y] = [points[k] ?? NaN, points[k + 1] ?? NaN];
      x0 = Math.min(x0, x); // NaN propagates
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
    }
    if (Number.isFinite(x1 - x0) && Number.isFinite(y1 - y0)) {
      rows.push(row);
      boxes.push(x0, y0, x1, y1);
    }
  }
  if (rows.length === 0) {
    return { tree: null, rows };
  }
  const tree = new Flatbush(rows.length);
  for (let k = 0; k < boxes.length; k += 4) {
    tree.add(boxes[k] ?? 0, boxes[k + 1] ?? 0, boxes[k + 2] ?? 0, boxes[k + 3] ?? 0);
  }
  tree.finish();
  return { tree, rows };
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
