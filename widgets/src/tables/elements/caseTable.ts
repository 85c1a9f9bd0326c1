import type { Selection } from "../../workspace/index.ts";
import type { TableColumn } from "./columns.ts";

/** What a table lists. */
export type TableKind = "buses" | "branches" | "generators";

/** How a table is ordered. */
export interface Sorting {
  /** Key of the column. */
  key: string;
  descending: boolean;
}

/** A table of one kind of element at the state shown. The first column names the element. */
export interface CaseTable {
  readonly kind: TableKind;
  readonly count: number;
  /** How it is ordered when it is opened. */
  readonly sorting: Sorting;
  readonly columns: readonly TableColumn[];
  /** What a row selects. */
  elementOf(row: number): Selection | null;
  /** The bus that an element is at, whose selection marks the row as well; absent where rows are buses or lines. */
  busOf?(row: number): number;
  /** Dense row of a selected element, -1 when it is in another table. */
  rowOf(element: Selection): number;
  /** Marks a row that stands out, in a word: `binds`. Empty for others. */
  markOf(row: number): string;
  /** Columns from the first on that a narrow table still shows without scrolling: what names an element, and one number. */
  readonly leading: number;
  /** Whether a row comes after all others, whatever the order: a star point, which is no bus of the case. */
  isLast?(row: number): boolean;
  /** Why there are more rows than the case has elements, in words. */
  readonly remark?: string;
}
