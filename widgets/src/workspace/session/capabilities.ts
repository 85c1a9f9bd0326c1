import type { FormulationId } from "@service/engine";
import { PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";

/**
 * What can be done with a case: change demands and ratings, read prices, ask how they respond to an element and follow them exactly
 * along it, screen outages, explain why there is no solution. Views and tools ask for these and not for formulations.
 */
export type Capability =
  "edits" | "prices" | "sensitivities" | "paths" | "outages" | "explanations" | "voltage_estimates";

/** What the Studies of a formulation do besides what their results tell; nothing where this engine has none. */
const OF_FORMULATION: Record<FormulationId, readonly Capability[]> = {
  dcopf: ["edits", "sensitivities", "paths", "outages", "explanations"],
  dcpf: [],
  acpf: ["edits", "voltage_estimates"],
  socwr: [],
};

/** The formulations in which Studies can be solved, in the order in which they are offered. */
export const AVAILABLE_FORMULATIONS: readonly FormulationId[] = (["dcopf", "dcpf", "socwr", "acpf"] as const).filter(
  (formulation) => OF_FORMULATION[formulation].length > 0,
);

/** What can be done with a case that is only looked at. */
export const NO_CAPABILITIES: ReadonlySet<Capability> = new Set();

/** Whether the Studies of a formulation do something. */
export function does(formulation: FormulationId, capability: Exclude<Capability, "prices">): boolean {
  return OF_FORMULATION[formulation].includes(capability);
}

/** What can be done with a case of a formulation, whose result has these quantities. */
export function capabilitiesOf(formulation: FormulationId, columns: QuantityTable): ReadonlySet<Capability> {
  const priced: readonly Capability[] = columns.has(PRICE) ? ["prices"] : [];
  return new Set([...OF_FORMULATION[formulation], ...priced]);
}
