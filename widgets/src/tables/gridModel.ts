import { DataModel } from "@lumino/datagrid";
import type { CaseTable, Sorting } from "./elements/caseTable.ts";
import type { TableColumn } from "./elements/columns.ts";

/** Marks of the sorted column. */
const ASCENDING = " \u25b4";
const DESCENDING = " \u25be";
/** Marks a binding line in addition to its colour. */
const MARK = "\u25c6 ";
/** Marks a selected row. */
const TICK = "\u2713 ";

/**
 * The listed rows of a table for the grid. The first column is the head of each row, which stays when the others
 * scroll.
 */
export class GridModel extends DataModel {
  readonly table: CaseTable;
  #rows: Uint32Array;
  #sorting: Sorting;
  /** Selected dense rows. */
  #selected: ReadonlySet<number> = new Set();
  readonly #liveColumns: number[];

  constructor(table: CaseTable, rows: Uint32Array, sorting: Sorting) {
    super();
    this.table = table;
    this.#rows = rows;
    this.#sorting = sorting;
    this.#liveColumns = table.columns.flatMap((column, k) => (column.live === true && k > 0 ? [k - 1] : []));
  }

  /** Dense rows in list order. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  override rowCount(region: DataModel.RowRegion): number {
    return region === "body" ? this.#rows.length : 1;
  }

  override columnCount(region: DataModel.ColumnRegion): number {
    return region === "row-header" ? 1 : this.table.columns.length - 1;
  }

  override data(region: DataModel.CellRegion, row: number, column: number): string {
    const shown = this.columnAt(region, column);
    if (shown === undefined) {
      return "";
    }
    if (region === "column-header" || region === "corner-header") {
      return this.#headOf(shown);
    }
    const dense = this.denseRow(row);
    const text = shown.text(dense);
    if (shown.key === "state" && this.table.markOf(dense) !== "") {
      return MARK + text;
    }
    return region === "row-header" && this.#selected.has(dense) ? TICK + text : text;
  }

  /** The column of a region. */
  columnAt(region: DataModel.CellRegion, column: number): TableColumn | undefined {
    return this.table.columns[region === "row-header" || region === "corner-header" ? 0 : column + 1];
  }

  /** Dense row of a listed row, -1 beyond the end. */
  denseRow(row: number): number {
    return this.#rows[row] ?? -1;
  }

  isSelected(row: number): boolean {
    return this.#selected.has(this.denseRow(row));
  }

  /** Lists other rows or another order; column widths stay. */
  list(rows: Uint32Array, sorting: Sorting): void {
    const more = rows.length - this.#rows.length;
    const index = Math.min(rows.length, this.#rows.length);
    this.#rows = rows;
    this.#sorting = sorting;
    if (more !== 0) {
      const type = more > 0 ? "rows-inserted" : "rows-removed";
      this.emitChanged({ type, region: "body", index, span: Math.abs(more) });
    }
    this.#cellsChanged("row-header", 0, 1);
    this.refresh(false);
    const heads = { row: 0, column: 0, rowSpan: 1 };
    const type = "cells-changed";
    this.emitChanged({ type, region: "column-header", ...heads, columnSpan: this.columnCount("body") });
    this.emitChanged({ type, region: "corner-header", ...heads, columnSpan: 1 });
  }

  /** Marks the selected rows. */
  select(selected: ReadonlySet<number>): void {
    this.#selected = selected;
    this.#cellsChanged("row-header", 0, 1);
    this.#cellsChanged("body", 0, this.columnCount("body"));
  }

  /** Repaints the numbers, for a preview only those that follow it. */
  refresh(previewOnly: boolean): void {
    if (previewOnly) {
      for (const column of this.#liveColumns) {
        this.#cellsChanged("body", column, 1);
      }
    } else {
      this.#cellsChanged("body", 0, this.columnCount("body"));
    }
  }

  #cellsChanged(region: "body" | "row-header", column: number, columnSpan: number): void {
    if (this.#rows.length > 0) {
      this.emitChanged({ type: "cells-changed", region, row: 0, column, rowSpan: this.#rows.length, columnSpan });
    }
  }

  #headOf({ key, title, unit }: TableColumn): string {
    const name = key === this.#sorting.key ? title + (this.#sorting.descending ? DESCENDING : ASCENDING) : title;
    return unit === "" ? name : `${name}\n${unit}`;
  }
}
