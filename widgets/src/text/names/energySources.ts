import type { EnergySource } from "@service/engine";
import { trans } from "../translation.ts";

/** What drives a generator, in a word. */
export function energySourceWord(source: EnergySource): string {
  switch (source) {
    case "thermal":
      return trans.__("thermal");
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
