import type { Diagnostic, IngestedCase } from "@service/engine";
import { messageText, numbered, trans } from "../../text/index.ts";

/** What a case says of its costs. */
type Told = Pick<IngestedCase, "topology" | "warnings">;

/** What the engine says of costs that are assumed; null for a case with its own. */
function assumed({ warnings }: Told): Diagnostic | null {
  return warnings.find(({ code }) => code === "COST.ASSUMED") ?? null;
}

/** Whether the costs of a case, or some of them, are assumed. */
export function hasAssumedCosts(read: Told): boolean {
  return assumed(read) !== null;
}

/** Whether no generator costs anything: formats of power flows have no place for costs. */
export function isFree(read: Told): boolean {
  const { generators } = read.topology;
  const cost = ({ cost_c2, cost_c1, cost_points }: (typeof generators)[number]): boolean =>
    (cost_c2 ?? 0) !== 0 || (cost_c1 ?? 0) !== 0 || cost_points !== undefined;
  return generators.length > 0 && !hasAssumedCosts(read) && !generators.some(cost);
}

/** The sentence on costs that whoever sees a price of the case has to know: that they are assumed, or that there are none. Null for neither. */
export function costsNotice(read: Told): string | null {
  const said = assumed(read);
  if (said !== null) {
    return messageText(said.sentence, numbered);
  }
  return isFree(read) ? trans.__("The case has no costs: every unit is free until you give some.") : null;
}

/** The same in few words, for the corner of a picture. */
export function costsMark(read: Told): string | null {
  return hasAssumedCosts(read) ? trans.__("Assumed costs") : isFree(read) ? trans.__("The case has no costs") : null;
}
