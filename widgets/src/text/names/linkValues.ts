import { type EditUnit, formatPower } from "../numbers.ts";
import { trans } from "../translation.ts";

type LinkField = "p_min" | "p_max" | "p" | "loss" | "loss_factor" | "cost";

/** The name of an HVDC link's value within a sentence. */
export function linkValueName(field: LinkField): string {
  switch (field) {
    case "p_min":
      return trans.__("lower limit");
    case "p_max":
      return trans.__("upper limit");
    case "p":
      return trans.__("scheduled power");
    case "loss":
      return trans.__("constant loss");
    case "loss_factor":
      return trans.__("loss factor");
    case "cost":
      return trans.__("cost");
  }
}

/** The name of an interface's limit within a sentence. */
export function interfaceLimitName(field: "min_mw" | "max_mw"): string {
  return linkValueName(field === "min_mw" ? "p_min" : "p_max");
}

/** A value of an HVDC link with its unit: `400.0 MW`, `0.05`, `2.50 $/MWh`. */
export function linkValueText(field: LinkField, value: number): string {
  const unit: EditUnit = field === "cost" ? "$/MWh" : field === "loss_factor" ? "" : "MW";
  return formatPower(value, unit);
}
