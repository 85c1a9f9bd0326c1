import type { Geometry } from "../view/geometry.ts";

/** The branches as straight segments, relative to an origin. */
export interface Segments {
  /** Ends of each segment: x, y, x, y. */
  ends: Float32Array;
  /** Dense row of the branch of each segment. */
  rows: Float32Array;
  /** The longest segment of each branch, for its arrowhead, in the same form. */
  longest: Float32Array;
  longestRows: Float32Array;
}

/** Points closer than this, pixels, are merged. */
const LEAST_STEP = 0.8;

/** Cuts the paths of the branches into segments, without vertices that are invisible up to the scale `scale`. */
export function segmentsOf({ paths }: Geometry, origin: { x: number; y: number }, scale: number): Segments {
  const ends: number[] = [];
  const rows: number[] = [];
  const longest: number[] = [];
  const longestRows: number[] = [];
  const least = LEAST_STEP / scale;
  paths.forEach((path, row) => {
    let [ax, ay] = [(path[0] ?? NaN) - origin.x, (path[1] ?? NaN) - origin.y];
    let most = -1;
    let best: [number, number, number, number] | null = null;
    for (let k = 2; k + 1 < path.length; k += 2) {
      const [bx, by] = [(path[k] ?? NaN) - origin.x, (path[k + 1] ?? NaN) - origin.y];
      const step = Math.hypot(bx - ax, by - ay);
      const last = k + 3 >= path.length;
      if (step < least && !last) {
        continue;
      }
      if (Number.isFinite(step)) {
        ends.push(ax, ay, bx, by);
        rows.push(row);
        if (step > most) {
          most = step;
          best = [ax, ay, bx, by];
        }
      }
      [ax, ay] = [bx, by];
    }
    if (best !== null) {
      longest.push(...best);
      longestRows.push(row);
    }
  });
  return {
    ends: Float32Array.from(ends),
    rows: Float32Array.from(rows),
    longest: Float32Array.from(longest),
    longestRows: Float32Array.from(longestRows),
  };
}

/** The level of detail for a scale: the next power of four. */
export function detailScale(scale: number): number {
  return 4 ** Math.ceil(Math.log(Math.max(scale, 1e-9)) / Math.log(4));
}
