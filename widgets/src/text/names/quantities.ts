/** Names, units and numbers of quantities, whatever formulation gives them. */

import { type ColumnName, COLUMNS } from "@service/engine";
import { formatAngle, formatMw, formatPerUnit, formatPrice, formatSignificant, type SignOption } from "../numbers.ts";
import { trans } from "../translation.ts";

/** A quantity as people read it. */
export interface QuantityWords {
  readonly label: string;
  readonly unit: string;
  format(value: number, options?: SignOption): string;
}

/** A value with its unit: `1.0123 pu`, `\u22122.86\u00b0`, a number alone where there is no unit. */
export function valueWithUnit({ unit, format }: Omit<QuantityWords, "label">, value: number): string {
  const text = format(value);
  return unit === "" ? text : unit === "\u00b0" ? `${text}${unit}` : `${text} ${unit}`;
}

/** The words of a quantity of the engine by its name and unit; one that has no words here goes by its name. */
export function quantityWords(name: string, unit: string): QuantityWords {
  return { label: labelOf(name), unit: unitText(unit), format: formatOf(unit) };
}

/** The unit of a column of results as people read it. */
export function columnUnit(name: ColumnName): string {
  return unitText(COLUMNS[name].unit);
}

function labelOf(name: string): string {
  switch (name) {
    case "lmp":
      return trans.__("Price");
    case "lmp_q":
      return trans.__("Reactive price");
    case "lmp_energy":
      return trans.__("Price: energy");
    case "lmp_losses":
      return trans.__("Price: losses");
    case "lmp_congestion":
      return trans.__("Price: congestion");
    case "lmp_voltage":
      return trans.__("Price: voltage limits");
    case "slack_weight":
      return trans.__("Weight in the slack");
    case "product_real":
      return trans.__("Voltage product, real part");
    case "product_imag":
      return trans.__("Voltage product, imaginary part");
    case "cone_gap":
      return trans.__("Gap of the relaxation");
    case "demand_mw":
      return trans.__("Demand");
    case "vm_pu":
      return trans.__("Voltage magnitude");
    case "va_rad":
      return trans.__("Voltage angle");
    case "demand_mvar":
      return trans.__("Reactive demand");
    case "injection_mw":
      return trans.__("Net injection");
    case "injection_mvar":
      return trans.__("Net reactive injection");
    case "vm_min_pu":
      return trans.__("Vmin");
    case "vm_max_pu":
      return trans.__("Vmax");
    case "flow_mvar":
      return trans.__("Reactive flow");
    case "flow_to_mw":
      return trans.__("Flow at the to end");
    case "flow_to_mvar":
      return trans.__("Reactive flow at the to end");
    case "rating_mva":
      return trans.__("Rating");
    case "flow_mw":
      return trans.__("Flow");
    case "dispatch_mw":
      return trans.__("Dispatch");
    case "dispatch_mvar":
      return trans.__("Reactive output");
    case "limit_shadow":
      return trans.__("Shadow price of the limit");
    case "q_min_mvar":
      return trans.__("Qmin");
    case "q_max_mvar":
      return trans.__("Qmax");
    default: {
      const words = name.replace(/_(mw|mvar|mva|pu|rad)$/, "").replace(/_/g, " ");
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

function unitText(unit: string): string {
  switch (unit) {
    case "pu":
      return "pu";
    case "rad":
      return "\u00b0"; // as it is written
    case "1":
      return ""; // a number alone
    default:
      return unit;
  }
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
    case "pu":
      return formatPerUnit;
    case "rad":
      return formatAngle;
    default:
      return formatSignificant;
  }
}
