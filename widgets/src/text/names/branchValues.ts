import { type EditUnit, formatPower, type PowerUnit } from "../numbers.ts";
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

/** The unit of a branch's value, which is `unit` for ratings. */
function branchValueUnit(field: BranchField, unit: PowerUnit): EditUnit {
  switch (field) {
    case "rating":
      return unit;
    case "x":
      return "pu";
    case "tap":
      return "";
    case "shift":
      return "\u00b0";
  }
}

/** A value of a branch with its unit, which is `unit` for ratings: `400.0 MW`, `0.05 pu`, `0.97`, `2.5°`. */
export function branchValueText(field: BranchField, value: number, unit: PowerUnit): string {
  return formatPower(value, branchValueUnit(field, unit));
}
