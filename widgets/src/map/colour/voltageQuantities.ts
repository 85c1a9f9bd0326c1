import { formatCount, trans } from "../../text/index.ts";
import { type CaseSession, usualLimits, voltageExcess, voltageStatistics } from "../../workspace/index.ts";
import { type QuantityInfo, tableQuantity } from "./quantityInfo.ts";

/** Name of the distance of voltages outside their limits. */
const VOLTAGE_EXCESS = "voltage_excess";

/** Bus quantities of formulations with voltage magnitudes, in the order of the menu. */
export const VOLTAGE_QUANTITIES: Record<"voltage" | typeof VOLTAGE_EXCESS, QuantityInfo> = {
  voltage: tableQuantity("voltage", {
    live: true,
    values: ({ store }) => store.shown("vm_pu"),
    note: ({ store }) => limitsNote(store),
    missing: ({ store }) => (store.columns.has("vm_pu") ? null : noMagnitudes()),
    absence: ({ state }) => (state.solution.dc_convention === undefined ? null : noMagnitudes()),
  }),
  [VOLTAGE_EXCESS]: tableQuantity(VOLTAGE_EXCESS, {
    live: true,
    values: excessOf,
    uniform: (session) =>
      excessOf(session)?.some((excess) => Math.abs(excess) > 0) === true
        ? null
        : trans.__("Every voltage is within its limits"),
  }),
};

/** The number of voltages outside their limits, in words; null if all are inside. */
function limitsNote(store: CaseSession["store"]): string | null {
  const values = store.shown("vm_pu");
  const limits = usualLimits(store.columns);
  const shown = values && store.columns.with({ name: "vm_pu", element: "bus", unit: "pu", values });
  const found = shown && voltageStatistics(shown);
  if (limits === null || found === null) {
    return null;
  }
  const [low, high] = [limits.low.toFixed(3), limits.high.toFixed(3)];
  return found.below.length + found.above.length === 0
    ? trans.__("Limits %1 to %2: all within", low, high)
    : trans.__(
        "Limits %1 to %2: %3 below, %4 above",
        low,
        high,
        formatCount(found.below.length),
        formatCount(found.above.length),
      );
}

function excessOf({ store }: CaseSession): Float64Array | null {
  const magnitudes = store.shown("vm_pu");
  return magnitudes === null ? null : voltageExcess(magnitudes, store.columns);
}

function noMagnitudes(): string {
  return trans.__("The DC model takes every voltage magnitude as 1 pu.");
}
