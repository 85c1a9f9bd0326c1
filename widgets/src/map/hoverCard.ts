import { formatDerivative, formatLoading, formatMw, formatPrice } from "../words/index.ts";
import type { CaseSession, Selection } from "../workspace/index.ts";
import { responseName } from "./colourScale.ts";
import { h } from "./dom.ts";
import { binds } from "./loading.ts";

/** The card beside the pointer: name and numbers of the element under it. */
export class HoverCard {
  readonly node = h("div", { class: "wb-Card", attributes: { hidden: "" } });
  readonly #session: CaseSession;

  #again: (() => void) | null = null;

  constructor(session: CaseSession) {
    this.#session = session;
  }

  hide(): void {
    this.#again = null;
    this.node.hidden = true;
  }

  /** Shows the present numbers where the card stands; does nothing while there is none. */
  refresh(): void {
    this.#again?.();
  }

  /** Shows the card of an element near a point of a picture of the given size. */
  show(element: Selection, point: { x: number; y: number }, width: number, height: number): void {
    this.#again = (): void => this.show(element, point, width, height);
    const { opened } = this.#session;
    const rows = element.kind === "bus" ? this.#bus(element.id) : this.#branch(element.id);
    const title = opened.nameOf(element.kind, element.id);
    this.node.replaceChildren(
      h("div", { class: "wb-Card-title", text: title.charAt(0).toUpperCase() + title.slice(1) }),
      h("dl", {}, ...rows.flatMap(([term, value]) => [h("dt", { text: term }), h("dd", { text: value })])),
    );
    this.node.hidden = false;
    const [w, tall] = [this.node.offsetWidth, this.node.offsetHeight];
    const left = point.x + 14 + w > width ? point.x - 14 - w : point.x + 14;
    const top = Math.max(4, Math.min(height - tall - 4, point.y - tall / 2));
    this.node.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`;
  }

  #bus(id: number): [string, string][] {
    const { opened, store, column, selection } = this.#session;
    const row = opened.busRow(id);
    const rows: [string, string][] = [
      [store.previewing ? "Price, preview" : "Price", `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`],
      ["Demand", `${formatMw(store.columns.demand_mw[row] ?? NaN)} MW`],
    ];
    if (column !== null && selection !== null) {
      const value = formatDerivative(store.column?.[row] ?? NaN, { signed: true });
      const at = `${selection.kind === "bus" ? "bus" : "line"} ${selection.id}`;
      rows.push([`${responseName(selection)}, ${at}`, `${value} ($/MWh)/MW`]);
    }
    return rows;
  }

  #branch(id: number): [string, string][] {
    const { opened, store } = this.#session;
    const row = opened.branchRow(id);
    const { flow_mw, rating_mw, loading, shadow } = store.columns;
    if (!Number.isFinite(flow_mw[row])) {
      return [["State", "out of service"]];
    }
    const rows: [string, string][] = [
      ["Flow", `${formatMw(flow_mw[row] ?? NaN)} MW`],
      ["Rating", `${formatMw(rating_mw[row] ?? NaN)} MW`],
      ["Loading", formatLoading(loading[row] ?? NaN)],
    ];
    if (binds(shadow[row] ?? 0)) {
      rows.push(["One more MW saves", `${formatPrice(shadow[row] ?? NaN)} $/h`]);
    }
    return rows;
  }
}
