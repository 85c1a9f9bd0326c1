import { capitalised, formatMw } from "../words/index.ts";
import { type CaseEdits, deltaOf, listChanges } from "./edits.ts";
import type { OpenedCase, Selection } from "./openedCase.ts";

/** Elements that are named; the rest is counted. */
const NAMED = 2;

/** The elements whose change from the base case differs between two sets of edits, buses first, each by ascending id. */
export function movedElements(before: CaseEdits, after: CaseEdits, opened: OpenedCase): Selection[] {
  const either = { deltas: { ...before.deltas, ...after.deltas }, rates: { ...before.rates, ...after.rates } };
  return listChanges(either, opened)
    .map(({ kind, id }): Selection => ({ kind, id }))
    .filter((element) => deltaOf(before, element) !== deltaOf(after, element));
}

/** What a step did: `Bus 12 (Ash) demand +10.0 MW`, `Back to the base case`, `Bus 1 demand +3.0 MW and 4 more`. */
export function stepLabel(before: CaseEdits, after: CaseEdits, opened: OpenedCase): string {
  const moved = movedElements(before, after, opened);
  if (moved.length === 0) {
    return "Solved again";
  }
  if (Object.keys(after.deltas).length + Object.keys(after.rates).length === 0) {
    return "Back to the base case";
  }
  const named = moved.slice(0, NAMED).map((element) => {
    const what = element.kind === "bus" ? "demand" : "rating";
    const by = `${formatMw(deltaOf(after, element) - deltaOf(before, element), { signed: true })} MW`;
    return `${opened.nameOf(element.kind, element.id)} ${what} ${by}`;
  });
  const more = moved.length - named.length;
  return capitalised(named.join(", ") + (more > 0 ? ` and ${more} more` : ""));
}
