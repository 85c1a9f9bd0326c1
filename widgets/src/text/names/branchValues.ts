import { formatPower, type PowerUnit } from "../numbers.ts";
import { trans } from "../translation.ts";

type BranchField = "rating" | "x" | "tap" | "shift";

/** The name of a branch's value within a sentence. */
export function branchValueName(field: BranchField): string {
  switch (field) {
    case "rating":
      return trans.__("rating");
    case "x":
      return trans.__("reactance");
    case "tap":
      return trans.__("tap ratio");
    case "shift":
      return trans.__("phase shift");
  }
}

/** A value of a branch with its unit, which is `unit` for ratings: `400.0 MW`, `0.05 pu`, `0.97`, `2.5°`. */
export function branchValueText(field: BranchField, value: number, unit: PowerUnit): string {
  switch (field) {
    case "rating":
      return formatPower(value, unit);
    case "x":
      return trans.__("%1 pu", String(value));
    case "tap":
      return String(value);
    case "shift":
      return `${String(value)}°`;
  }
}
