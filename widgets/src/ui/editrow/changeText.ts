import { type PowerUnit, trans } from "../../text/index.ts";
import type { SelectableKind } from "../../workspace/index.ts";
import { changeText } from "../session/editReadout.ts";

/** Name of a field for the change of a demand or rating. */
export function changeLabel(kind: SelectableKind, name: string, unit: PowerUnit): string {
  return kind === "bus"
    ? trans.__("Change of the demand of %1, MW", name)
    : trans.__("Change of the rating of %1, %2", name, unit);
}

/** Name of a field for a demand or rating itself. */
export function totalLabel(kind: SelectableKind, name: string, unit: PowerUnit): string {
  return kind === "bus" ? trans.__("New demand of %1, MW", name) : trans.__("New rating of %1, %2", name, unit);
}

/** `Demand 61.2 → 81.2 MW`. */
export function changeSentence(kind: SelectableKind, baseMw: number, deltaMw: number, unit: PowerUnit): string {
  const change = changeText(baseMw, deltaMw, unit);
  return kind === "bus" ? trans.__("Demand %1", change) : trans.__("Rating %1", change);
}
