import { formatCount, formatDerivative, formatMw, formatPrice, trans } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { button, h } from "../../ui/dom.ts";

type Key = "id" | "price" | "demand" | "column";

const PAGE_ROWS = 100;

/** The buses as a plain table: what the picture shows, for those who read rather than look. */
export class BusTable {
  readonly node = h("div", { class: "wb-Table", attributes: { hidden: "" } });
  readonly #session: CaseSession;
  #key: Key = "price";
  #descending = true;
  #page = 0;

  constructor(session: CaseSession) {
    this.#session = session;
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  /** Opens or closes the table. */
  toggle(open: boolean): void {
    this.node.hidden = !open;
    this.update();
  }

  /** Shows the present numbers; does nothing while closed. */
  update(): void {
    if (!this.open) {
      return;
    }
    const order = this.#order();
    const pages = Math.max(1, Math.ceil(order.length / PAGE_ROWS));
    this.#page = Math.min(this.#page, pages - 1);
    const first = this.#page * PAGE_ROWS;
    const rows = order.slice(first, first + PAGE_ROWS);
    const scrolled = this.node.scrollTop;
    this.node.replaceChildren(
      h(
        "table",
        {},
        h("caption", { text: trans.__("Buses of %1, %2 in total", this.#session.caseName, formatCount(order.length)) }),
        h("thead", {}, this.#head()),
        h("tbody", {}, ...rows.map((row) => this.#row(row))),
      ),
      ...(pages > 1 ? [this.#pager(first, rows.length, order.length, pages)] : []),
    );
    this.node.scrollTop = scrolled;
  }

  #columns(): { key: Key; title: string }[] {
    const { column, selection, opened } = this.#session;
    const perMw = column !== null && selection !== null ? opened.nameOf(selection.kind, selection.id) : null;
    return [
      { key: "id", title: trans.__("Bus") },
      { key: "price", title: trans.__("Price, $/MWh") },
      { key: "demand", title: trans.__("Demand, MW") },
      ...(perMw === null ? [] : [{ key: "column" as const, title: trans.__("$/MWh per MW at %1", perMw) }]),
    ];
  }

  #head(): HTMLElement {
    const cells = this.#columns().map(({ key, title }) => {
      const sorted = key === this.#key ? (this.#descending ? "descending" : "ascending") : "none";
      return h(
        "th",
        { attributes: { scope: "col", "aria-sort": sorted } },
        button(title, () => this.#sort(key)),
      );
    });
    return h("tr", {}, ...cells);
  }

  #row(row: number): HTMLElement {
    const { opened, store, selection, column } = this.#session;
    const bus = opened.buses[row];
    const id = bus?.id ?? 0;
    const select = button(String(id), () => void this.#session.select({ kind: "bus", id }), { class: "wb-mod-link" });
    return h(
      "tr",
      {
        data: { bus: String(id) },
        attributes: { "aria-selected": String(selection?.kind === "bus" && selection.id === id) },
      },
      h("th", { attributes: { scope: "row" } }, select, bus?.name ? ` ${bus.name}` : ""),
      h("td", { text: formatPrice(store.shownLmp[row] ?? NaN) }),
      h("td", { text: formatMw(store.columns.demand_mw[row] ?? NaN) }),
      ...(column === null ? [] : [h("td", { text: formatDerivative(store.column?.[row] ?? NaN, { signed: true }) })]),
    );
  }

  #pager(first: number, shown: number, total: number, pages: number): HTMLElement {
    const previous = button(trans.__("Previous"), () => this.#turn(-1));
    const next = button(trans.__("Next"), () => this.#turn(1));
    previous.disabled = this.#page === 0;
    next.disabled = this.#page === pages - 1;
    const text = trans.__("%1 to %2 of %3", formatCount(first + 1), formatCount(first + shown), formatCount(total));
    return h("div", { class: "wb-Table-pager" }, previous, h("span", { text }), next);
  }

  #order(): number[] {
    const { opened, store } = this.#session;
    const value = (row: number): number => {
      switch (this.#key) {
        case "id":
          return opened.buses[row]?.id ?? NaN;
        case "price":
          return store.shownLmp[row] ?? NaN;
        case "demand":
          return store.columns.demand_mw[row] ?? NaN;
        case "column":
          return store.column?.[row] ?? NaN;
      }
    };
    const sign = this.#descending ? -1 : 1;
    const missing = (row: number): number => (Number.isNaN(value(row)) ? 1 : 0);
    const rows = opened.buses.map((_, row) => row);
    return rows.sort((a, b) => missing(a) - missing(b) || sign * (value(a) - value(b)) || a - b);
  }

  #sort(key: Key): void {
    this.#descending = key === this.#key ? !this.#descending : key !== "id";
    this.#key = key;
    this.#page = 0;
    this.update();
  }

  #turn(by: number): void {
    this.#page += by;
    this.node.scrollTop = 0;
    this.update();
  }
}
