import { h, Pages } from "../../ui/index.ts";
import { formatCount, trans } from "../../text/index.ts";
import type { FeederStudy } from "../../workspace/index.ts";
import { kilo } from "./feederFacts.ts";

/** The listed kind of row. */
export type Listed = "terminals" | "conductors" | "sources" | "losses";

export const LISTED: readonly Listed[] = ["terminals", "conductors", "sources", "losses"];

/** A table in words. */
export function listedName(listed: Listed): string {
  switch (listed) {
    case "terminals":
      return trans.__("Terminals");
    case "conductors":
      return trans.__("Conductors");
    case "sources":
      return trans.__("Sources");
    case "losses":
      return trans.__("Losses");
  }
}

interface Content {
  heads: string[];
  count: number;
  /** The name of a row, and its other cells. */
  row(k: number): [name: string, ...cells: string[]];
}

const fixed = (value: number | undefined, digits: number): string =>
  value === undefined || !Number.isFinite(value) ? "" : value.toFixed(digits);

/** The numbers of a result by row, a hundred per page. */
export class FeederTable {
  readonly node = h("div", { class: "wb-FeederTable" });
  readonly #study: FeederStudy;
  #listed: Listed = "terminals";
  readonly #pages = new Pages(() => this.update());

  constructor(study: FeederStudy) {
    this.#study = study;
  }

  show(listed: Listed): void {
    this.#listed = listed;
    this.#pages.reset();
    this.update();
  }

  update(): void {
    const content = this.#content();
    if (content === null) {
      this.node.replaceChildren();
      return;
    }
    const { heads, count, row } = content;
    const [first, end] = this.#pages.range(count);
    const rows = Array.from({ length: end - first }, (_, k) => {
      const [name, ...cells] = row(first + k);
      const head = h("th", { text: name, attributes: { scope: "row" } });
      return h("tr", {}, head, ...cells.map((text) => h("td", { text })));
    });
    const table = h(
      "table",
      {},
      h("caption", { text: trans.__("%1 in total", formatCount(count)) }),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { text, attributes: { scope: "col" } })))),
      h("tbody", {}, ...rows),
    );
    this.node.replaceChildren(table, ...this.#pages.buttons(count));
  }

  #content(): Content | null {
    const { solution, voltages } = this.#study;
    if (solution === null || voltages === null) {
      return null;
    }
    const { rows, columns } = solution;
    const terminal = (row: number): string =>
      `${rows.buses[columns.terminal_bus?.[row] ?? -1] ?? ""}.${rows.terminals[row] ?? ""}`;
    switch (this.#listed) {
      case "terminals":
        return {
          heads: [trans.__("Terminal"), "V", "pu", trans.__("Angle, \u00b0")],
          count: rows.terminals.length,
          row: (k) => [
            terminal(k),
            fixed(voltages.voltage_v[k], 2),
            columns.is_phase?.[k] === 1 ? fixed(voltages.voltage_pu[k], 4) : "",
            fixed(columns.voltage_deg?.[k], 2),
          ],
        };
      case "conductors":
        return {
          heads: [trans.__("Conductor"), trans.__("At"), "A", trans.__("Angle, \u00b0")],
          count: columns.conductor_element?.length ?? 0,
          row: (k) => [
            rows.elements[columns.conductor_element?.[k] ?? -1] ?? "",
            terminal(columns.conductor_terminal?.[k] ?? -1),
            fixed(columns.current_a?.[k], 2),
            fixed(columns.current_deg?.[k], 2),
          ],
        };
      case "sources":
        return {
          heads: [trans.__("Source"), trans.__("Bus"), "kW", "kvar"],
          count: rows.sources.length,
          row: (k) => [
            rows.sources[k] ?? "",
            rows.buses[columns.source_bus?.[k] ?? -1] ?? "",
            kilo(columns.source_w?.[k] ?? NaN),
            kilo(columns.source_var?.[k] ?? NaN),
          ],
        };
      case "losses":
        return {
          heads: [trans.__("Element"), "W", "var"],
          count: rows.elements.length,
          row: (k) => [rows.elements[k] ?? "", fixed(columns.loss_w?.[k], 1), fixed(columns.loss_var?.[k], 1)],
        };
    }
  }
}
