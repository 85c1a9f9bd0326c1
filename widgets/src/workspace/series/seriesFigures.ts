import { PRICE, SHADOW_PRICE } from "../quantities/prices.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { SolvedSeries } from "./solvedSeries.ts";

/** A share of the solved steps, and the price reached in at least that share, $/MWh. */
export interface DurationPoint {
  readonly share: number;
  readonly price: number;
}

/** A line that binds in some step. */
export interface BindingLine {
  /** Dense row. */
  readonly row: number;
  /** Number of steps in which it binds. */
  readonly steps: number;
  /** Those steps as a share of the solved ones. */
  readonly share: number;
  /** Its mean shadow price while it binds, $/MWh. */
  readonly shadow: number;
  /** Congestion rent summed over the steps, $ where a step is an hour. */
  readonly rent: number;
}

/** Prices in descending order, each with the share of solved steps at that price or above. */
export function priceDuration(prices: Float64Array): DurationPoint[] {
  const sorted = prices.filter(Number.isFinite).sort().reverse();
  return Array.from(sorted, (price, k) => ({ share: (k + 1) / sorted.length, price }));
}

/** The mean price by step, weighted by the demand of the base case where it is positive, $/MWh; NaN in a step that failed. */
export function meanPrices(series: SolvedSeries, opened: OpenedCase): Float64Array {
  const weights = opened.buses.map(({ demand_mw }) => Math.max(0, demand_mw));
  return Float64Array.from(series.steps, (_, step) => {
    const prices = series.values(PRICE, step);
    let [paid, demand] = [0, 0];
    weights.forEach((weight, row) => {
      const price = prices?.[row] ?? NaN;
      if (weight > 0 && (Number.isFinite(price) || series.error(step) !== null)) {
        paid += price * weight;
        demand += weight;
      }
    });
    return demand > 0 ? paid / demand : NaN;
  });
}

/** The lines that bind in some step, most congestion rent first. */
export function bindingLines(series: SolvedSeries): BindingLine[] {
  const solved = series.length - series.failures.length;
  const sums = new Map<number, { steps: number; shadow: number; rent: number }>();
  for (let step = 0; step < series.length; step += 1) {
    const flows = series.values("flow_mw", step);
    series.values(SHADOW_PRICE, step)?.forEach((shadow, row) => {
      if (shadow > 0) {
        const sum = sums.get(row) ?? { steps: 0, shadow: 0, rent: 0 };
        sum.steps += 1;
        sum.shadow += shadow;
        sum.rent += shadow * Math.abs(flows?.[row] ?? NaN);
        sums.set(row, sum);
      }
    });
  }
  return Array.from(sums, ([row, { steps, shadow, rent }]) => ({
    row,
    steps,
    share: steps / solved,
    shadow: shadow / steps,
    rent,
  })).sort((a, b) => b.rent - a.rent || a.row - b.row);
}

/** The congestion rent of each step, $/h: the shadow price of each rating times the flow; NaN in a step that failed. */
export function congestionRents(series: SolvedSeries): Float64Array {
  return Float64Array.from(series.steps, (_, step) => {
    if (series.error(step) !== null) {
      return NaN;
    }
    const flows = series.values("flow_mw", step);
    const shadows = series.values(SHADOW_PRICE, step) ?? new Float64Array();
    return shadows.reduce((sum, shadow, row) => (shadow > 0 ? sum + shadow * Math.abs(flows?.[row] ?? NaN) : sum), 0);
  });
}

/**
 * A quantity by step and element as comma-separated values: plain numbers, a full stop, empty cells where a value is
 * missing.
 */
export function seriesCsv(series: SolvedSeries, name: string, ids: readonly number[]): string {
  const head = ["step", ...ids].join(",");
  const line = (_: unknown, step: number): string => {
    const values = series.values(name, step) ?? new Float64Array();
    const cells = ids.map((_id, row) => (Number.isFinite(values[row]) ? String(values[row]) : ""));
    return [csvCell(series.profile.steps[step] ?? ""), ...cells].join(",");
  };
  return [head, ...series.steps.map(line)].join("\r\n") + "\r\n";
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
