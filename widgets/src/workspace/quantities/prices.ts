import type { Solution } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Name of the locational marginal prices, $/MWh, which previews show and which respond to edits. */
export const PRICE = "lmp";

/** Name of the price changes from the reference state on maps, $/MWh. */
export const PRICE_CHANGE = "lmp_change";

/** Name of the shadow prices of the lines, $/MWh. */
export const SHADOW_PRICE = "shadow";

/**
 * An exact state that is shown but not published: its quantities by name and dense row, including prices, and the
 * shadow prices of binding lines, $/MWh by dense row.
 */
export interface ExactState {
  columns: ReadonlyMap<string, Float64Array>;
  shadows: ReadonlyMap<number, number>;
}

/** An exact state to show; null where its formulation has no prices. */
export function exactStateOf(columns: QuantityTable): ExactState | null {
  return columns.has(PRICE) ? { columns: columns.byName(), shadows: shadowsOf(columns) } : null;
}

/** Shadow prices of the binding lines, $/MWh by dense row. */
function shadowsOf(columns: QuantityTable): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  columns.values(SHADOW_PRICE)?.forEach((price, row) => {
    if (price > 0) {
      found.set(row, price);
    }
  });
  return found;
}

/**
 * The shadow prices of the limits that follow the rating of each branch, $/MWh by dense row: of the rating itself, and after
 * outages. Null where the formulation has none.
 */
export function ratingShadows(
  columns: QuantityTable,
  { security }: Pick<Solution, "security">,
  opened: Pick<OpenedCase, "branchRow">,
): Float64Array | null {
  const own = columns.values(SHADOW_PRICE);
  if (own === null || security === undefined) {
    return own;
  }
  const shadows = own.slice();
  for (const { branch, outage, generators_out = [], shadow_usd_per_mwh } of security.binding) {
    // That of a rating before outages is in the column.
    if (outage.length + generators_out.length > 0) {
      const row = opened.branchRow(branch);
      shadows[row] = (shadows[row] ?? 0) + shadow_usd_per_mwh;
    }
  }
  return shadows;
}

/** The bus with the largest error of a prediction. */
export interface Miss {
  usdPerMwh: number;
  /** Dense bus row; -1 when every price was exact. */
  row: number;
}

/** Largest absolute difference of two price columns, ignoring NaN rows outside the problem. */
export function largestMiss(predicted: Float64Array, exact: Float64Array): Miss {
  const miss: Miss = { usdPerMwh: 0, row: -1 };
  for (let row = 0; row < exact.length; row += 1) {
    const off = Math.abs((predicted[row] ?? NaN) - (exact[row] ?? NaN));
    if (off > miss.usdPerMwh) {
      miss.usdPerMwh = off;
      miss.row = row;
    }
  }
  return miss;
}
