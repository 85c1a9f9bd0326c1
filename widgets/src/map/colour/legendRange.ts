import { QUANTILE_SHARE } from "@service/engine";

/** The range of a colour scale, and whether values lie outside it on either side. */
export interface LegendRange {
  low: number;
  high: number;
}

/** Share of the values that may lie outside a range reused from the previous state. */
const KEPT_OUTSIDE = 0.05;

/**
 * A range that is robust against outliers: the 2nd to the 98th percentile, or the whole span when the extremes are
 * near, rounded outwards. Null without a finite value.
 */
export function robustRange(values: Float64Array): LegendRange | null {
  const sorted = finiteOf(values).sort();
  if (sorted.length === 0) {
    return null;
  }
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [p2, p98] = [at(0.02), at(0.98)];
  const near = 0.6 * (p98 - p2);
  const low = p2 - at(0) <= near ? at(0) : p2;
  const high = at(1) - p98 <= near ? at(1) : p98;
  return roundOutwards(low, high);
}

/**
 * The finite values. A plain loop, because the frame of new prices waits for it and a callback per value takes three
 * times as long.
 */
function finiteOf(values: Float64Array): Float64Array {
  const found = new Float64Array(values.length);
  let count = 0;
  for (const value of values) {
    if (Number.isFinite(value)) {
      found[count] = value;
      count += 1;
    }
  }
  return found.subarray(0, count);
}

/** The previous range while it still suits the values, so that equal prices have equal colours. */
export function settleRange(previous: LegendRange | null, values: Float64Array): LegendRange | null {
  const fresh = robustRange(values);
  if (previous === null || fresh === null) {
    return fresh;
  }
  let [finite, outside] = [0, 0];
  for (const value of values) {
    finite += Number.isFinite(value) ? 1 : 0;
    outside += value < previous.low || value > previous.high ? 1 : 0;
  }
  const fits = outside <= KEPT_OUTSIDE * finite && fresh.high - fresh.low >= 0.5 * (previous.high - previous.low);
  return fits ? previous : fresh;
}

/**
 * A symmetric range for values of both signs: `[-m, m]` with m the 98th percentile of the magnitudes; null without
 * values.
 */
export function centredRange(values: Float64Array): LegendRange | null {
  const sizes = finiteOf(values);
  if (sizes.length === 0) {
    return null;
  }
  for (let k = 0; k < sizes.length; k += 1) {
    sizes[k] = Math.abs(sizes[k] as number);
  }
  sizes.sort();
  const most = sizes.at(-1) ?? 0;
  const p98 = sizes[Math.round(0.98 * (sizes.length - 1))] ?? 0;
  const high = most <= 1.6 * p98 ? most : p98;
  return { low: -high, high };
}

/** Half of the narrowest range of voltage magnitudes, per unit. */
const LEAST_DEVIATION = 0.01;

/**
 * A range of voltage magnitudes that contains 1 pu: from limit to limit where limits are known; null without values.
 */
export function magnitudeRange(values: Float64Array, limits: LegendRange | null): LegendRange | null {
  const range = limits ?? robustRange(values);
  return range && { low: Math.min(range.low, 1 - LEAST_DEVIATION), high: Math.max(range.high, 1 + LEAST_DEVIATION) };
}

/** A range that begins with a move: it only grows, to round numbers, so that it changes rarely. */
export function grownRange(before: LegendRange, fresh: LegendRange | null): LegendRange {
  const [low, high] = [Math.min(before.low, fresh?.low ?? Infinity), Math.max(before.high, fresh?.high ?? -Infinity)];
  if (low === before.low && high === before.high) {
    return before;
  }
  if (low !== -high) {
    return roundOutwards(low, high);
  }
  const round = niceStep(high);
  return { low: -round, high: round };
}

/** About `count` round numbers from `low` to `high`. */
export function ticks({ low, high }: LegendRange, count: number): number[] {
  if (!(high > low)) {
    return [low];
  }
  const step = niceStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/** Round numbers for a logarithmic range: 1, 2 and 5 times powers of ten, on both sides of zero. */
export function logTicks({ low, high }: LegendRange): number[] {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const least = low > 0 ? low : 0.01 * most;
  const sizes: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10) {
    sizes.push(power, 2 * power, 5 * power);
  }
  return [...sizes.toReversed().map((size) => -size), ...sizes].filter((value) => value >= low && value <= high);
}

/** The range that leaves a share of the values outside at each end. */
export function quantileRange(values: Float64Array, share: number = QUANTILE_SHARE): LegendRange | null {
  const sorted = finiteOf(values).sort();
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? NaN;
  return sorted.length === 0 ? null : { low: at(share), high: at(1 - share) };
}

function roundOutwards(low: number, high: number): LegendRange {
  if (!(high - low > 1e-6 * Math.max(1, Math.abs(high)))) {
    return { low, high };
  }
  const step = niceStep((high - low) / 20);
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(high / step - 1e-9) * step };
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The range of the colours of a series, common to all its steps, so that equal colours mean equal values. */
export class SeriesRange {
  #key: readonly unknown[] = [];
  #range: LegendRange | null = null;

  /** The range of sampled values, computed once for the same values and `how`. */
  of(sampled: Float64Array, make: () => LegendRange | null, how = ""): LegendRange | null {
    if (this.#key[0] !== sampled || this.#key[1] !== how) {
      this.#key = [sampled, how];
      this.#range = make();
    }
    return this.#range;
  }
}
