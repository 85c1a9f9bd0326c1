import type { OpenedCase, SelectableKind, Selection } from "../../workspace/index.ts";

/** A bus or branch by its dense row. */
export interface Target {
  kind: SelectableKind;
  row: number;
}

/** Where a selected element is drawn: a generator at its bus. */
export function drawnTarget(opened: OpenedCase, element: Selection): Target {
  return element.kind === "generator"
    ? { kind: "bus", row: opened.busRow(opened.busOf(element)) }
    : { kind: element.kind, row: opened.rowOf(element) };
}

/** Whether two targets are the same element, or both none. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  return a?.kind === b?.kind && a?.row === b?.row;
}

/** The rating of a line, or the demand of a bus, that a plan proposes to change. */
export interface ProposedChange extends Target {
  /** By how much. */
  readonly text: string;
}

/** An element of an event that a move has passed: a line that flashes, or the bus of a unit at a limit. */
export interface EventMark extends Target {
  /** 1 for one that stays; of one that fades what is left of it. */
  readonly strength: number;
}
