import { BasicMouseHandler, BasicSelectionModel, DataGrid, type ResizeHandle } from "@lumino/datagrid";
import { Widget } from "@lumino/widgets";
import type { CaseTable, Sorting } from "./elements/caseTable.ts";
import { columnWidths } from "./columnWidths.ts";
import { cellRenderers, gridColours, gridStyle, ROW_HEIGHT } from "./gridLook.ts";
import { GridModel } from "./gridModel.ts";

const HEAD_HEIGHT = 44;
/** Width of the vertical scroll bar, px, as in the style sheet. */
const SCROLL_BAR = 14;
/** Distance from an edge of a head, px, within which the pointer grabs it. */
const EDGE = 6;

/** How a row is chosen: alone, toggled, or as the end of a range. */
export type Choice = "one" | "toggle" | "stretch";

/** Callbacks of the grid. */
export interface GridActions {
  /** A listed row was clicked. */
  choose(row: number, choice: Choice): void;
  /** The head of a column was clicked. */
  sortBy(key: string): void;
}

/** The Lumino grid of one table. It draws only the visible part on a canvas; `RowReader` makes the table accessible. */
export class CaseGrid {
  readonly node: HTMLElement;
  readonly model: GridModel;
  readonly #grid: DataGrid;
  readonly #cursor: BasicSelectionModel;
  readonly #observer = new ResizeObserver(() => this.#fit());
  #attached = false;
  /** Whether the user has dragged the edge of a column, after which widths are fixed. */
  #resized = false;
  /** Widths chosen in another view of the same table. */
  #given: ReadonlyMap<string, number> = new Map();
  /** The row to scroll to once the grid has a height, or -1. */
  #awaited = -1;

  constructor(table: CaseTable, rows: Uint32Array, sorting: Sorting, actions: GridActions) {
    this.model = new GridModel(table, rows, sorting);
    this.#cursor = new BasicSelectionModel({ dataModel: this.model, selectionMode: "row" });
    const sizes = { rowHeight: ROW_HEIGHT, columnWidth: 80, rowHeaderWidth: 74, columnHeaderHeight: HEAD_HEIGHT };
    this.#grid = new DataGrid({
      stretchLastColumn: true,
      defaultSizes: sizes,
      minimumSizes: { ...sizes, columnWidth: 36, rowHeaderWidth: 40 },
    });
    this.#grid.dataModel = this.model;
    this.#grid.selectionModel = this.#cursor;
    this.#grid.mouseHandler = new GridMouse(this.model, actions, () => (this.#resized = true));
    this.node = this.#grid.node;
    this.node.classList.add("wb-Grid");
    this.#scrollByTouch();
  }

  /** Attaches the grid to a container that is in the page. */
  attach(place: HTMLElement): void {
    if (!this.#attached) {
      Widget.attach(this.#grid, place);
      this.#attached = true;
      this.refreshLook();
      this.#sizeColumns();
      this.#observer.observe(place);
    }
  }

  /** Applies the colours of the present theme. */
  refreshLook(): void {
    const colours = gridColours(this.node);
    const { cell, head } = cellRenderers(this.model, colours);
    this.#grid.style = gridStyle(colours);
    this.#grid.cellRenderers.update({
      body: cell,
      "row-header": cell,
      "column-header": head,
      "corner-header": head,
    });
  }

  /** Moves the keyboard cursor to a row and scrolls to it. */
  moveCursor(row: number): void {
    this.#awaited = -1;
    if (row < 0 || row >= this.model.rows.length) {
      this.#cursor.clear();
      return;
    }
    const last = Math.max(0, this.model.columnCount("body") - 1);
    this.#cursor.select({ r1: row, c1: 0, r2: row, c2: last, cursorRow: row, cursorColumn: 0, clear: "all" });
    if (this.#grid.pageHeight > 0) {
      this.#grid.scrollToRow(row);
    } else {
      this.#awaited = row; // a grid without height would scroll past it
    }
  }

  /** Widths of the columns, px, by key, if the user has changed one. */
  get chosenWidths(): ReadonlyMap<string, number> {
    if (!this.#resized) {
      return this.#given;
    }
    const { columns } = this.model.table;
    const size = (k: number): number =>
      k === 0 ? this.#grid.columnSize("row-header", 0) : this.#grid.columnSize("body", k - 1);
    return new Map(columns.map(({ key }, k) => [key, size(k)]));
  }

  set chosenWidths(widths: ReadonlyMap<string, number>) {
    this.#given = widths;
  }

  /** Number of rows in a page. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.#grid.pageHeight / ROW_HEIGHT) - 1);
  }

  /** Scroll position, px from the top. */
  get scrolled(): number {
    return this.#grid.scrollY;
  }

  scrollTo(y: number): void {
    this.#grid.scrollTo(this.#grid.scrollX, y);
  }

  scrollSideways(by: number): void {
    this.#grid.scrollBy(by, 0);
  }

  dispose(): void {
    this.#observer.disconnect();
    if (this.#attached && !this.node.isConnected) {
      document.body.append(this.node); // Lumino refuses to detach a node that has already left the page
    }
    this.#grid.dispose();
    this.node.remove();
    this.#attached = false;
  }

  #fit(): void {
    if (this.#attached) {
      this.#grid.fit();
      this.#sizeColumns();
      this.#grid.update();
      requestAnimationFrame(() => this.#showAwaited()); // Lumino lays out in a frame of its own
    }
  }

  #showAwaited(): void {
    if (this.#awaited >= 0 && !this.#grid.isDisposed && this.#grid.pageHeight > 0) {
      this.#grid.scrollToRow(this.#awaited);
      this.#awaited = -1;
    }
  }

  #sizeColumns(): void {
    if (this.#resized) {
      return;
    }
    const place = this.node.parentElement?.clientWidth ?? 0;
    const usual = columnWidths(this.model.table, place - SCROLL_BAR);
    const [head = 0, ...widths] = this.model.table.columns.map(({ key }, k) => this.#given.get(key) ?? usual[k] ?? 0);
    this.#grid.resizeColumn("row-header", 0, head);
    widths.forEach((width, k) => this.#grid.resizeColumn("body", k, width));
  }

  /** The grid itself supports only mice and wheels. */
  #scrollByTouch(): void {
    let last: { x: number; y: number } | null = null;
    this.node.style.touchAction = "none";
    this.node.addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => {
      last = pointerType === "touch" ? { x: clientX, y: clientY } : null;
    });
    this.node.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (last !== null) {
        this.#grid.scrollBy(last.x - clientX, last.y - clientY);
        last = { x: clientX, y: clientY };
      }
    });
    for (const name of ["pointerup", "pointercancel"] as const) {
      this.node.addEventListener(name, () => (last = null));
    }
  }
}

/** Clicks choose rows and sort by heads; dragging the edge of a head resizes its column. */
class GridMouse extends BasicMouseHandler {
  readonly #model: GridModel;
  readonly #actions: GridActions;
  readonly #resizing: () => void;

  /** `resizing` is called when the edge of a column is grabbed. */
  constructor(model: GridModel, actions: GridActions, resizing: () => void) {
    super();
    this.#model = model;
    this.#actions = actions;
    this.#resizing = resizing;
  }

  override onMouseDown(grid: DataGrid, event: MouseEvent): void {
    const { region, row, column, x, width } = grid.hitTest(event.clientX, event.clientY);
    if (region === "body" || region === "row-header") {
      const toggle = event.ctrlKey || event.metaKey;
      this.#actions.choose(row, event.shiftKey ? "stretch" : toggle ? "toggle" : "one");
    } else if (region !== "void" && ((x <= EDGE && column > 0) || x >= width - EDGE)) {
      this.#resizing();
      super.onMouseDown(grid, event);
    } else if (region !== "void") {
      const key = this.#model.columnAt(region, column)?.key;
      if (key !== undefined) {
        this.#actions.sortBy(key);
      }
    }
  }

  /** Rows have a fixed height. */
  override cursorForHandle(handle: ResizeHandle): string {
    return handle === "top" || handle === "bottom" ? "default" : super.cursorForHandle(handle);
  }

  /** Leaves the browser's context menu in place. */
  override onContextMenu(): void {
    return;
  }
}
