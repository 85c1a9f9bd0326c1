import type { OpenedCase } from "../cases/openedCase.ts";
import type { ExactResult } from "../history/committedState.ts";
import { heaviestBranch } from "./branchLoading.ts";
import { totalLosses } from "./branchPower.ts";
import { PRICE } from "./prices.ts";
import { type PriceStatistics, priceStatistics, pricesOfBuses, total } from "./priceStatistics.ts";
import type { QuantityTable } from "./quantityTable.ts";
import { type VoltageStatistics, voltageStatistics } from "./voltages.ts";

/**
 * Key figures of an exact result, for comparison with other formulations; null where the formulation has no such
 * figure.
 */
export interface ResultFigures {
  /** $/h. */
  readonly objective: number | null;
  readonly generationMw: number | null;
  readonly lossesMw: number | null;
  readonly prices: PriceStatistics | null;
  readonly voltages: VoltageStatistics | null;
  /** The most loaded line, by dense row, with its loading relative to its rating. */
  readonly heaviest: { readonly row: number; readonly loading: number } | null;
  /** Number of lines above their rating. */
  readonly overloaded: number;
}

/** Loadings up to this far above 1 are rounding. */
const TOLERANCE = 1e-6;

/** The figures of a result. */
export function resultFigures({ solution, columns }: ExactResult, opened: OpenedCase): ResultFigures {
  const prices = columns.values(PRICE);
  const demandMw = columns.values("demand_mw") ?? new Float64Array();
  const dispatchMw = columns.values("dispatch_mw");
  const loading = columns.values("loading") ?? new Float64Array();
  const heaviest = heaviestBranch(loading);
  return {
    objective: solution.objective ?? null,
    generationMw: dispatchMw && total(dispatchMw),
    lossesMw: totalLosses((name) => columns.values(name)),
    prices: prices && priceStatistics(pricesOfBuses(opened, prices), demandMw),
    voltages: voltageStatistics(columns),
    heaviest: heaviest < 0 ? null : { row: heaviest, loading: loading[heaviest] ?? NaN },
    overloaded: loading.reduce((count, share) => (share > 1 + TOLERANCE ? count + 1 : count), 0),
  };
}

/**
 * The line whose flow differs most between two results, by dense row, and the difference, MW; null where no line is in
 * both.
 */
export function largestFlowDifference(one: QuantityTable, other: QuantityTable): { row: number; mw: number } | null {
  const [here, there] = [one.values("flow_mw"), other.values("flow_mw")];
  let [row, largest] = [-1, -1];
  here?.forEach((mw, at) => {
    const difference = Math.abs(mw - (there?.[at] ?? NaN));
    if (difference > largest) {
      [row, largest] = [at, difference];
    }
  });
  return row < 0 ? null : { row, mw: largest };
}
