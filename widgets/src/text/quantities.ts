/** Names, units and numbers of quantities, whatever formulation gives them. */

import { formatMw, formatPrice, formatSignificant, type SignOption } from "./numbers.ts";
import { trans } from "./translation.ts";

/** A quantity as people read it. */
export interface QuantityWords {
  readonly label: string;
  readonly unit: string;
  format(value: number, options?: SignOption): string;
}

/** The words of a quantity of the engine by its name and unit; one that has no words here goes by its name. */
export function quantityWords(name: string, unit: string): QuantityWords {
  return { label: labelOf(name), unit: unitText(unit), format: formatOf(unit) };
}

function labelOf(name: string): string {
  switch (name) {
    case "lmp":
      return trans.__("Price");
    case "demand_mw":
      return trans.__("Demand");
    case "vm_pu":
      return trans.__("Voltage magnitude");
    case "va_rad":
      return trans.__("Voltage angle");
    case "injection_mw":
      return trans.__("Net injection");
    default: {
      const words = name.replace(/_(mw|mvar|mva|pu|rad)$/, "").replace(/_/g, " ");
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

function unitText(unit: string): string {
  return unit === "pu" ? "p.u." : unit;
}

function formatOf(unit: string): QuantityWords["format"] {
  switch (unit) {
    case "MW":
    case "MVAr":
    case "MVA":
      return formatMw;
    case "$/MWh":
    case "$/MVArh":
      return formatPrice;
    default:
      return formatSignificant;
  }
}
