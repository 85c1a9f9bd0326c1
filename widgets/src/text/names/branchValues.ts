import { formatPower } from "../numbers.ts";
import { trans } from "../translation.ts";

type BranchField = "rating" | "x" | "tap" | "shift";

/** Name and unit of a value of a branch that an edit replaces. */
export function branchValueWords(field: BranchField): { name: string; unit: string } {
  switch (field) {
    case "rating":
      return { name: trans.__("rating"), unit: "MW" };
    case "x":
      return { name: trans.__("reactance"), unit: "pu" };
    case "tap":
      return { name: trans.__("tap ratio"), unit: "" };
    case "shift":
      return { name: trans.__("phase shift"), unit: "°" };
  }
}

/** A value with its unit: `400.0 MW`, `0.05 pu`, `0.97`, `2.5°`. */
export function branchValueText(field: BranchField, value: number): string {
  switch (field) {
    case "rating":
      return formatPower(value, "MW");
    case "x":
      return `${String(value)} pu`;
    case "tap":
      return String(value);
    case "shift":
      return `${String(value)}°`;
  }
}
