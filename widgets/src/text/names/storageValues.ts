import { formatMw, formatPower } from "../numbers.ts";
import { trans } from "../translation.ts";

/** Powers below this, MW, are zero. */
const AT_REST_MW = 1e-6;

type StorageField =
  | "p"
  | "q"
  | "p_charge_max"
  | "p_discharge_max"
  | "charge_efficiency"
  | "discharge_efficiency"
  | "energy"
  | "energy_min"
  | "energy_max"
  | "energy_value";

/** The name of a storage unit's value within a sentence. */
export function storageValueName(field: StorageField): string {
  switch (field) {
    case "p":
      return trans.__("held power");
    case "q":
      return trans.__("reactive power");
    case "p_charge_max":
      return trans.__("largest charging power");
    case "p_discharge_max":
      return trans.__("largest discharging power");
    case "charge_efficiency":
      return trans.__("charging efficiency");
    case "discharge_efficiency":
      return trans.__("discharging efficiency");
    case "energy":
      return trans.__("stored energy");
    case "energy_min":
      return trans.__("least stored energy");
    case "energy_max":
      return trans.__("largest stored energy");
    case "energy_value":
      return trans.__("value of stored energy");
  }
}

/** A value of a storage unit with its unit: `20.0 MW`, `0.95`, `80.0 MWh`, `25.00 $/MWh`. */
export function storageValueText(field: StorageField, value: number): string {
  switch (field) {
    case "p":
    case "p_charge_max":
    case "p_discharge_max":
      return formatPower(value, "MW");
    case "q":
      return `${formatMw(value)} MVAr`;
    case "charge_efficiency":
    case "discharge_efficiency":
      return formatPower(value, "");
    case "energy":
    case "energy_min":
    case "energy_max":
      return `${formatMw(value)} MWh`;
    case "energy_value":
      return formatPower(value, "$/MWh");
  }
}

/** Whether a storage unit of some power charges, discharges or is at rest. */
export function storageState(mw: number): "charging" | "discharging" | "at rest" {
  return Math.abs(mw) < AT_REST_MW ? "at rest" : mw > 0 ? "discharging" : "charging";
}

/** The power of a storage unit in words: `discharging 20.0 MW`, `charging 20.0 MW`, `at rest`. */
export function storagePowerText(mw: number): string {
  switch (storageState(mw)) {
    case "charging":
      return trans.__("charging %1 MW", formatMw(-mw));
    case "discharging":
      return trans.__("discharging %1 MW", formatMw(mw));
    case "at rest":
      return trans.__("at rest");
  }
}
