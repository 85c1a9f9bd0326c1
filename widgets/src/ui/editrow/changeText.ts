import { type EditUnit, formatAmount, formatMwChange, formatPower, trans, withUnit } from "../../text/index.ts";
import type { EditedValue } from "../../workspace/index.ts";

/** `61.2 → 81.2 MW`, or `61.2 MW` without an edit; `none` where there is no base value. */
export function changeText(baseMw: number | null, deltaMw: number, unit: EditUnit): string {
  if (baseMw === null) {
    return deltaMw === 0 ? trans.__("none") : trans.__("none \u2192 %1", formatPower(deltaMw, unit));
  }
  if (deltaMw === 0) {
    return formatPower(baseMw, unit);
  }
  const change =
    unit === "MW" || unit === "MVA"
      ? formatMwChange(baseMw, baseMw + deltaMw)
      : `${formatAmount(baseMw, unit)} \u2192 ${formatAmount(baseMw + deltaMw, unit)}`;
  return withUnit(change, unit);
}

/** Label of a field for the change of the edited value. */
export function changeLabel(what: EditedValue, name: string, unit: EditUnit): string {
  switch (what) {
    case "demand":
      return trans.__("Change of the demand of %1, MW", name);
    case "rating":
      return trans.__("Change of the rating of %1, %2", name, unit);
    case "capacity":
      return trans.__("Change of the capacity of %1, MW", name);
    case "p_min":
      return trans.__("Change of Pmin of %1, MW", name);
    case "cost":
      return trans.__("Change of the marginal cost of %1, $/MWh", name);
    case "x":
      return trans.__("Change of the reactance of %1, pu", name);
    case "tap":
      return trans.__("Change of the tap ratio of %1", name);
    case "shift":
      return trans.__("Change of the phase shift of %1, degrees", name);
    case "limit":
      return trans.__("Change of the upper limit of %1, MW", name);
    case "schedule":
      return trans.__("Change of the scheduled power of %1, MW", name);
    case "injection":
      return trans.__("Change of the held power of %1, MW", name);
    case "energy_value":
      return trans.__("Change of the value of stored energy of %1, $/MWh", name);
  }
}

/** Label of a field for the edited value itself. */
export function totalLabel(what: EditedValue, name: string, unit: EditUnit): string {
  switch (what) {
    case "demand":
      return trans.__("New demand of %1, MW", name);
    case "rating":
      return trans.__("New rating of %1, %2", name, unit);
    case "capacity":
      return trans.__("New capacity of %1, MW", name);
    case "p_min":
      return trans.__("New Pmin of %1, MW", name);
    case "cost":
      return trans.__("New marginal cost of %1, $/MWh", name);
    case "x":
      return trans.__("New reactance of %1, pu", name);
    case "tap":
      return trans.__("New tap ratio of %1", name);
    case "shift":
      return trans.__("New phase shift of %1, degrees", name);
    case "limit":
      return trans.__("New upper limit of %1, MW", name);
    case "schedule":
      return trans.__("New scheduled power of %1, MW", name);
    case "injection":
      return trans.__("New held power of %1, MW", name);
    case "energy_value":
      return trans.__("New value of stored energy of %1, $/MWh", name);
  }
}

/**
 * The edited value and its change in a few words, `Demand 61.2 → 81.2 MW`; with a note if the base value is `assumed`.
 */
export function changeSentence(
  what: EditedValue,
  baseMw: number | null,
  deltaMw: number,
  unit: EditUnit,
  assumed = false,
): string {
  const plain = changeText(baseMw, deltaMw, unit);
  const change = assumed ? trans.__("%1 (assumed)", plain) : plain;
  switch (what) {
    case "demand":
      return trans.__("Demand %1", change);
    case "rating":
      return trans.__("Rating %1", change);
    case "capacity":
      return trans.__("Capacity %1", change);
    case "p_min":
      return trans.__("Pmin %1", change);
    case "cost":
      return trans.__("Cost %1", change);
    case "x":
      return trans.__("Reactance %1", change);
    case "tap":
      return trans.__("Tap ratio %1", change);
    case "shift":
      return trans.__("Phase shift %1", change);
    case "limit":
      return trans.__("Upper limit %1", change);
    case "schedule":
      return trans.__("Scheduled power %1", change);
    case "injection":
      return trans.__("Held power %1", change);
    case "energy_value":
      return trans.__("Value of stored energy %1", change);
  }
}

/** Title of an element's Reset button. */
export function resetTitle(what: EditedValue, name: string, base: string): string {
  switch (what) {
    case "demand":
      return trans.__("Set the demand of %1 back to its base value, %2", name, base);
    case "rating":
      return trans.__("Set the rating of %1 back to its base value, %2", name, base);
    case "capacity":
      return trans.__("Set the capacity of %1 back to its base value, %2", name, base);
    case "p_min":
      return trans.__("Set Pmin of %1 back to its base value, %2", name, base);
    case "cost":
      return trans.__("Give %1 its own cost back, %2 on average", name, base);
    case "x":
      return trans.__("Set the reactance of %1 back to its base value, %2", name, base);
    case "tap":
      return trans.__("Set the tap ratio of %1 back to its base value, %2", name, base);
    case "shift":
      return trans.__("Set the phase shift of %1 back to its base value, %2", name, base);
    case "limit":
      return trans.__("Set the upper limit of %1 back to its base value, %2", name, base);
    case "schedule":
      return trans.__("Set the scheduled power of %1 back to its base value, %2", name, base);
    case "injection":
      return trans.__("Set the held power of %1 back to its base value, %2", name, base);
    case "energy_value":
      return trans.__("Set the value of stored energy of %1 back to its base value, %2", name, base);
  }
}

/** Label in the middle of the axis below a slider. */
export function axisTitle(what: EditedValue, unit: EditUnit): string {
  switch (what) {
    case "demand":
      return trans.__("Change of demand, MW");
    case "rating":
      return trans.__("Change of rating, %1", unit);
    case "capacity":
      return trans.__("Change of capacity, MW");
    case "p_min":
      return trans.__("Change of Pmin, MW");
    case "cost":
      return trans.__("Change of cost, $/MWh");
    case "x":
      return trans.__("Change of reactance, pu");
    case "tap":
      return trans.__("Change of tap ratio");
    case "shift":
      return trans.__("Change of phase shift, %1", unit);
    case "limit":
      return trans.__("Change of limit, MW");
    case "schedule":
      return trans.__("Change of scheduled power, MW");
    case "injection":
      return trans.__("Change of held power, MW");
    case "energy_value":
      return trans.__("Change of the value of stored energy, $/MWh");
  }
}
