/** Names, units and number formats of quantities, in any formulation. */

import { type ColumnName, COLUMNS, QUANTITIES } from "@service/engine";
import {
  formatAngle,
  formatDecimals,
  formatDerivative,
  formatMw,
  formatPerUnit,
  formatPrice,
  formatPriceChange,
  formatSignificant,
  type SignOption,
} from "../numbers.ts";
import { columnTitle, quantityLabel, unitWord } from "./words.generated.ts";

/** The display name and format of a quantity. */
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

/** The words of an engine quantity by its name and unit; without words here it has its own name. */
export function quantityWords(name: string, unit: string): QuantityWords {
  return { label: labelOf(name), unit: unitText(unit), format: formatOf(unit) };
}

/** The display unit of a result column. */
export function columnUnit(name: ColumnName): string {
  return unitText(COLUMNS[name].unit);
}

/** Name of a quantity in the engine's table. */
export type QuantityName = keyof typeof QUANTITIES;

/** The words of a quantity of the engine's table, translated when they are read. */
export function tableWords(name: QuantityName): QuantityWords {
  const { unit, digits } = QUANTITIES[name];
  return {
    get label() {
      return quantityLabel(name);
    },
    get unit() {
      return unitWord(name) || unitText(unit);
    },
    format: typeof digits === "number" ? (value, options) => formatDecimals(value, digits, options) : FORMATS[digits],
  };
}

const FORMATS = {
  power: formatMw,
  price: formatPrice,
  price_change: formatPriceChange,
  derivative: formatDerivative,
  per_unit: formatPerUnit,
  significant: formatSignificant,
  plain: String,
} satisfies Record<string, QuantityWords["format"]>;

function labelOf(name: string): string {
  const title = columnTitle(name);
  if (title !== "") {
    return title;
  }
  const words = name.replace(/_(mw|mvar|mva|pu|rad)$/, "").replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function unitText(unit: string): string {
  switch (unit) {
    case "pu":
      return "pu";
    case "rad":
      return "\u00b0"; // no space before the sign
    case "1":
      return ""; // a plain number
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
