import { capitalised, formatCount, formatLoading, formatMw, formatPrice, parseNumber, trans } from "../words/index.ts";
import { type CaseSession, deltaOf, elementKey, type Selection } from "../workspace/index.ts";
import { button, h, setText } from "./dom.ts";
import { changeLabel, changeSentence } from "./changeWords.ts";

/** Rows of elements in the page at a time; the panel lists all of them. */
const MOST_ROWS = 60;

/** One row in the page. */
interface Row {
  element: Selection;
  node: HTMLElement;
  change: HTMLElement;
  value: HTMLElement;
  entry: HTMLInputElement;
  reset: HTMLButtonElement;
}

/** The selected elements besides the primary one: a row each with name, change, typed entry and what it says now. */
export class StripRows {
  readonly node = h("div", { class: "wb-StripRows", attributes: { hidden: "" } });
  readonly #session: CaseSession;
  readonly #head = h("span");
  readonly #list = h("ul", {
    class: "wb-StripRows-list",
    attributes: { "aria-label": trans.__("Other selected elements") },
  });
  #rows: Row[] = [];
  #shown = "";

  constructor(session: CaseSession) {
    this.#session = session;
    const clear = button(trans.__("Clear the selection"), () => void session.select(null), { class: "wb-mod-link" });
    this.node.append(h("div", { class: "wb-StripRows-head" }, this.#head, clear), this.#list);
  }

  /** Shows the elements that are selected now. */
  update(): void {
    const others = this.#session.selected.slice(0, -1).toReversed();
    this.node.hidden = others.length === 0;
    const key = others.map(elementKey).join();
    if (key !== this.#shown) {
      this.#shown = key;
      const count = others.length;
      setText(
        this.#head,
        count > MOST_ROWS
          ? trans._n(
              "%2 more selected, the first %3 of them here",
              "%2 more selected, the first %3 of them here",
              count,
              formatCount(count),
              MOST_ROWS,
            )
          : trans._n("%2 more selected", "%2 more selected", count, formatCount(count)),
      );
      this.#rows = others.slice(0, MOST_ROWS).map((element) => this.#row(element));
      this.#list.replaceChildren(...this.#rows.map(({ node }) => node));
    }
    this.showValues();
  }

  /** Shows the numbers that move with a preview. */
  showValues(): void {
    const { opened, state } = this.#session;
    for (const { element, change, value, entry, reset } of this.#rows) {
      const mw = deltaOf(state.edits, element);
      setText(change, changeSentence(element.kind, opened.baseMw(element), mw));
      setText(value, this.#valueText(element));
      reset.disabled = mw === 0;
      if (document.activeElement !== entry) {
        entry.value = formatMw(mw, { signed: true });
        entry.removeAttribute("aria-invalid");
      }
    }
  }

  #row(element: Selection): Row {
    const session = this.#session;
    const name = session.opened.nameOf(element.kind, element.id);
    const title = capitalised(name);
    const [change, value] = [h("span", { class: "wb-StripRows-change" }), h("span", { class: "wb-StripRows-value" })];
    const entry = h("input", {
      class: "wb-Entry",
      attributes: { type: "text", inputmode: "decimal", "aria-label": changeLabel(element.kind, name) },
    });
    entry.addEventListener("change", () => this.#typed(element, entry));
    const reset = button(trans.__("Reset %1", name), () => this.#set(element, 0));
    setText(reset, trans.__("Reset"));
    const remove = button(trans.__("Take %1 out of the selection", name), () => void session.toggle(element), {
      icon: "\u00d7",
    });
    const node = h(
      "li",
      { class: "wb-StripRows-row", data: { kind: element.kind, id: String(element.id) } },
      button(title, () => void session.makePrimary(element), { class: "wb-mod-link" }),
      change,
      value,
      h("label", { class: "wb-Strip-entry" }, entry, h("span", { class: "wb-unit", text: "MW" })),
      reset,
      remove,
    );
    return { element, node, change, value, entry, reset };
  }

  #valueText(element: Selection): string {
    const { store, opened } = this.#session;
    const row = opened.rowOf(element);
    return element.kind === "bus"
      ? `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`
      : `${formatMw(store.columns.flow_mw[row] ?? NaN)} MW, ${formatLoading(store.columns.loading[row] ?? NaN)}`;
  }

  #typed(element: Selection, entry: HTMLInputElement): void {
    const mw = parseNumber(entry.value);
    if (mw === null) {
      entry.setAttribute("aria-invalid", "true");
      entry.title = trans.__("Type the change in MW as a number, for instance 12.5 or \u22123.");
      return;
    }
    entry.removeAttribute("aria-invalid");
    entry.title = "";
    this.#set(element, mw);
  }

  #set(element: Selection, mw: number): void {
    // A failure is told by the status of the session.
    this.#session.commitElement(element, mw).catch(() => undefined);
  }
}
