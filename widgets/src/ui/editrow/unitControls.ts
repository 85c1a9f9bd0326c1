import { trans } from "../../text/index.ts";
import { type CaseSession, generatorAt, type GeneratorElement } from "../../workspace/index.ts";
import { button, h } from "../dom.ts";

/** The controls of a generator besides its slider: which value the slider moves, and the status. */
export class UnitControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #session: CaseSession;
  readonly #id: number;
  readonly #capacity: HTMLButtonElement;
  readonly #cost: HTMLButtonElement;
  readonly #status = h("input", { attributes: { type: "checkbox", role: "switch" } });

  constructor(session: CaseSession, { kind, id }: GeneratorElement) {
    this.#session = session;
    this.#id = id;
    const name = session.opened.nameOf(kind, id);
    this.#capacity = button(trans.__("Capacity"), () => void session.editCost(id, false));
    this.#capacity.title = trans.__("Change the capacity (Pmax), MW");
    this.#cost = button(trans.__("Cost"), () => void session.editCost(id, true));
    this.#cost.title = trans.__("Change the marginal cost, $/MWh: one cost at every output");
    const values = h(
      "div",
      {
        class: "wb-Switch",
        attributes: { role: "group", "aria-label": trans.__("What the slider of %1 moves", name) },
      },
      this.#capacity,
      this.#cost,
    );
    this.#status.setAttribute("aria-label", trans.__("%1 in service", name));
    this.#status.addEventListener("change", () => void this.#turn(this.#status.checked));
    this.node.append(values, h("label", { class: "wb-Toggle" }, this.#status, h("span", { text: trans.__("On") })));
  }

  /** Shows the present state of the generator; `cost` is true while the slider moves its cost. */
  update(cost: boolean): void {
    const { opened, state, inspection } = this.#session;
    this.#capacity.setAttribute("aria-pressed", String(!cost));
    this.#cost.setAttribute("aria-pressed", String(cost));
    const unit = generatorAt(opened, state.edits, opened.generatorRow(this.#id));
    this.#status.checked = unit?.status === 1;
    this.#status.disabled = inspection.state !== null;
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    const pressed = this.#cost.getAttribute("aria-pressed") === "true" ? this.#cost : this.#capacity;
    pressed.focus({ preventScroll: true });
  }

  /** The status reports failures; the switch then returns to the actual state. */
  async #turn(on: boolean): Promise<void> {
    const { opened } = this.#session;
    const base = opened.generators[opened.generatorRow(this.#id)]?.status === 1;
    try {
      await this.#session.setGenerator(this.#id, { status: on === base ? undefined : on });
    } catch {
      const unit = generatorAt(opened, this.#session.state.edits, opened.generatorRow(this.#id));
      this.#status.checked = unit?.status === 1;
    }
  }
}
