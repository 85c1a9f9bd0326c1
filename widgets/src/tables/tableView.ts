import { copyText } from "../files/copyText.ts";
import { downloadFile } from "../files/download.ts";
import { button, h, setText } from "../ui/dom.ts";
import { keyedRow } from "../ui/table/rowWindow.ts";
import { formatCount, trans } from "../text/index.ts";
import { type CaseSession, elementKey, fileName, type Selection, type SessionChange } from "../workspace/index.ts";
import { CaseGrid, type Choice } from "./caseGrid.ts";
import type { CaseTable, Sorting, TableKind } from "./elements/caseTable.ts";
import { caseTable, tableKinds } from "./elements/caseTables.ts";
import { tableText } from "./csv.ts";
import { listedRows, parseFilter } from "./listing.ts";
import { RowReader } from "./rowReader.ts";

/** Largest number of rows in a range selection. */
const MOST_STRETCH = 500;

/** Shortest time between repaints of a preview, ms: nobody can read numbers that change with every frame. */
const PREVIEW_MS = 200;

/** Creates the table of one kind of element. */
export type TableMaker = (session: CaseSession, kind: TableKind) => CaseTable;

/** The user's view of a table. */
export interface TableLook {
  filter: string;
  sorting: Sorting;
  /** Column widths chosen by the user, px, by key. */
  widths: ReadonlyMap<string, number>;
}

/** Options of a table view. */
export interface TableViewOptions {
  kind?: TableKind;
  /** The tables; by default the elements at the displayed state. */
  tables?: TableMaker;
  /** Prefix of file names and of the table's label: `three_bus`. */
  name?: string;
  /** The initial view; by default all rows in the default order. */
  look?: TableLook;
  /** If given, it is offered as a button. */
  openLarge?: (kind: TableKind) => void;
}

/**
 * Buses, lines and generators of a session as tables that are sorted, filtered, copied and linked with the selection.
 * Put `node` into the page, then call `attached`, and finally `dispose`.
 */
export class TableView {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #tables: TableMaker;
  readonly #name: string;
  #table: CaseTable;
  #grid: CaseGrid;
  #sorting: Sorting;
  #cursor = 0;
  /** Start of a range of rows. */
  #anchor = 0;
  #choosing = false;
  #previewSoon: ReturnType<typeof setTimeout> | null = null;
  readonly #place = h("div", { class: "wb-Table-grid" });
  readonly #reader = new RowReader();
  readonly #kinds = h("div", { class: "wb-Switch", attributes: { role: "group", "aria-label": trans.__("Table") } });
  readonly #filter = h("input", {
    class: "wb-Table-filter",
    attributes: {
      type: "search",
      "aria-label": trans.__("Filter rows"),
    },
  });
  readonly #sortKey = h("select", { attributes: { "aria-label": trans.__("Sort by") } });
  readonly #direction = button(trans.__("Descending"), () => this.#turn());
  readonly #status = h("span", { class: "wb-Table-status", attributes: { role: "status" } });
  readonly #theme = new MutationObserver(() => this.#grid.refreshLook());

  constructor(session: CaseSession, options: TableViewOptions = {}) {
    const { kind = "buses", tables = caseTable, name = session.caseName, look, openLarge } = options;
    this.#session = session;
    this.#showWords();
    this.#tables = tables;
    this.#name = name;
    this.#table = tables(session, kind);
    this.#sorting = look?.sorting ?? this.#table.sorting;
    this.#filter.value = look?.filter ?? "";
    this.#grid = this.#makeGrid();
    this.#grid.chosenWidths = look?.widths ?? new Map();
    this.#kinds.append(
      ...tableKinds(session).map(([name, title]) => {
        const choose = button(title, () => this.show(name));
        choose.dataset["kind"] = name;
        return choose;
      }),
    );
    const tools = h(
      "div",
      { class: "wb-Table-tools" },
      this.#kinds,
      this.#filter,
      h("span", { class: "wb-Table-sort" }, this.#sortKey, this.#direction),
      button(trans.__("Copy"), () => void this.#copy()),
      button(trans.__("CSV"), () => this.#download()),
      ...(openLarge === undefined ? [] : [button(trans.__("Open large"), () => openLarge(this.#table.kind))]),
    );
    this.#place.append(this.#reader.node);
    this.node = h("div", { class: "wb-Tables" }, tools, this.#place, this.#status);
    this.#filter.addEventListener("input", () => this.#list());
    this.#sortKey.addEventListener("change", () => this.#sort({ ...this.#sorting, key: this.#sortKey.value }));
    this.#place.addEventListener("keydown", (event) => this.#keyed(event));
    this.#place.addEventListener("focusin", () => this.#moveTo(this.#cursor));
    session.changed.connect(this.#changed, this);
    this.#theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "class"] });
    this.#showKind();
  }

  /** The listed kind of element. */
  get kind(): TableKind {
    return this.#table.kind;
  }

  /** The user's choices for the list: filter, order and column widths. */
  get look(): TableLook {
    return { filter: this.#filter.value, sorting: this.#sorting, widths: this.#grid.chosenWidths };
  }

  /** Must be called after `node` has been attached to the page. */
  attached(): void {
    this.#grid.attach(this.#place);
    this.#showSelection();
  }

  /** Lists another kind of element. */
  show(kind: TableKind): void {
    if (kind === this.#table.kind) {
      return;
    }
    this.#filter.value = "";
    this.#showTable(this.#tables(this.#session, kind));
  }

  dispose(): void {
    clearTimeout(this.#previewSoon ?? undefined);
    this.#session.changed.disconnect(this.#changed, this);
    this.#theme.disconnect();
    this.#grid.dispose();
    this.node.remove();
  }

  #makeGrid(): CaseGrid {
    return new CaseGrid(this.#table, this.#rows(), this.#sorting, {
      choose: (row, choice) => this.#choose(row, choice),
      sortBy: (key) =>
        this.#sort({ key, descending: key === this.#sorting.key ? !this.#sorting.descending : isBigFirst(key) }),
    });
  }

  #rows(): Uint32Array {
    return listedRows(this.#table, parseFilter(this.#filter.value, this.#table), this.#sorting);
  }

  #changed(_: CaseSession, change: SessionChange): void {
    switch (change) {
      case "preview":
        this.#previewSoon ??= setTimeout(() => {
          this.#previewSoon = null;
          this.#grid.model.refresh(true);
        }, PREVIEW_MS);
        return;
      case "selection":
        this.#showSelection();
        return;
      case "state":
        this.#showState();
        return;
      case "column":
      case "reference":
        this.#grid.model.refresh(false);
    }
  }

  /** Handles a new state, whose formulation may have other columns. */
  #showState(): void {
    const table = this.#tables(this.#session, this.#table.kind);
    const keys = ({ columns }: CaseTable): string => columns.map(({ key }) => key).join();
    if (keys(table) === keys(this.#table)) {
      this.#list();
    } else {
      this.#showTable(table);
    }
  }

  #showTable(table: CaseTable): void {
    this.#grid.dispose();
    this.#table = table;
    this.#sorting = table.sorting;
    this.#cursor = this.#anchor = 0;
    this.#grid = this.#makeGrid();
    this.#showWords();
    this.#showKind();
    if (this.#place.isConnected) {
      this.attached();
    }
  }

  /** Shows examples of filters with the present columns. */
  #showWords(): void {
    const priced = this.#session.capabilities.has("prices");
    this.#filter.placeholder = priced
      ? trans.__("Filter: name or price > 40")
      : trans.__("Filter: name or loading > 80");
    this.#filter.title = priced
      ? trans.__("Words match names and states; comparisons use the columns: price > 40, loading >= 80, demand < 10")
      : trans.__("Words match names and states; comparisons use the columns: loading >= 80, angle < 0");
  }

  #showKind(): void {
    const { kind, columns } = this.#table;
    for (const choose of this.#kinds.querySelectorAll("button")) {
      choose.setAttribute("aria-pressed", String(choose.dataset["kind"] === kind));
    }
    this.#sortKey.replaceChildren(
      ...columns.map(({ key, title, unit }) =>
        h("option", { text: unit === "" ? title : `${title}, ${unit}`, attributes: { value: key } }),
      ),
    );
    const title = tableKinds(this.#session).find(([name]) => name === kind)?.[1] ?? "";
    this.#reader.show(trans.__("%1 of %2", title, this.#name), this.#table);
    this.#list();
  }

  #sort(sorting: Sorting): void {
    this.#sorting = sorting;
    this.#list();
  }

  #turn(): void {
    this.#sort({ ...this.#sorting, descending: !this.#sorting.descending });
  }

  /** Lists the rows that pass the filter; the cursor stays on its element. */
  #list(): void {
    const { problem } = parseFilter(this.#filter.value, this.#table);
    const row = this.#grid.model.denseRow(this.#cursor);
    const rows = this.#rows();
    this.#grid.model.list(rows, this.#sorting);
    this.#cursor = Math.max(0, rows.indexOf(row));
    this.#sortKey.value = this.#sorting.key;
    const order = this.#sorting.descending ? trans.__("Descending") : trans.__("Ascending");
    setText(this.#direction, this.#sorting.descending ? "\u25be" : "\u25b4");
    this.#direction.setAttribute("aria-label", order);
    this.#direction.title = trans.__("%1: reverse the order", order);
    this.#filter.setAttribute("aria-invalid", String(problem !== null));
    this.#reader.count(rows.length);
    this.#say(problem ?? this.#countText(rows.length));
    this.#read();
    this.#showSelection();
  }

  #countText(listed: number): string {
    const { count, remark } = this.#table;
    if (listed !== count) {
      return trans.__("%1 of %2 rows", formatCount(listed), formatCount(count));
    }
    return remark === undefined
      ? trans.__("%1 rows", formatCount(count))
      : trans.__("%1 rows: %2", formatCount(count), remark);
  }

  /** Marks the selection; an element that became the primary elsewhere is scrolled into view. */
  #showSelection(): void {
    const { selected, selection } = this.#session;
    const rows =
      this.#table.kind === "generators"
        ? this.#selectedAmong(Array.from({ length: this.#table.count }, (_, row) => row))
        : selected.map((element) => this.#table.rowOf(element));
    this.#grid.model.select(new Set(rows));
    if (selection !== null && !this.#choosing) {
      const row = this.#grid.model.rows.indexOf(this.#table.rowOf(selection));
      if (row >= 0) {
        this.#moveTo(row);
      }
    }
  }

  /** The dense rows whose elements, or their buses, are selected. */
  #selectedAmong(rows: readonly number[]): number[] {
    const keys = new Set(this.#session.selected.map(elementKey));
    return rows.filter((row) => {
      const bus = this.#table.busOf?.(row);
      const own = [this.#table.elementOf(row), bus === undefined ? null : { kind: "bus" as const, id: bus }];
      return own.some((element) => element !== null && keys.has(elementKey(element)));
    });
  }

  #choose(row: number, choice: Choice): void {
    const element = this.#table.elementOf(this.#grid.model.denseRow(row));
    this.#moveTo(row);
    this.#reader.node.focus({ preventScroll: true });
    if (element === null) {
      return;
    }
    this.#choosing = true;
    if (choice === "stretch") {
      void this.#session.selectMany(this.#stretch(row));
    } else {
      this.#anchor = row;
      void (choice === "toggle" ? this.#session.toggle(element) : this.#session.select(element));
    }
    this.#choosing = false;
  }

  /** Selects the elements of all listed rows, with the cursor's last. */
  #chooseAll(): void {
    const { rows } = this.#grid.model;
    const dense = [...rows.slice(0, MOST_STRETCH + 1)];
    const cursor = this.#grid.model.denseRow(this.#cursor);
    const elements = [...dense.filter((row) => row !== cursor), cursor].flatMap(
      (row) => this.#table.elementOf(row) ?? [],
    );
    this.#choosing = true;
    void this.#session.selectMany(elements);
    this.#choosing = false;
    if (rows.length > dense.length) {
      this.#say(trans.__("The first %1 rows are selected.", formatCount(dense.length)));
    }
  }

  /** The elements from the anchor to a row, with that row's last. */
  #stretch(row: number): Selection[] {
    const [from, to] = [Math.min(this.#anchor, row), Math.max(this.#anchor, row)];
    const elements: Selection[] = [];
    for (let at = from; at <= Math.min(to, from + MOST_STRETCH); at += 1) {
      const element = this.#table.elementOf(this.#grid.model.denseRow(at));
      if (element !== null) {
        elements.push(element);
      }
    }
    return row < this.#anchor ? elements.reverse() : elements;
  }

  #moveTo(row: number): void {
    this.#cursor = row;
    this.#grid.moveCursor(row);
    this.#read();
  }

  /** Reads the row of the cursor. */
  #read(): void {
    const row = this.#cursor;
    const dense = this.#grid.model.denseRow(row);
    this.#reader.read(row, dense, dense >= 0 && this.#selectedAmong([dense]).length > 0);
  }

  #keyed(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const accel = ctrlKey || metaKey;
    const next = keyedRow(this.#cursor, this.#grid.model.rows.length, key, this.#grid.pageRows);
    if (next !== null) {
      this.#moveTo(next);
      if (shiftKey) {
        this.#choose(next, "stretch");
      }
    } else if (key === "Enter" || key === " ") {
      this.#choose(this.#cursor, accel || key === " " ? "toggle" : "one");
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      this.#grid.scrollSideways(key === "ArrowLeft" ? -60 : 60);
    } else if (accel && key.toLowerCase() === "a") {
      this.#chooseAll();
    } else if (accel && key.toLowerCase() === "c") {
      void this.#copy(this.#chosenRows());
    } else if (key === "Escape" && this.#session.selection !== null) {
      void this.#session.select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The selected rows in list order, or the cursor's row. */
  #chosenRows(): number[] {
    const { rows } = this.#grid.model;
    const chosen = this.#selectedAmong([...rows]);
    return chosen.length > 0 ? chosen : [...rows.slice(this.#cursor, this.#cursor + 1)];
  }

  async #copy(rows: Iterable<number> = this.#grid.model.rows): Promise<void> {
    const listed = [...rows];
    try {
      await copyText(tableText(this.#table, listed, "\t"));
      this.#say(trans._n("%2 row copied", "%2 rows copied", listed.length, formatCount(listed.length)));
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  #download(): void {
    const { rows } = this.#grid.model;
    const name = `${fileName(this.#name)}_${this.#table.kind}.csv`;
    downloadFile({ name, bytes: new TextEncoder().encode(tableText(this.#table, rows)) });
    this.#say(trans.__("%1 saved, %2", name, this.#countText(rows.length)));
  }

  #say(text: string): void {
    setText(this.#status, text);
  }
}

/** Whether a column sorts in descending order first: numbers do, ids and names do not. */
function isBigFirst(key: string): boolean {
  return /_|loading/.test(key);
}
