import type { Camera } from "../../map/index.ts";
import type { NetworkGraph, ViewedEdge } from "../../workspace/index.ts";
import { type Phase, phaseOf, phaseOrder } from "./phases.ts";

/** One conductor of an edge: its phase, and its name at both ends. */
export interface Conductor {
  readonly phase: Phase;
  readonly name: string;
}

/** The conductors of every edge in phase order; a neutral that is connected twice counts once. */
export function conductorsOf(edges: readonly ViewedEdge[]): Conductor[][] {
  return edges.map(({ conductors }) => {
    const found = new Map<string, Conductor>();
    for (const [from, to] of conductors) {
      const name = from === to ? from : `${from}\u2013${to}`;
      found.set(name, { phase: phaseOf(from), name });
    }
    return [...found.values()].sort((a, b) => phaseOrder(a.phase) - phaseOrder(b.phase));
  });
}

/** A polyline on the screen: points as x, y pairs, pixels. */
export type Way = readonly number[];

/** The position of an edge's conductors among those of all edges between the same two buses. */
export interface Lane {
  readonly first: number;
  readonly total: number;
  /** Whether it is the first of these edges. */
  readonly leads: boolean;
  /** Number of these edges. */
  readonly edges: number;
}

/** The lanes of every edge. */
export function lanesOf(
  { fromRow, toRow }: Pick<NetworkGraph, "fromRow" | "toRow">,
  conductors: readonly (readonly Conductor[])[],
): Lane[] {
  const between = new Map<string, number[]>();
  conductors.forEach((_, row) => {
    const [a, b] = [fromRow[row] ?? -1, toRow[row] ?? -1];
    const pair = a < b ? `${a} ${b}` : `${b} ${a}`;
    between.set(pair, [...(between.get(pair) ?? []), row]);
  });
  const lanes: Lane[] = [];
  for (const rows of between.values()) {
    const widths = rows.map((row) => Math.max(1, conductors[row]?.length ?? 0));
    const total = widths.reduce((sum, width) => sum + width, 0);
    let first = 0;
    rows.forEach((row, k) => {
      lanes[row] = { first, total, leads: k === 0, edges: rows.length };
      first += widths[k] ?? 1;
    });
  }
  return lanes;
}

/**
 * The polyline of an edge on the screen. It runs to the right, or upwards, so that the conductors of neighbours have
 * one order.
 */
export function wayOnScreen(path: Float64Array, camera: Camera): Way {
  const points: number[] = [];
  for (let k = 0; k + 1 < path.length; k += 2) {
    const [x, y] = [path[k] ?? NaN, path[k + 1] ?? NaN];
    points.push(camera.screenX(x, y), camera.screenY(x, y));
  }
  const [x0 = 0, y0 = 0] = points;
  const [x1 = 0, y1 = 0] = points.slice(-2);
  const [dx, dy] = [x1 - x0, y1 - y0];
  const backwards = Math.abs(dx) > 1e-3 * Math.abs(dy) ? dx < 0 : dy > 0;
  return backwards ? reversed(points) : points;
}

function reversed(points: readonly number[]): number[] {
  const turned: number[] = [];
  for (let k = points.length - 2; k >= 0; k -= 2) {
    turned.push(points[k] ?? 0, points[k + 1] ?? 0);
  }
  return turned;
}

export function lengthOf(way: Way): number {
  let length = 0;
  for (let k = 0; k + 3 < way.length; k += 2) {
    length += Math.hypot((way[k + 2] ?? 0) - (way[k] ?? 0), (way[k + 3] ?? 0) - (way[k + 1] ?? 0));
  }
  return length;
}

/** A parallel polyline, `by` pixels to the right in the direction of travel. Corners are mitred. */
export function beside(way: Way, by: number): Way {
  if (by === 0) {
    return way;
  }
  const count = way.length / 2;
  const normal = (k: number): [number, number] => {
    const [dx, dy] = [(way[2 * k + 2] ?? 0) - (way[2 * k] ?? 0), (way[2 * k + 3] ?? 0) - (way[2 * k + 1] ?? 0)];
    const span = Math.hypot(dx, dy) || 1;
    return [-dy / span, dx / span];
  };
  const moved: number[] = [];
  for (let k = 0; k < count; k += 1) {
    const [ax, ay] = normal(Math.max(0, k - 1));
    const [bx, by_] = normal(Math.min(count - 2, k));
    const [sx, sy] = [ax + bx, ay + by_];
    // A sharp corner is cut, because its mitre would reach far out.
    const scale = (2 * by) / Math.max(1, sx * sx + sy * sy);
    moved.push((way[2 * k] ?? 0) + scale * sx, (way[2 * k + 1] ?? 0) + scale * sy);
  }
  return moved;
}

/** A point at a fraction of a polyline's length, with the direction there. */
export function pointAt(way: Way, part: number): { x: number; y: number; dx: number; dy: number } {
  let left = part * lengthOf(way);
  let last = { x: way[0] ?? 0, y: way[1] ?? 0, dx: 1, dy: 0 };
  for (let k = 0; k + 3 < way.length; k += 2) {
    const [ax, ay, bx, by] = [way[k] ?? 0, way[k + 1] ?? 0, way[k + 2] ?? 0, way[k + 3] ?? 0];
    const span = Math.hypot(bx - ax, by - ay);
    if (span > 0) {
      const [dx, dy] = [(bx - ax) / span, (by - ay) / span];
      const along = Math.min(left, span);
      last = { x: ax + along * dx, y: ay + along * dy, dx, dy };
      if (left <= span) {
        return last;
      }
    }
    left -= span;
  }
  return last;
}

/** The middle of the visible part of a polyline, as a fraction of its length; for one with corners its own middle. */
export function seenMiddle(way: Way, width: number, height: number): number {
  if (way.length !== 4) {
    return 0.5;
  }
  const [ax = 0, ay = 0, bx = 0, by = 0] = way;
  let [from, to] = [0, 1];
  // After Liang and Barsky: the part of the segment on the inner side of each edge.
  for (const [step, room] of [
    [ax - bx, ax],
    [bx - ax, width - ax],
    [ay - by, ay],
    [by - ay, height - ay],
  ] as const) {
    if (step !== 0) {
      const at = room / step;
      [from, to] = step < 0 ? [Math.max(from, at), to] : [from, Math.min(to, at)];
    }
  }
  return from < to ? (from + to) / 2 : 0.5;
}

/** Adds a polyline to the path of a canvas. */
export function trace(context: CanvasRenderingContext2D, way: Way): void {
  context.moveTo(way[0] ?? 0, way[1] ?? 0);
  for (let k = 2; k + 1 < way.length; k += 2) {
    context.lineTo(way[k] ?? 0, way[k + 1] ?? 0);
  }
}

/** Whether the bounding box of a path intersects a box, both in world coordinates. */
export function meets(
  path: Float64Array,
  { x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number },
): boolean {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k + 1 < path.length; k += 2) {
    const [x, y] = [path[k] as number, path[k + 1] as number];
    left = x < left ? x : left;
    right = x > right ? x : right;
    top = y < top ? y : top;
    bottom = y > bottom ? y : bottom;
  }
  return left <= x1 && right >= x0 && top <= y1 && bottom >= y0;
}

/** The direction in which a line leaves the bus at a screen point, radians; undefined where it has no length. */
export function angleFrom(path: Float64Array | undefined, x: number, y: number, camera: Camera): number[] {
  if (path === undefined) {
    return [];
  }
  const way = wayOnScreen(path, camera);
  const last = way.length - 2;
  const near =
    Math.hypot((way[0] ?? 0) - x, (way[1] ?? 0) - y) <= Math.hypot((way[last] ?? 0) - x, (way[last + 1] ?? 0) - y);
  const next = near ? 2 : last - 2;
  const [dx, dy] = [(way[next] ?? x) - x, (way[next + 1] ?? y) - y];
  return Math.hypot(dx, dy) < 0.5 || !Number.isFinite(dx + dy) ? [] : [Math.atan2(dy, dx)];
}
