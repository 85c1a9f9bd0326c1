import { trans } from "../../text/index.ts";
import { type CaseSession, isInService, type Selection } from "../../workspace/index.ts";
import { h } from "../dom.ts";

/** The switch that puts a generator or a branch in or out of service: one exact commit. */
export class StatusSwitch {
  readonly node: HTMLLabelElement;
  readonly #session: CaseSession;
  readonly #element: Selection;
  readonly #input = h("input", { attributes: { type: "checkbox", role: "switch" } });

  constructor(session: CaseSession, element: Selection) {
    this.#session = session;
    this.#element = element;
    this.#input.setAttribute("aria-label", trans.__("%1 in service", session.opened.nameOf(element.kind, element.id)));
    this.#input.addEventListener("change", () => void this.#turn(this.#input.checked));
    const text = element.kind === "generator" ? trans.__("On") : trans.__("In service");
    this.node = h("label", { class: "wb-Toggle" }, this.#input, h("span", { text }));
  }

  /** Shows the status as it is now. */
  update(): void {
    this.#input.checked = this.#on;
    this.#input.disabled = this.#session.inspection.state !== null;
  }

  get #on(): boolean {
    return isInService(this.#session.opened, this.#session.state.edits, this.#element);
  }

  /** The session's status shows failures; the switch then shows the status that remains. */
  async #turn(on: boolean): Promise<void> {
    try {
      await this.#session.setStatus(this.#element, on);
    } catch {
      this.#input.checked = this.#on;
    }
  }
}
