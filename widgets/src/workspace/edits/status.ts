import type { OpenedCase } from "../cases/openedCase.ts";
import type { Selection } from "../cases/selection.ts";
import type { CaseEdits } from "./edits.ts";

/** Whether a generator, branch, link or storage unit is in service in the base case; false where the case has no such element. */
export function isInServiceInCase(opened: OpenedCase, element: Selection): boolean {
  const rows = {
    bus: [],
    branch: opened.branches,
    generator: opened.generators,
    link: opened.links,
    storage: opened.storage,
  }[element.kind];
  return rows[opened.rowOf(element)]?.status === 1;
}

/** Whether a generator, branch, link or storage unit is in service at a state. */
export function isInService(opened: OpenedCase, edits: CaseEdits, element: Selection): boolean {
  const tables = {
    bus: undefined,
    branch: edits.branches,
    generator: edits.generators,
    link: edits.links,
    storage: edits.storage,
  };
  return tables[element.kind]?.[String(element.id)]?.status ?? isInServiceInCase(opened, element);
}

/** Whether an element can be put in and out of service: generators, HVDC links, storage units, and branches other than arms of three-winding transformers. */
export function hasStatus(opened: OpenedCase, element: Selection): boolean {
  return element.kind !== "bus" && opened.isEditable(element);
}
