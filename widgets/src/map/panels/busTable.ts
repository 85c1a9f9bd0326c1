import { formatCount, formatDerivative, quantityWords, trans } from "../../text/index.ts";
import { type CaseSession, VOLTAGE_LIMITS, PRICE } from "../../workspace/index.ts";
import { button, h } from "../../ui/dom.ts";
import { PictureTable } from "../../ui/table/pictureTable.ts";

/** A column: its key, its sort value, and its text, for the first column beside the number. */
interface BusColumn {
  key: string;
  title: string;
  value(row: number): number;
  text(row: number): string;
}

/** Keys of the bus number and of the response; the others are names of quantities. */
const ID = "id";
const RESPONSE = "sensitivity";

/** Quantities omitted from this short table; the Study panel has them. */
const UNLISTED = ["va_rad", ...VOLTAGE_LIMITS];

/** The buses as a plain table: the picture's content as text. */
export class BusTable extends PictureTable {
  readonly #session: CaseSession;
  #key: string = PRICE;
  #descending = true;

  constructor(session: CaseSession) {
    super();
    this.#session = session;
  }

  protected override content(): HTMLElement[] {
    const order = this.#order();
    const rows = order.slice(...this.pages.range(order.length));
    const table = h(
      "table",
      {},
      h("caption", { text: trans.__("Buses of %1, %2 in total", this.#session.caseName, formatCount(order.length)) }),
      h("thead", {}, this.#head()),
      h("tbody", {}, ...rows.map((row) => this.#row(row))),
    );
    return [table, ...this.pages.buttons(order.length)];
  }

  /** The bus number first, then one column for each quantity of the state. */
  #columns(): BusColumn[] {
    const { column, selection, opened, store } = this.#session;
    const { columns } = store;
    const perMw = column !== null && selection !== null ? opened.nameOf(selection.kind, selection.id) : null;
    const numbers = columns.of("bus").filter(({ name }) => !UNLISTED.includes(name));
    return [
      {
        key: ID,
        title: trans.__("Bus"),
        value: (row) => opened.buses[row]?.id ?? NaN,
        text: (row) => opened.buses[row]?.name ?? "",
      },
      ...numbers.map(({ name, unit }): BusColumn => {
        const { format, ...words } = quantityWords(name, unit);
        const value = (row: number): number => store.shownAt(name, row);
        const title = words.unit === "" ? words.label : trans.__("%1, %2", words.label, words.unit);
        return { key: name, title, value, text: (row) => format(value(row)) };
      }),
      ...(perMw === null
        ? []
        : [
            {
              key: RESPONSE,
              title: trans.__("$/MWh per MW at %1", perMw),
              value: (row: number) => store.column?.[row] ?? NaN,
              text: (row: number) => formatDerivative(store.column?.[row] ?? NaN, { signed: true }),
            },
          ]),
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
    const { opened, selection } = this.#session;
    const bus = opened.buses[row];
    const id = bus?.id ?? 0;
    const select = button(String(id), () => void this.#session.select({ kind: "bus", id }), { class: "wb-mod-link" });
    const [, ...numbers] = this.#columns();
    return h(
      "tr",
      {
        data: { bus: String(id) },
        attributes: { "aria-selected": String(selection?.kind === "bus" && selection.id === id) },
      },
      h("th", { attributes: { scope: "row" } }, select, bus?.name ? ` ${bus.name}` : ""),
      ...numbers.map(({ text }) => h("td", { text: text(row) })),
    );
  }

  #order(): number[] {
    const { opened } = this.#session;
    const columns = this.#columns();
    const { value } = columns.find(({ key }) => key === this.#key) ?? columns[0] ?? { value: () => NaN };
    const sign = this.#descending ? -1 : 1;
    const missing = (row: number): number => (Number.isNaN(value(row)) ? 1 : 0);
    const rows = opened.buses.map((_, row) => row);
    return rows.sort((a, b) => missing(a) - missing(b) || sign * (value(a) - value(b)) || a - b);
  }

  #sort(key: string): void {
    this.#descending = key === this.#key ? !this.#descending : key !== ID;
    this.#key = key;
    this.pages.reset();
    this.update();
  }
}
