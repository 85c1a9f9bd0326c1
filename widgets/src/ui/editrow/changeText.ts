import { type EditUnit, formatAmount, formatMwChange, formatPrice, trans } from "../../text/index.ts";
import type { EditedValue } from "../../workspace/index.ts";

/** `61.2 → 81.2 MW`, or `61.2 MW` without an edit; `none` where there is no base value. */
export function changeText(baseMw: number | null, deltaMw: number, unit: EditUnit): string {
  if (baseMw === null) {
    return deltaMw === 0 ? trans.__("none") : trans.__("none \u2192 %1 %2", formatAmount(deltaMw, unit), unit);
  }
  if (deltaMw === 0) {
    return `${formatAmount(baseMw, unit)} ${unit}`;
  }
  const change =
    unit === "$/MWh"
      ? `${formatPrice(baseMw)} \u2192 ${formatPrice(baseMw + deltaMw)}`
      : formatMwChange(baseMw, baseMw + deltaMw);
  return `${change} ${unit}`;
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
    case "cost":
      return trans.__("Change of the marginal cost of %1, $/MWh", name);
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
    case "cost":
      return trans.__("New marginal cost of %1, $/MWh", name);
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
    case "cost":
      return trans.__("Cost %1", change);
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
    case "cost":
      return trans.__("Give %1 its own cost back, %2 on average", name, base);
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
    case "cost":
      return trans.__("Change of cost, $/MWh");
  }
}
