import { button, h } from "../../ui/dom.ts";
import type { Plane } from "../view/scene.ts";
import { trans } from "../../text/index.ts";

/** The switch between map and diagram, shown where a network has both. */
export class PlaneSwitch {
  readonly node: HTMLElement;
  readonly #buttons: Record<Plane, HTMLButtonElement>;

  constructor(show: (plane: Plane) => void) {
    this.#buttons = {
      map: button(trans.__("Map"), () => show("map")),
      diagram: button(trans.__("Diagram"), () => show("diagram")),
    };
    const attributes = { role: "group", "aria-label": trans.__("Picture shown") };
    this.node = h("div", { class: "wb-Switch wb-Bar-planes", attributes }, ...Object.values(this.#buttons));
  }

  /** Shows the present plane; the switch is hidden without a choice. */
  update({ plane, choice }: { plane: Plane; choice: boolean }): void {
    this.node.hidden = !choice;
    for (const [name, element] of Object.entries(this.#buttons)) {
      element.setAttribute("aria-pressed", String(name === plane));
    }
  }
}
