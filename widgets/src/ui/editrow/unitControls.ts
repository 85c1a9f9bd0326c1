import { trans } from "../../text/index.ts";
import type { CaseSession, EditedValue, GeneratorElement } from "../../workspace/index.ts";
import { button, h } from "../dom.ts";
import { StatusSwitch } from "./statusSwitch.ts";

/** The values of a generator that its slider can move. */
type UnitValue = "capacity" | "p_min" | "cost";

/** The controls of a generator besides its slider: which value the slider moves, and the status. */
export class UnitControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #choices: Readonly<Record<UnitValue, HTMLButtonElement>>;
  readonly #status: StatusSwitch;

  constructor(session: CaseSession, { kind, id }: GeneratorElement) {
    const name = session.opened.nameOf(kind, id);
    const choice = (text: string, title: string, value: GeneratorElement["value"]): HTMLButtonElement => {
      const made = button(text, () => void session.makePrimary({ kind, id, ...(value && { value }) }));
      made.title = title;
      return made;
    };
    this.#choices = {
      capacity: choice(trans.__("Capacity"), trans.__("Change the capacity (Pmax), MW"), undefined),
      p_min: choice(trans.__("Pmin"), trans.__("Change the lower limit of the output (Pmin), MW"), "p_min"),
      cost: choice(trans.__("Cost"), trans.__("Change the marginal cost, $/MWh: one cost at every output"), "cost"),
    };
    const values = h(
      "div",
      {
        class: "wb-Switch",
        attributes: { role: "group", "aria-label": trans.__("What the slider of %1 moves", name) },
      },
      ...Object.values(this.#choices),
    );
    this.#status = new StatusSwitch(session, { kind, id });
    this.node.append(values, this.#status.node);
  }

  /** Shows the present state of the generator, and `what` its slider moves. */
  update(what: EditedValue): void {
    for (const [value, choice] of Object.entries(this.#choices)) {
      choice.setAttribute("aria-pressed", String(value === what));
    }
    this.#status.update();
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    const pressed = Object.values(this.#choices).find((choice) => choice.getAttribute("aria-pressed") === "true");
    pressed?.focus({ preventScroll: true });
  }
}
