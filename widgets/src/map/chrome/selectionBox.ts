import { h, setText } from "../../ui/dom.ts";
import type { Box } from "../gestures/pointer.ts";

/** The box of a box selection. */
export class SelectionBox {
  readonly #label = h("span", { class: "wb-Box-label" });
  readonly node = h("div", { class: "wb-Box", attributes: { hidden: "" } }, this.#label);

  /** Shows a box with a summary of its content, or hides it. */
  show(box: Box | null, text = ""): void {
    this.node.hidden = box === null;
    setText(this.#label, text);
    this.#label.hidden = text === "";
    if (box !== null) {
      Object.assign(this.node.style, {
        left: `${box.x0}px`,
        top: `${box.y0}px`,
        width: `${box.x1 - box.x0}px`,
        height: `${box.y1 - box.y0}px`,
      });
    }
  }
}
