import type { BrowserFormulation } from "@service/engine";
import { PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";

/**
 * What can be done with a case: change demands and ratings, read prices, ask how they respond to an element and follow them exactly
 * along it, screen outages. Views and tools ask for these and not for formulations.
 */
export type Capability = "edits" | "prices" | "sensitivities" | "paths" | "outages";

/** What the Studies of a formulation do besides what their results tell. */
const OF_FORMULATION: Record<BrowserFormulation, readonly Capability[]> = {
  dcopf: ["edits", "sensitivities", "paths", "outages"],
  socwr: ["edits"],
  acpf: ["edits"],
};

/** What can be done with a case that is only looked at. */
export const NO_CAPABILITIES: ReadonlySet<Capability> = new Set();

/** What can be done with a case of a formulation, whose result has these quantities. */
export function capabilitiesOf(formulation: BrowserFormulation, columns: QuantityTable): ReadonlySet<Capability> {
  const priced: readonly Capability[] = columns.has(PRICE) ? ["prices"] : [];
  return new Set([...OF_FORMULATION[formulation], ...priced]);
}
