import type { Selection } from "../../workspace/index.ts";
import type { TableColumn } from "./columns.ts";

/** The element kind of a table. */
export type TableKind = "buses" | "branches" | "generators" | "links" | "storage";

/** The order of a table. */
export interface Sorting {
  /** Key of the column. */
  key: string;
  descending: boolean;
}

/** A table of one kind of element at the displayed state. The first column names the element. */
export interface CaseTable {
  readonly kind: TableKind;
  readonly count: number;
  /** The initial order. */
  readonly sorting: Sorting;
  readonly columns: readonly TableColumn[];
  /** The element that a row selects. */
  elementOf(row: number): Selection | null;
  /** The bus of a row's element, whose selection marks the row as well; absent where rows are buses or lines. */
  busOf?(row: number): number;
  /** Dense row of a selected element, -1 if it belongs to another table. */
  rowOf(element: Selection): number;
  /** A word that marks a notable row, such as `binds`; empty for others. */
  markOf(row: number): string;
  /** Number of leading columns that a narrow table shows without scrolling: the name of the element, and one number. */
  readonly leading: number;
  /** Whether a row is always last, such as a star point, which is not a bus of the case. */
  isLast?(row: number): boolean;
  /** Why there are more rows than the case has elements, in words. */
  readonly remark?: string;
}
