import { VOLTAGE_TOLERANCE_PU } from "@service/engine";
import type { QuantityTable } from "./quantityTable.ts";

/** Name of the voltage magnitudes, per unit. */
export const VOLTAGE = "vm_pu";

/** Names of the limits of the voltage magnitudes, per unit. */
export const VOLTAGE_LIMITS = ["vm_min_pu", "vm_max_pu"] as const;

/**
 * Distance of voltage magnitudes outside the limits of their buses, per unit by dense row: positive above the upper
 * limit, negative below the lower one, zero between them. Null where the state has no limits.
 */
export function voltageExcess(magnitudes: Float64Array, columns: QuantityTable): Float64Array | null {
  const limits = columns.pick(...VOLTAGE_LIMITS);
  return (
    limits &&
    magnitudes.map((magnitude, row) => {
      const [over, under] = [magnitude - (limits.vm_max_pu[row] ?? NaN), magnitude - (limits.vm_min_pu[row] ?? NaN)];
      return over > VOLTAGE_TOLERANCE_PU
        ? over
        : under < -VOLTAGE_TOLERANCE_PU
          ? under
          : Number.isFinite(magnitude)
            ? 0
            : NaN;
    })
  );
}

/** A voltage magnitude and the dense row of its bus. */
export interface VoltageAt {
  pu: number;
  row: number;
}

/** Statistics of the voltages of one state. Buses outside the problem are left out. */
export interface VoltageStatistics {
  min: VoltageAt;
  max: VoltageAt;
  /** Dense rows of the buses above and below their limits, the furthest first. */
  above: readonly number[];
  below: readonly number[];
}

/** Statistics of the voltage magnitudes; null where the state has none. */
export function voltageStatistics(columns: QuantityTable): VoltageStatistics | null {
  const magnitudes = columns.values("vm_pu");
  if (magnitudes?.some(Number.isFinite) !== true) {
    return null;
  }
  const min: VoltageAt = { pu: Infinity, row: -1 };
  const max: VoltageAt = { pu: -Infinity, row: -1 };
  magnitudes.forEach((pu, row) => {
    if (pu < min.pu) {
      Object.assign(min, { pu, row });
    }
    if (pu > max.pu) {
      Object.assign(max, { pu, row });
    }
  });
  const excess = voltageExcess(magnitudes, columns) ?? new Float64Array();
  const rows = Array.from(excess.keys());
  const size = (row: number): number => Math.abs(excess[row] ?? 0);
  const furthest = (list: number[]): number[] => list.sort((a, b) => size(b) - size(a) || a - b);
  return {
    min,
    max,
    above: furthest(rows.filter((row) => (excess[row] ?? NaN) > 0)),
    below: furthest(rows.filter((row) => (excess[row] ?? NaN) < 0)),
  };
}

/** The most common voltage limits, per unit; null where they are unknown. */
export function usualLimits(columns: QuantityTable): { low: number; high: number } | null {
  const [low, high] = VOLTAGE_LIMITS.map((name) => mostFrequent(columns.values(name)));
  return low == null || high == null || !(high > low) ? null : { low, high };
}

function mostFrequent(values: Float64Array | null): number | null {
  const counts = new Map<number, number>();
  for (const value of values?.filter(Number.isFinite) ?? []) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return first?.[0] ?? null;
}
