import { SAME_LOADING } from "@service/engine";
import type { CaseSession, ElementPath } from "../workspace/index.ts";

/** Values from `low` (included) to `high`, and their count; the last bin includes its upper end. */
export interface Bin {
  low: number;
  high: number;
  count: number;
}

/** Smallest and largest number of bins, apart from the rounding of their width. */
const LEAST_BINS = 12;
const MOST_BINS = 40;
/** Differences of prices below this, $/MWh, are rounding. */
const LEAST_SPREAD = 1e-6;

/**
 * Histogram of prices in bins of a round width: Freedman and Diaconis (1981), 2 IQR / n^(1/3), within a readable number
 * of bins. One bin where all prices are equal; empty without prices.
 */
export function histogram(values: Float64Array): Bin[] {
  const sorted = values.filter(Number.isFinite).sort();
  const [low = NaN, high = NaN] = [sorted[0], sorted.at(-1)];
  if (sorted.length === 0) {
    return [];
  }
  if (high - low <= LEAST_SPREAD) {
    return [{ low, high, count: sorted.length }];
  }
  const iqr = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const wanted = (2 * iqr) / Math.cbrt(sorted.length);
  const width = roundWidth(Math.min(Math.max(wanted, (high - low) / MOST_BINS), (high - low) / LEAST_BINS));
  const first = Math.floor(low / width);
  const bins = Array.from({ length: Math.floor(high / width) - first + 1 }, (_, k) => ({
    low: (first + k) * width,
    high: (first + k + 1) * width,
    count: 0,
  }));
  for (const value of sorted) {
    const bin = bins[priceBin(value, bins)];
    if (bin !== undefined) {
      bin.count += 1;
    }
  }
  return bins;
}

/** The bin of a histogram that contains a price; -1 for NaN. */
export function priceBin(price: number, bins: readonly Bin[]): number {
  const { low = NaN, high = NaN } = bins[0] ?? {};
  if (!Number.isFinite(price) || bins.length < 2) {
    return Number.isFinite(price) ? bins.length - 1 : -1;
  }
  const width = high - low;
  return Math.min(bins.length - 1, Math.max(0, Math.floor(price / width) - Math.round(low / width)));
}

/** A point of a curve. */
export interface CurvePoint {
  x: number;
  y: number;
}

/** A point of a curve of the buses, with the dense row of its bus. */
export interface BusPoint extends CurvePoint {
  row: number;
}

/** Largest number of points drawn of a curve. */
const MOST_POINTS = 800;

/**
 * Sorted bus prices: the price, from the highest down, against the share of the demand (0 to 1) that pays at least as
 * much; against the share of buses where there is no demand.
 */
export function sortedPrices(prices: Float64Array, demandMw: Float64Array): BusPoint[] {
  const rows = [...prices.keys()].filter((row) => Number.isFinite(prices[row]));
  rows.sort((a, b) => (prices[b] ?? 0) - (prices[a] ?? 0) || a - b);
  const demandOf = (row: number): number => Math.max(0, demandMw[row] ?? 0);
  const demand = rows.reduce((sum, row) => sum + demandOf(row), 0);
  const weight = (row: number): number => (demand > 0 ? demandOf(row) / demand : 1 / rows.length);
  const points: BusPoint[] = [];
  let share = 0;
  for (const row of rows) {
    const price = prices[row] ?? NaN;
    points.push({ x: share, y: price, row });
    share += weight(row);
    points.push({ x: Math.min(1, share), y: price, row });
  }
  return thinned(points);
}

/**
 * Number of lines by loading, in steps of 10 %; the last bin holds everything above 100 %. Lines out of service do not
 * count.
 */
export function loadingDistribution(loading: Float64Array): Bin[] {
  const bins = Array.from({ length: 10 }, (_, k) => ({ low: k / 10, high: (k + 1) / 10, count: 0 }));
  for (const value of loading) {
    const bin = bins[loadingBin(value)];
    if (bin !== undefined) {
      bin.count += 1;
    }
  }
  return bins;
}

/** The bin of the distribution that contains a loading; -1 for a line out of service. */
export function loadingBin(loading: number): number {
  return Number.isFinite(loading) ? Math.min(9, Math.floor(10 * (loading + SAME_LOADING))) : -1;
}

/** Exact price at the watched bus against the demand or rating itself, MW: affine segments, vertical at jumps. */
export function priceCurve(path: ElementPath, baseMw: number): CurvePoint[] {
  return path.segments.flatMap(({ from_mw, to_mw, price, slope }) => [
    { x: baseMw + from_mw, y: price },
    { x: baseMw + to_mw, y: price + slope * (to_mw - from_mw) },
  ]);
}

/** Progress of the last solve: the objective, $/h, and the largest remaining violation, MW, by iteration. */
export function convergence({ state }: CaseSession): { objective: CurvePoint[]; residual: CurvePoint[] } {
  const rows = state.iterations;
  return {
    objective: rows.map(({ iteration, objective }) => ({ x: iteration, y: objective })),
    residual: rows.map(({ iteration, residual }) => ({ x: iteration, y: residual })),
  };
}

/** Every few points of a long curve, including its ends. */
function thinned<Point extends CurvePoint>(points: Point[]): Point[] {
  if (points.length <= MOST_POINTS) {
    return points;
  }
  const stride = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, k) => points[Math.round(k * stride)]).filter(
    (point): point is Point => point !== undefined,
  );
}

/** The value below which a fraction of the sorted values lies, interpolated linearly. */
function quantile(sorted: Float64Array, part: number): number {
  const at = part * (sorted.length - 1);
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= width * (1 - 1e-9)) ?? 10) * power;
}
