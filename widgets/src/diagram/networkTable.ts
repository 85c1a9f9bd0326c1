import type { SceneModel } from "../map/index.ts";
import { button, h, PictureTable } from "../ui/index.ts";
import { formatCount, formatMw, trans } from "../text/index.ts";
import type { ViewedNetwork } from "../workspace/index.ts";

/** Buses, or lines, switches and transformers, as a plain table of the picture. */
export class NetworkTable extends PictureTable {
  readonly #network: ViewedNetwork;
  readonly #model: SceneModel;
  #kind: "bus" | "branch" = "bus";

  constructor(network: ViewedNetwork, model: SceneModel) {
    super();
    this.#network = network;
    this.#model = model;
  }

  protected override content(): HTMLElement[] {
    const total = this.#kind === "bus" ? this.#network.buses.length : this.#network.edges.length;
    const [first, end] = this.pages.range(total);
    const rows = Array.from({ length: end - first }, (_, k) => this.#row(first + k));
    const heads =
      this.#kind === "bus"
        ? [trans.__("Bus"), trans.__("Load, %1", this.#network.unit), trans.__("Details")]
        : [trans.__("Element"), trans.__("From"), trans.__("To"), trans.__("Details")];
    const table = h(
      "table",
      { class: "wb-mod-words" },
      h("caption", { text: trans.__("%1 in total", formatCount(total)) }),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { text, attributes: { scope: "col" } })))),
      h("tbody", {}, ...rows),
    );
    return [this.#kinds(), table, ...this.pages.buttons(total)];
  }

  #kinds(): HTMLElement {
    const choose = (kind: "bus" | "branch", label: string): HTMLButtonElement => {
      const element = button(label, () => {
        this.#kind = kind;
        this.pages.reset();
        this.update();
      });
      element.setAttribute("aria-pressed", String(kind === this.#kind));
      return element;
    };
    const attributes = { role: "group", "aria-label": trans.__("Elements listed") };
    const lines = trans.__("Lines, switches and transformers");
    return h(
      "div",
      { class: "wb-Switch wb-Table-kinds", attributes },
      choose("bus", trans.__("Buses")),
      choose("branch", lines),
    );
  }

  #row(row: number): HTMLElement {
    const target = { kind: this.#kind, row };
    const { title, rows } = this.#model.card(target);
    const { selected } = this.#model;
    const select = button(title, () => this.#model.select(target), { class: "wb-mod-link" });
    const summary = rows.map(([term, value]) => `${term} ${value}`).join("; ");
    const edge = this.#network.edges[row];
    const cells =
      this.#kind === "bus"
        ? [formatMw(this.#network.buses[row]?.load ?? NaN), summary]
        : [String(edge?.from ?? ""), String(edge?.to ?? ""), summary];
    return h(
      "tr",
      { attributes: { "aria-selected": String(selected?.kind === this.#kind && selected.row === row) } },
      h("th", { attributes: { scope: "row" } }, select),
      ...cells.map((text) => h("td", { text })),
    );
  }
}
