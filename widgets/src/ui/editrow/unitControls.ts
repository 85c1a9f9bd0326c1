import { trans } from "../../text/index.ts";
import type { CaseSession, EditedValue, GeneratorElement } from "../../workspace/index.ts";
import { button, h } from "../dom.ts";
import { StatusSwitch } from "./statusSwitch.ts";

/** The controls of a generator besides its slider: which value the slider moves, and the status. */
export class UnitControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #capacity: HTMLButtonElement;
  readonly #cost: HTMLButtonElement;
  readonly #status: StatusSwitch;

  constructor(session: CaseSession, { kind, id }: GeneratorElement) {
    const name = session.opened.nameOf(kind, id);
    this.#capacity = button(trans.__("Capacity"), () => void session.makePrimary({ kind, id }));
    this.#capacity.title = trans.__("Change the capacity (Pmax), MW");
    this.#cost = button(trans.__("Cost"), () => void session.makePrimary({ kind, id, value: "cost" }));
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
    this.#status = new StatusSwitch(session, { kind, id });
    this.node.append(values, this.#status.node);
  }

  /** Shows the present state of the generator, and `what` its slider moves. */
  update(what: EditedValue): void {
    const cost = what === "cost";
    this.#capacity.setAttribute("aria-pressed", String(!cost));
    this.#cost.setAttribute("aria-pressed", String(cost));
    this.#status.update();
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    const pressed = this.#cost.getAttribute("aria-pressed") === "true" ? this.#cost : this.#capacity;
    pressed.focus({ preventScroll: true });
  }
}
