import type { AddedElements } from "@service/engine";
import { button, h } from "../../ui/dom.ts";
import { capitalised, errorText, parseNumber, trans } from "../../text/index.ts";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";

/** What can be added at a bus. */
export type AddedKind = "generator" | "load" | "line" | "link" | "storage";

/** One number of the form: its name in the engine, its label with the unit, and the value that it begins with. */
interface Entry {
  readonly name: string;
  readonly label: () => string;
  readonly value: string;
  /** Whether an empty field leaves the value out. */
  readonly optional?: true;
}

const ENTRIES: Readonly<Record<AddedKind, readonly Entry[]>> = {
  generator: [
    { name: "p_max", label: () => trans.__("Capacity, MW"), value: "100" },
    { name: "p_min", label: () => trans.__("Minimum output, MW"), value: "0" },
    { name: "cost", label: () => trans.__("Marginal cost, $/MWh"), value: "" },
  ],
  load: [
    { name: "p", label: () => trans.__("Demand, MW"), value: "100" },
    { name: "q", label: () => trans.__("Reactive demand, MVAr"), value: "0" },
  ],
  line: [
    { name: "x", label: () => trans.__("Reactance, per unit"), value: "" },
    { name: "r", label: () => trans.__("Resistance, per unit"), value: "0" },
    { name: "b", label: () => trans.__("Charging susceptance, per unit"), value: "0" },
    { name: "rating", label: () => trans.__("Rating, MVA (empty: no limit)"), value: "", optional: true },
  ],
  storage: [
    { name: "p_discharge_max", label: () => trans.__("Discharging, at most MW"), value: "100" },
    { name: "p_charge_max", label: () => trans.__("Charging, at most MW"), value: "100" },
    { name: "p", label: () => trans.__("Held power, MW (negative: charging)"), value: "0" },
    { name: "discharge_efficiency", label: () => trans.__("Discharging efficiency"), value: "0.95" },
    { name: "charge_efficiency", label: () => trans.__("Charging efficiency"), value: "0.95" },
    { name: "energy", label: () => trans.__("Stored energy, MWh (empty: unknown)"), value: "", optional: true },
    {
      name: "energy_value",
      label: () => trans.__("Value of stored energy, $/MWh (empty: none)"),
      value: "",
      optional: true,
    },
  ],
  link: [
    { name: "p_max", label: () => trans.__("Upper limit, MW"), value: "100" },
    { name: "p_min", label: () => trans.__("Lower limit, MW (negative: in reverse)"), value: "0" },
    { name: "loss_factor", label: () => trans.__("Loss factor (fraction of the power)"), value: "0" },
    { name: "loss", label: () => trans.__("Constant loss, MW"), value: "0" },
    { name: "cost", label: () => trans.__("Cost of its power, $/MWh"), value: "0" },
  ],
};

const TITLES: Readonly<Record<AddedKind, () => string>> = {
  generator: () => trans.__("Add a generator"),
  load: () => trans.__("Add a load"),
  line: () => trans.__("Add a line"),
  link: () => trans.__("Add an HVDC link"),
  storage: () => trans.__("Add storage"),
};

/** Asks for the values of an element at a bus, and adds it. The second bus of a line or link is chosen by a click on the map. */
export class AddPanel {
  readonly node = h("div", {
    class: "wb-StylePanel",
    attributes: { role: "dialog", tabindex: "-1", hidden: "" },
  });
  readonly #session: CaseSession;
  readonly #closed: () => void;
  readonly #to = h("output", { class: "wb-AddPanel-bus" });
  #toBus: number | null = null;
  #fromBus = 0;

  constructor(session: CaseSession, closed: () => void) {
    this.#session = session;
    this.#closed = closed;
    session.changed.connect(this.#changed, this);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.#close();
      }
    });
  }

  open(kind: AddedKind, bus: number): void {
    this.#fromBus = bus;
    this.#toBus = null;
    this.node.hidden = false;
    this.#draw(kind);
    this.node.focus();
  }

  dispose(): void {
    this.#session.changed.disconnect(this.#changed, this);
  }

  #close(): void {
    this.node.hidden = true;
    this.#closed();
  }

  #changed(_: CaseSession, change: SessionChange): void {
    const { selection } = this.#session;
    if (change === "selection" && !this.node.hidden && selection?.kind === "bus" && selection.id !== this.#fromBus) {
      this.#toBus = selection.id;
      this.#showTo();
    }
  }

  #showTo(): void {
    const { opened } = this.#session;
    this.#to.textContent =
      this.#toBus === null
        ? trans.__("Click the second bus on the map")
        : capitalised(opened.nameOf("bus", this.#toBus));
  }

  #draw(kind: AddedKind): void {
    const { opened } = this.#session;
    const title = TITLES[kind]();
    const hasTwoBuses = kind === "line" || kind === "link";
    this.node.setAttribute("aria-label", title);
    const name = h("input", {
      class: "wb-StylePanel-text",
      attributes: { type: "text", maxlength: "60", "aria-label": trans.__("Name") },
    });
    const fields = ENTRIES[kind].map((entry) => {
      const input = h("input", {
        class: "wb-StylePanel-number",
        attributes: { type: "text", inputmode: "decimal", "aria-label": entry.label() },
      });
      input.value = entry.value;
      return { entry, input };
    });
    const problem = h("p", { class: "wb-StylePanel-problem", attributes: { role: "status" } });
    const add = async (): Promise<void> => {
      const found = this.#entered(kind, name.value, fields);
      problem.textContent = typeof found === "string" ? found : "";
      if (typeof found === "string") {
        return;
      }
      try {
        await this.#session.add(found);
        this.#close();
      } catch (error) {
        problem.textContent = errorText(error, opened);
      }
    };
    this.#showTo();
    const at = h("output", { class: "wb-AddPanel-bus", text: capitalised(opened.nameOf("bus", this.#fromBus)) });
    this.node.replaceChildren(
      h(
        "div",
        { class: "wb-StylePanel-head" },
        h("h3", { text: title }),
        button(trans.__("Close"), () => this.#close(), { class: "wb-StylePanel-close" }),
      ),
      row(hasTwoBuses ? trans.__("From") : trans.__("At"), at),
      ...(hasTwoBuses ? [row(trans.__("To"), this.#to)] : []),
      row(trans.__("Name (optional)"), name),
      ...fields.map(({ entry, input }) => row(entry.label(), input)),
      problem,
      button(trans.__("Add"), () => void add(), { class: "wb-StylePanel-save" }),
    );
  }

  /** The element that was entered, or a sentence on what is missing. */
  #entered(
    kind: AddedKind,
    name: string,
    fields: readonly { entry: Entry; input: HTMLInputElement }[],
  ): AddedElements | string {
    const values: Record<string, number> = {};
    for (const { entry, input } of fields) {
      const value = parseNumber(input.value);
      if (value !== null) {
        values[entry.name] = value;
      } else if (entry.optional === undefined || input.value.trim() !== "") {
        input.focus();
        return trans.__("%1: enter a number.", entry.label());
      }
    }
    const own = name.trim() === "" ? {} : { name: name.trim() };
    const { p_max = 0, p_min = 0, cost = 0, p = 0, q = 0, ...further } = values;
    const ends = this.#toBus === null ? null : { from: this.#fromBus, to: this.#toBus };
    const missing = trans.__("Click the second bus on the map.");
    switch (kind) {
      case "generator":
        return { generators: [{ ...own, bus: this.#fromBus, p_max, p_min, cost }] };
      case "load":
        return { loads: [{ ...own, bus: this.#fromBus, p, q }] };
      case "line":
        return ends === null ? missing : { branches: [{ ...own, ...ends, ...further }] };
      case "storage":
        return { storage: [{ ...own, bus: this.#fromBus, p, ...further }] };
      case "link":
        return ends === null ? missing : { links: [{ ...own, ...ends, p_max, p_min, cost, ...further }] };
    }
  }
}

function row(label: string, control: HTMLElement): HTMLElement {
  return h("div", { class: "wb-StylePanel-row" }, h("span", { text: label }), control);
}
