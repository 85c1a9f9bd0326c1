import { trans } from "../../text/index.ts";
import type { SelectableKind } from "../../workspace/index.ts";
import { changeText } from "../session/editReadout.ts";

/** Name of a field for the change of a demand or rating. */
export function changeLabel(kind: SelectableKind, name: string): string {
  return kind === "bus"
    ? trans.__("Change of the demand of %1, MW", name)
    : trans.__("Change of the rating of %1, MW", name);
}

/** Name of a field for a demand or rating itself. */
export function totalLabel(kind: SelectableKind, name: string): string {
  return kind === "bus" ? trans.__("New demand of %1, MW", name) : trans.__("New rating of %1, MW", name);
}

/** `Demand 61.2 → 81.2 MW`. */
export function changeSentence(kind: SelectableKind, baseMw: number, deltaMw: number): string {
  const change = changeText(baseMw, deltaMw);
  return kind === "bus" ? trans.__("Demand %1", change) : trans.__("Rating %1", change);
}
