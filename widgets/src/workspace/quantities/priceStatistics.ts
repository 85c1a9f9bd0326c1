import type { OpenedCase } from "../cases/openedCase.ts";

/** A price and the dense row of the bus that has it. */
export interface PriceAt {
  usdPerMwh: number;
  row: number;
}

/** Statistics of the prices of one state, $/MWh. Buses outside the problem are left out. */
export interface PriceStatistics {
  /** Number of buses with a price. */
  count: number;
  mean: number;
  /**
   * Average weighted by positive demand, which keeps it between the lowest and the highest price. NaN without demand.
   */
  loadWeighted: number;
  /** Negative demand, which has no weight, MW. */
  unweightedMw: number;
  min: PriceAt;
  max: PriceAt;
  /** Number of buses with a negative price. */
  negative: number;
}

/**
 * Prices by dense row, $/MWh, with NaN at the star points of three-winding transformers, which are not buses of the
 * case.
 */
export function pricesOfBuses({ buses }: Pick<OpenedCase, "buses">, prices: Float64Array): Float64Array {
  return prices.map((usdPerMwh, row) => (buses[row]?.editable === false ? NaN : usdPerMwh));
}

/** Statistics of the prices; null when no bus has one. */
export function priceStatistics(prices: Float64Array, demandMw: Float64Array): PriceStatistics | null {
  const min: PriceAt = { usdPerMwh: Infinity, row: -1 };
  const max: PriceAt = { usdPerMwh: -Infinity, row: -1 };
  let [count, sum, negative, cost, demand, unweightedMw] = [0, 0, 0, 0, 0, 0];
  for (let row = 0; row < prices.length; row += 1) {
    const usdPerMwh = prices[row] ?? NaN;
    if (!Number.isFinite(usdPerMwh)) {
      continue;
    }
    count += 1;
    sum += usdPerMwh;
    negative += usdPerMwh < 0 ? 1 : 0;
    const mw = demandMw[row] ?? 0;
    if (mw > 0) {
      cost += mw * usdPerMwh;
      demand += mw;
    } else if (mw < 0) {
      unweightedMw += mw;
    }
    if (usdPerMwh < min.usdPerMwh) {
      Object.assign(min, { usdPerMwh, row });
    }
    if (usdPerMwh > max.usdPerMwh) {
      Object.assign(max, { usdPerMwh, row });
    }
  }
  const means = { mean: sum / count, loadWeighted: cost / demand, unweightedMw };
  return count === 0 ? null : { count, ...means, min, max, negative };
}

/** Dense rows of the branches with a shadow price, the highest first. */
export function bindingRows(shadow: Float64Array): number[] {
  const rows: number[] = [];
  shadow.forEach((price, row) => {
    if (price > 0) {
      rows.push(row);
    }
  });
  return rows.sort((a, b) => (shadow[b] ?? 0) - (shadow[a] ?? 0) || a - b);
}

/** Sum of a column over the elements of the problem. */
export function total(column: Float64Array): number {
  return column.reduce((sum, value) => (Number.isFinite(value) ? sum + value : sum), 0);
}
