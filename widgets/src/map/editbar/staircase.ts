import type { CurvePoint } from "../../charts/series.ts";
import type { EditRange } from "../../workspace/index.ts";

/** Size of the drawing's own units; it is stretched to the room there is. */
export const WIDTH = 1000;
export const HEIGHT = 100;

/** A curve as a drawing: the values at its ends and the line between them. */
export interface Staircase {
  /** Values at the bottom and the top of the drawing. */
  low: number;
  high: number;
  /** Path data: affine stretches, upright where the value jumps. */
  line: string;
  /** Share of the height from the top, 0 to 1, of a value. */
  heightOf(value: number): number;
}

/** Part of the range, to each side of a position, whose values the drawing shows in any case. */
const NEAR = 0.3;
/** Where all values span more than so many times those near by, what is far away is cut off. */
const EXTREME = 4;

/**
 * The drawing of a curve over a range, its points in order; `leastSpan` is the least difference between bottom and top. Extremes far from
 * the position `x` do not flatten what is around it: they run along the edge.
 */
export function staircase(
  points: readonly CurvePoint[],
  range: EditRange,
  leastSpan: number,
  x0 = (range.min + range.max) / 2,
): Staircase {
  const [least, most] = zoomed(points, range, x0);
  const pad = Math.max(0, leastSpan - (most - least)) / 2;
  const [low, high] = [least - pad, most + pad];
  const heightOf = (value: number): number => Math.max(0, Math.min(1, (high - value) / (high - low)));
  const x = (mw: number): string => coordinate((WIDTH * (mw - range.min)) / (range.max - range.min));
  const y = (value: number): string => coordinate(HEIGHT * heightOf(value));
  const corners = points.map((point) => `${x(point.x)} ${y(point.y)}`);
  return { low, high, line: corners.length === 0 ? "" : `M${corners.join("L")}`, heightOf };
}

function coordinate(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** The least and the greatest value to be seen: all of them, or those near a position where the others are far off. */
function zoomed(points: readonly CurvePoint[], range: EditRange, x0: number): readonly [number, number] {
  const ends = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  const all = ends(points.map(({ y }) => y));
  const reach = NEAR * (range.max - range.min);
  const inside = points.filter(({ x }) => Math.abs(x - x0) <= reach).map(({ y }) => y);
  const edges = [x0 - reach, x0, x0 + reach].map((x) => valueAt(points, x));
  const near = ends([...inside, ...edges].filter(Number.isFinite));
  const span = near[1] - near[0];
  return span > 0 && all[1] - all[0] > EXTREME * span ? [near[0] - 0.15 * span, near[1] + 0.15 * span] : all;
}

/** Value of a curve at a position, between its points; NaN outside. */
function valueAt(points: readonly CurvePoint[], x: number): number {
  const after = points.findIndex((point) => point.x >= x);
  const [a, b] = [points[after - 1], points[after]];
  if (a === undefined || b === undefined) {
    return NaN;
  }
  return b.x > a.x ? a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) : b.y;
}
