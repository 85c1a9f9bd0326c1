import type { Target } from "../../map/index.ts";
import { h } from "../../ui/index.ts";
import { formatPerUnit, trans } from "../../text/index.ts";
import type { FeederRows, FeederStudy, ViewedNetwork } from "../../workspace/index.ts";
import { networkCard } from "../networkCard.ts";
import { amperes, degrees, volts } from "./feederFacts.ts";

/** Number of conductors listed for one bus. */
const LISTED_CONDUCTORS = 60;

/** Every terminal of the selected element: its phase, voltage and angle, and the currents of the connected elements. */
export class FeederDetails {
  readonly node = h("section", { class: "wb-FeederDetails", attributes: { hidden: "" } });
  readonly #network: ViewedNetwork;
  readonly #study: FeederStudy;

  constructor(network: ViewedNetwork, study: FeederStudy) {
    this.#network = network;
    this.#study = study;
  }

  show(target: Target | null, rows: FeederRows | null): void {
    this.node.hidden = target === null || rows === null;
    if (target === null || rows === null) {
      this.node.replaceChildren();
      return;
    }
    const { title } = networkCard(this.#network, target);
    this.node.setAttribute("aria-label", title);
    const tables = target.kind === "bus" ? this.#bus(target.row, rows) : this.#edge(target.row, rows);
    this.node.replaceChildren(h("h3", { text: title }), ...tables);
  }

  #bus(bus: number, rows: FeederRows): HTMLElement[] {
    const conductors = rows.conductorsAt(bus);
    const { columns, rows: names } = this.#solution;
    const listed = conductors.slice(0, LISTED_CONDUCTORS);
    const currents = listed.map((k) => [
      names.elements[columns.conductor_element?.[k] ?? -1] ?? "",
      this.#terminal(columns.conductor_terminal?.[k] ?? -1, rows),
      amperes(columns.current_a?.[k] ?? NaN),
      degrees(columns.current_deg?.[k] ?? NaN),
    ]);
    return [
      this.#voltages(rows.terminals[bus] ?? [], rows),
      ...(currents.length === 0
        ? []
        : [
            table(
              trans.__("Currents into connected elements"),
              [trans.__("Element"), trans.__("Terminal"), trans.__("Current"), trans.__("Angle")],
              currents,
            ),
          ]),
    ];
  }

  #edge(edge: number, rows: FeederRows): HTMLElement[] {
    const { kind = "", id = "", from, to } = this.#network.edges[edge] ?? {};
    const { columns } = this.#solution;
    const conductors = rows.conductorsOf(rows.elementRow(kind, id));
    const lines = conductors.map((k) => {
      const terminal = columns.conductor_terminal?.[k] ?? -1;
      const end = columns.conductor_end?.[k] === 1 ? from : to;
      return [
        String(end ?? ""),
        this.#terminal(terminal, rows),
        ...this.#voltage(terminal),
        amperes(columns.current_a?.[k] ?? NaN),
        degrees(columns.current_deg?.[k] ?? NaN),
      ];
    });
    const heads = [trans.__("End"), trans.__("Terminal"), trans.__("Voltage"), trans.__("Angle")];
    return [table(trans.__("Conductors"), [...heads, trans.__("Current"), trans.__("Angle")], lines)];
  }

  get #solution(): NonNullable<FeederStudy["solution"]> {
    const { solution } = this.#study;
    if (solution === null) {
      throw new Error("terminals are listed of a result only");
    }
    return solution;
  }

  #voltages(terminals: readonly number[], rows: FeederRows): HTMLElement {
    const { voltage_pu } = this.#study.voltages ?? {};
    return table(
      trans.__("Voltages to ground"),
      [trans.__("Terminal"), trans.__("Voltage"), "pu", trans.__("Angle")],
      terminals.map((terminal) => {
        const [size, angle] = this.#voltage(terminal);
        const pu = rows.isPhase(terminal) ? formatPerUnit(voltage_pu?.[terminal] ?? NaN) : "";
        return [this.#terminal(terminal, rows), size, pu, angle];
      }),
    );
  }

  /** Magnitude and angle of a voltage. */
  #voltage(terminal: number): [string, string] {
    const value = this.#study.voltages?.voltage_v[terminal] ?? NaN;
    const angle = this.#solution.columns.voltage_deg?.[terminal] ?? NaN;
    return Number.isFinite(value) ? [volts(value), degrees(angle)] : [trans.__("not energised"), ""];
  }

  #terminal(terminal: number, rows: FeederRows): string {
    const name = this.#solution.rows.terminals[terminal] ?? "";
    return rows.isPhase(terminal) ? trans.__("Phase %1", name) : trans.__("%1, neutral", name);
  }
}

function table(caption: string, heads: readonly string[], lines: readonly (readonly string[])[]): HTMLElement {
  return h(
    "div",
    { class: "wb-FeederTable" },
    h(
      "table",
      {},
      h("caption", { text: caption }),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { text, attributes: { scope: "col" } })))),
      h(
        "tbody",
        {},
        ...lines.map(([first = "", ...rest]) =>
          h("tr", {}, h("th", { text: first, attributes: { scope: "row" } }), ...rest.map((text) => h("td", { text }))),
        ),
      ),
    ),
  );
}
