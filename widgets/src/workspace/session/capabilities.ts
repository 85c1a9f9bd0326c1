import { ABILITIES, type Ability, type FormulationId } from "@service/engine";
import { PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import { VOLTAGE } from "../quantities/voltages.ts";

/**
 * The capabilities of a case: the abilities of Studies of its formulation as the engine lists them, prices where
 * results have them, estimates of voltages under a moving demand where results have no prices, and the power flow of a
 * multiconductor case. Views and tools check these rather than formulations.
 */
export type Capability = Ability | "prices" | "voltage_estimates" | "power_flow";

/** The formulations of available Studies, in display order. */
export const AVAILABLE_FORMULATIONS: readonly FormulationId[] = (["dcopf", "dcpf", "socwr", "acpf"] as const).filter(
  (formulation) => ABILITIES[formulation].length > 0,
);

/** The capabilities of a multiconductor case: neither prices nor planning. */
export const FEEDER_CAPABILITIES: ReadonlySet<Capability> = new Set<Capability>(["power_flow"]);

/** The capabilities of a case that can only be viewed. */
export const NO_CAPABILITIES: ReadonlySet<Capability> = new Set();

/** Whether the Studies of a formulation have an ability. */
export function does(formulation: FormulationId, ability: Ability): boolean {
  return ABILITIES[formulation].includes(ability);
}

/**
 * The capabilities of a case whose result has these columns. The sensitivities on screen are those of prices, or
 * without prices those of voltages.
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

/**
 * The capabilities that remain while a saved state is inspected; price components only where the live state has the
 * same formulation.
 */
export function readOnly(capabilities: ReadonlySet<Capability>, sameFormulation: boolean): ReadonlySet<Capability> {
  const readable: readonly Capability[] = sameFormulation ? ["prices", "lmp_components"] : ["prices"];
  return new Set(readable.filter((capability) => capabilities.has(capability)));
}
