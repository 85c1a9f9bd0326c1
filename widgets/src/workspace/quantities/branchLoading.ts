import { EXCEEDED_LOADING, SAME_LOADING, WARNING_LOADING } from "@service/engine";

/**
 * The drawing class of a branch: out of service, calm, near its rating, or binding; above its rating in formulations
 * without limits.
 */
export type LoadingClass = "out" | "calm" | "warning" | "binding";

/** Dense rows of the branches loaded above their rating, the heaviest first. */
export function exceededRows(loading: Float64Array): number[] {
  const rows = [...loading.keys()].filter((row) => (loading[row] ?? NaN) > EXCEEDED_LOADING);
  return rows.sort((a, b) => (loading[b] ?? 0) - (loading[a] ?? 0) || a - b);
}

/** Whether a branch binds: its limit has a shadow price. A branch at its limit with zero shadow price does not bind. */
export function binds(shadow: number): boolean {
  return shadow > 0;
}

/**
 * The class of one branch by its loading and the multiplier of its limit, which is null in formulations without limits.
 */
export function loadingClass(loading: number, shadow: number | null): LoadingClass {
  if (!Number.isFinite(loading)) {
    return "out";
  }
  if (shadow === null ? loading > EXCEEDED_LOADING : binds(shadow)) {
    return "binding";
  }
  return loading >= WARNING_LOADING - SAME_LOADING ? "warning" : "calm";
}

/**
 * Dense rows of the branches of each class, by loading and shadow price; shadow prices are null in formulations without
 * limits. With `shadows`, the binding branches are its keys, dense rows.
 */
export function classifyBranches(
  loading: Float64Array,
  shadow: Float64Array | null,
  shadows: ReadonlyMap<number, number> | null = null,
): Record<LoadingClass, number[]> {
  const rows: Record<LoadingClass, number[]> = { out: [], calm: [], warning: [], binding: [] };
  loading.forEach((share, row) => {
    const price = shadows !== null ? (shadows.get(row) ?? 0) : shadow === null ? null : (shadow[row] ?? 0);
    rows[loadingClass(share, price)].push(row);
  });
  return rows;
}

/** Dense row of the branch with the highest loading, -1 without any. */
export function heaviestBranch(loading: Float64Array): number {
  let heaviest = -1;
  loading.forEach((value, row) => {
    if (Number.isFinite(value) && (heaviest < 0 || value > (loading[heaviest] ?? 0))) {
      heaviest = row;
    }
  });
  return heaviest;
}

/** The common price of all buses; null when prices differ by more than rounding. */
export function onePrice(prices: Float64Array): number | null {
  let [low, high] = [Infinity, -Infinity];
  for (const price of prices) {
    if (Number.isFinite(price)) {
      low = Math.min(low, price);
      high = Math.max(high, price);
    }
  }
  return low <= high && high - low <= 1e-6 * Math.max(1, Math.abs(high)) ? high : null;
}
