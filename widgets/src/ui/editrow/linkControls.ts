import { capitalised, linkValueName, trans } from "../../text/index.ts";
import type { CaseSession, EditedValue, LinkElement } from "../../workspace/index.ts";
import { h } from "../dom.ts";
import { StatusSwitch } from "./statusSwitch.ts";

/** The values of an HVDC link that its slider can move, in the order of the choice. */
const VALUES = ["limit", "schedule"] as const;
const NAMES = { limit: "p_max", schedule: "p" } as const;

/** The controls of an HVDC link besides its slider: which value the slider moves, and the status. */
export class LinkControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #choice = h("select", { class: "wb-ValueChoice" });
  readonly #status: StatusSwitch;

  constructor(session: CaseSession, { id }: LinkElement) {
    const element = { kind: "link", id } as const;
    this.#choice.setAttribute("aria-label", trans.__("What the slider of %1 moves", session.opened.nameOf("link", id)));
    this.#choice.append(
      ...VALUES.map((value) => h("option", { text: capitalised(linkValueName(NAMES[value])), attributes: { value } })),
    );
    this.#choice.addEventListener("change", () => {
      void session.makePrimary(this.#choice.value === "schedule" ? { ...element, value: "p" } : element);
    });
    this.#status = new StatusSwitch(session, element);
    this.node.append(this.#choice, this.#status.node);
  }

  /** Shows the present state of the link, and `what` its slider moves. */
  update(what: EditedValue): void {
    this.#choice.value = what;
    this.#status.update();
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    this.#choice.focus({ preventScroll: true });
  }
}
