import type { OpenedCase, Selection } from "../../workspace/index.ts";

/** A bus, branch or HVDC link by its dense row. */
export interface Target {
  kind: Exclude<Selection["kind"], "generator" | "storage">;
  row: number;
}

/** The mark of a selected element: a generator or storage unit is drawn at its bus. */
export function drawnTarget(opened: OpenedCase, element: Selection): Target {
  return element.kind === "generator" || element.kind === "storage"
    ? { kind: "bus", row: opened.busRow(opened.busOf(element)) }
    : { kind: element.kind, row: opened.rowOf(element) };
}

/** Whether two targets are the same element, or both null. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  return a?.kind === b?.kind && a?.row === b?.row;
}

/** The rating of a line, or the demand of a bus, that a plan proposes to change. */
export interface ProposedChange extends Target {
  /** The text of the change. */
  readonly text: string;
}

/** The element of an event that a move has passed: a flashing line, or the bus of a generator at a limit. */
export interface EventMark extends Target {
  /** 1 for a permanent mark; below 1 for a fading one. */
  readonly strength: number;
}
