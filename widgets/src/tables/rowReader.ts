import { h, setText } from "../ui/dom.ts";
import type { CaseTable } from "./elements/caseTable.ts";
import { trans } from "../text/index.ts";

let readers = 0;

/**
 * Makes a table on a canvas accessible to screen readers and keys: a grid with only the heads and the row of the cursor
 * in the page.
 */
export class RowReader {
  /** Takes the focus; its keys move the cursor. */
  readonly node: HTMLElement;
  readonly #heads = h("div", { attributes: { role: "row", "aria-rowindex": "1" } });
  readonly #row = h("div", { attributes: { role: "row" } });
  #table: CaseTable | null = null;

  constructor() {
    readers += 1;
    this.#row.id = `wb-table-row-${readers}`;
    this.node = h(
      "div",
      {
        class: "wb-Table-reader",
        attributes: {
          role: "grid",
          tabindex: "0",
          "aria-multiselectable": "true",
          "aria-readonly": "true",
          "aria-activedescendant": this.#row.id,
        },
      },
      this.#heads,
      this.#row,
    );
  }

  /** Switches to another table. */
  show(label: string, table: CaseTable): void {
    this.#table = table;
    this.node.setAttribute("aria-label", trans.__("%1; arrows move, Enter selects, Space adds", label));
    this.node.setAttribute("aria-colcount", String(table.columns.length));
    this.#heads.replaceChildren(
      ...table.columns.map(({ title, unit }) =>
        h("span", { text: unit === "" ? title : `${title}, ${unit}`, attributes: { role: "columnheader" } }),
      ),
    );
    this.#row.replaceChildren(...table.columns.map((_, k) => h("span", { attributes: { role: cellRole(k) } })));
  }

  /** Sets the number of listed rows. */
  count(rows: number): void {
    this.node.setAttribute("aria-rowcount", String(rows + 1));
  }

  /** Reads a listed row out; nothing for a dense row of -1. */
  read(row: number, dense: number, selected: boolean): void {
    this.#row.setAttribute("aria-rowindex", String(row + 2));
    this.#row.setAttribute("aria-selected", String(selected));
    this.#table?.columns.forEach((column, k) => {
      const cell = this.#row.children[k];
      if (cell instanceof HTMLElement) {
        setText(cell, dense < 0 ? "" : column.text(dense));
      }
    });
  }
}

function cellRole(column: number): string {
  return column === 0 ? "rowheader" : "gridcell";
}
