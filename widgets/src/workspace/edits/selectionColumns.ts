/** Values that are changed for all selected elements at once, as `study.changes` of Python changes them. */

import type { OpenedCase } from "../cases/openedCase.ts";
import type { SelectableKind, Selection } from "../cases/selection.ts";
import { changeTo, type CaseEdits, deltaOf, type ElementMove, type MoveMode, plainSum } from "./edits.ts";
import type { SelectedList } from "./selectedList.ts";
import { isInService } from "./status.ts";

/** The values that a selection can change at once. */
export const SELECTION_COLUMNS = [
  "demand",
  "rating",
  "branch_status",
  "capacity",
  "p_min",
  "cost",
  "generator_status",
] as const;
export type SelectionColumn = (typeof SELECTION_COLUMNS)[number];

/** The elements whose value a selection changes. */
export interface ColumnElements {
  column: SelectionColumn;
  elements: SelectedList;
  /** Whether none of them is selected itself: they are the lines between the selected buses, or the generators there. */
  implied: boolean;
}

/**
 * How a value changes: by an increment of the current value, by a factor of it, to a change from the base case, or to a
 * value.
 */
export type GroupMode = "add" | "factor" | "change" | "value";

/** The columns that a selection can change with their elements; columns without elements are absent. */
export function selectionColumns(
  opened: OpenedCase,
  edits: CaseEdits,
  selected: SelectedList,
): readonly ColumnElements[] {
  const buses = selected.filter(({ kind, id }) => kind === "bus" && opened.buses[opened.busRow(id)]?.editable === true);
  const [lines, units] = [ofKind(selected, "branch"), ofKind(selected, "generator")];
  const here = new Set(buses.map(({ id }) => id));
  const linesBetween = (): Selection[] =>
    opened.branches.flatMap(({ id, from, to }) => (here.has(from) && here.has(to) ? [{ kind: "branch", id }] : []));
  const unitsThere = (): Selection[] =>
    opened.generators.flatMap(({ id, bus }) => (here.has(bus) ? [{ kind: "generator", id }] : []));
  const branches = (lines.length > 0 ? lines : linesBetween()).filter(
    ({ id }) => opened.branches[opened.branchRow(id)]?.editable === true,
  );
  const generators = units.length > 0 ? units : unitsThere();
  const rated = branches.filter((line) => opened.baseOrNone(line, edits) !== null && isInService(opened, edits, line));
  const limited = (value?: "p_min"): Selection[] =>
    generators
      .map(({ id }): Selection => ({ kind: "generator", id, ...(value && { value }) }))
      .filter((unit) => opened.baseOrNone(unit) !== null);
  const elements: Readonly<Record<SelectionColumn, SelectedList>> = {
    demand: buses,
    rating: rated,
    branch_status: branches,
    capacity: limited(),
    p_min: limited("p_min"),
    cost: generators.map(({ id }) => ({ kind: "generator", id, value: "cost" })),
    generator_status: generators,
  };
  const isImplied = (column: SelectionColumn): boolean =>
    column !== "demand" && (column === "rating" || column === "branch_status" ? lines : units).length === 0;
  return SELECTION_COLUMNS.map((column) => ({ column, elements: elements[column], implied: isImplied(column) })).filter(
    ({ elements }) => elements.length > 0,
  );
}

/** The selected elements of a kind, whichever value their sliders move. */
function ofKind(selected: SelectedList, wanted: SelectableKind | "generator"): Selection[] {
  return selected.flatMap(({ kind, id }) => (kind === wanted ? [{ kind, id } as Selection] : []));
}

/**
 * The moves that change the value of each element, and how `withMoves` takes them. A factor leaves out demands of zero,
 * which it does not change.
 */
export function groupMoves(
  opened: OpenedCase,
  edits: CaseEdits,
  elements: SelectedList,
  mode: GroupMode,
  amount: number,
): { moves: ElementMove[]; as: MoveMode } {
  const moves = elements.flatMap((element): ElementMove[] => {
    const base = opened.baseMw(element, edits);
    const current = plainSum(base + deltaOf(edits, element, opened), element);
    switch (mode) {
      case "add":
      case "change":
        return [{ element, mw: amount }];
      case "value":
        return [{ element, mw: changeTo(amount, base, element) }];
      case "factor":
        return current === 0 ? [] : [{ element, mw: changeTo(amount * current, base, element) }];
    }
  });
  return { moves, as: mode === "add" ? "increment" : "set" };
}
