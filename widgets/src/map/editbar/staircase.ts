import type { CurvePoint } from "../../charts/series.ts";
import type { EditRange } from "../../workspace/index.ts";

/** Size in the drawing's own units; it is stretched to the available room. */
export const WIDTH = 1000;
export const HEIGHT = 100;

/** A curve as a drawing: its vertical range and its path data. */
export interface Staircase {
  /** Values at the bottom and the top of the drawing. */
  low: number;
  high: number;
  /** Path data: affine segments, vertical at jumps. */
  line: string;
  /** Path data of a part of the curve. */
  lineOf(points: readonly CurvePoint[]): string;
  /** Vertical position of a value from the top, 0 to 1. */
  heightOf(value: number): number;
}

/** Fraction of the range whose values, the closest ones, define the typical span. */
const USUAL = 0.8;
/** If all values span more than this multiple of the typical span, the others are extremes, which are cut off. */
const EXTREME = 4;
/** Values count as close if they differ by less than this fraction of their magnitude. */
const CLOSE = 0.25;
/** Fraction of the range drawn on each side of a position among the extremes; halved while it spans too much. */
const NEAR = 0.3;
const HALVINGS = 5;
/** Number of samples of a curve. */
const SAMPLES = 200;

/**
 * The drawing of a curve over a range, its points in order; `leastSpan` is the smallest vertical range. A steep end
 * does not flatten the rest: it runs along the edge, unless the position `x0` lies on it.
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
  const lineOf = (part: readonly CurvePoint[]): string =>
    part.length === 0 ? "" : `M${part.map((point) => `${x(point.x)} ${y(point.y)}`).join("L")}`;
  return { low, high, line: lineOf(points), lineOf, heightOf };
}

function coordinate(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** The vertical range: all values, the typical ones, or those near a position among extremes. */
function zoomed(points: readonly CurvePoint[], range: EditRange, x0: number): Span {
  const sampled = values(points, range.min, range.max);
  const all = spanOf([...points.filter(({ x }) => x >= range.min && x <= range.max).map(({ y }) => y), ...sampled]);
  const usual = closest(sampled);
  const typical = Math.abs(usual[0] + usual[1]) / 2;
  if (!(all[1] - all[0] > EXTREME * Math.max(usual[1] - usual[0], CLOSE * typical))) {
    return all;
  }
  const here = valueAt(points, x0);
  const shown = padded(usual, 0.5 * CLOSE * typical);
  if (Number.isNaN(here) || (here >= shown[0] && here <= shown[1])) {
    return shown;
  }
  let reach = NEAR * (range.max - range.min);
  const near = (): Span => spanOf([here, ...values(points, x0 - reach, x0 + reach)]);
  for (let k = 0; k < HALVINGS && near()[1] - near()[0] > EXTREME * Math.abs(here); k++) {
    reach /= 2;
  }
  return padded(near(), 0);
}

type Span = readonly [low: number, high: number];

function spanOf(found: readonly number[]): Span {
  return [Math.min(...found), Math.max(...found)];
}

/** Padded at both ends, so that the curve visibly leaves the range. */
function padded([low, high]: Span, least: number): Span {
  const room = Math.max(0.15 * (high - low), least);
  return [low - room, high + room];
}

/** Equidistant samples of a curve, without positions outside it. */
function values(points: readonly CurvePoint[], from: number, to: number): number[] {
  const at = (k: number): number => valueAt(points, from + ((to - from) * k) / (SAMPLES - 1));
  return Array.from({ length: SAMPLES }, (_, k) => at(k)).filter(Number.isFinite);
}

/** The shortest span that contains the typical fraction of the values. */
function closest(found: readonly number[]): Span {
  const sorted = [...found].sort((a, b) => a - b);
  const more = Math.ceil(USUAL * sorted.length) - 1;
  const spans = sorted.slice(0, sorted.length - more).map((low, k): Span => [low, sorted[k + more] ?? low]);
  return spans.reduce((best, span) => (span[1] - span[0] < best[1] - best[0] ? span : best), spanOf(sorted));
}

/** Interpolated value of a curve at a position; NaN outside. */
function valueAt(points: readonly CurvePoint[], x: number): number {
  const after = points.findIndex((point) => point.x >= x);
  const [a, b] = [points[after - 1] ?? points[after], points[after]];
  if (a === undefined || b === undefined || x < a.x) {
    return NaN;
  }
  return b.x > a.x ? a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) : b.y;
}
