import type { EnergySource, TopologyGenerator } from "@service/engine";
import { trans } from "../translation.ts";

type Unit = Pick<TopologyGenerator, "id" | "energy_source" | "p_min_mw" | "p_max_mw">;

/**
 * Whether a generator only draws power: a dispatchable load, served while the price is below its benefit (MATPOWER
 * manual, 6.4.2).
 */
export function isDispatchableLoad({ p_min_mw: least, p_max_mw: most }: Omit<Unit, "id" | "energy_source">): boolean {
  return (most ?? Infinity) <= 0 && (least ?? -Infinity) < 0;
}

/** A generator named by its energy source, or as a dispatchable load. */
export function generatorName(unit: Unit): string {
  if (isDispatchableLoad(unit)) {
    return trans.__("Dispatchable load %1", unit.id);
  }
  return unit.energy_source === "other"
    ? trans.__("Generator %1", unit.id)
    : trans.__("Generator %1, %2", unit.id, energySourceWord(unit.energy_source));
}

/** The generators of an energy source within a sentence. */
export function generatorsOfSource(source: EnergySource): string {
  return source === "other"
    ? trans.__("generators without a stated fuel")
    : trans.__("%1 generators", energySourceWord(source));
}

/** An energy source in a word. */
export function energySourceWord(source: EnergySource): string {
  switch (source) {
    case "thermal":
      return trans.__("thermal");
    case "coal":
      return trans.__("coal");
    case "gas":
      return trans.__("gas");
    case "nuclear":
      return trans.__("nuclear");
    case "hydro":
      return trans.__("hydro");
    case "wind":
      return trans.__("wind");
    case "solar":
      return trans.__("solar");
    case "other":
      return trans.__("other");
  }
}
