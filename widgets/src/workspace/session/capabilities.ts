import { ABILITIES, type Ability, type FormulationId } from "@service/engine";
import { PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import { VOLTAGE } from "../quantities/voltages.ts";

/**
 * What can be done with a case: what the engine says that Studies of its formulation do, read prices where its results have them,
 * estimate voltages while a demand moves where they have none, and solve the power flow of a multiconductor case. Views and tools ask for these and not for formulations.
 */
export type Capability = Ability | "prices" | "voltage_estimates" | "power_flow";

/** The formulations in which Studies can be solved, in the order in which they are offered. */
export const AVAILABLE_FORMULATIONS: readonly FormulationId[] = (["dcopf", "dcpf", "socwr", "acpf"] as const).filter(
  (formulation) => ABILITIES[formulation].length > 0,
);

/** What can be done with a multiconductor case: neither prices nor planning. */
export const FEEDER_CAPABILITIES: ReadonlySet<Capability> = new Set<Capability>(["power_flow"]);

/** What can be done with a case that is only looked at. */
export const NO_CAPABILITIES: ReadonlySet<Capability> = new Set();

/** Whether the Studies of a formulation do something. */
export function does(formulation: FormulationId, ability: Ability): boolean {
  return ABILITIES[formulation].includes(ability);
}

/**
 * What can be done with a case of a formulation, whose result has these quantities. The sensitivities that views show are those of
 * prices; without prices they are those of voltages.
 */
export function capabilitiesOf(formulation: FormulationId, columns: QuantityTable): ReadonlySet<Capability> {
  const abilities = ABILITIES[formulation];
  if (columns.has(PRICE)) {
    return new Set<Capability>([...abilities, "prices"]);
  }
  const found = new Set<Capability>(abilities);
  if (found.delete("sensitivities") && columns.has(VOLTAGE)) {
    found.add("voltage_estimates");
  }
  return found;
}

/** What can still be done while a saved state is looked at; the parts of its prices where the live state has the same formulation. */
export function readOnly(capabilities: ReadonlySet<Capability>, sameFormulation: boolean): ReadonlySet<Capability> {
  const kept: readonly Capability[] = sameFormulation ? ["prices", "lmp_components"] : ["prices"];
  return new Set(kept.filter((capability) => capabilities.has(capability)));
}
