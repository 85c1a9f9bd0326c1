import { h } from "../../ui/dom.ts";
import type { Box } from "../view/pointer.ts";

/** The box that is drawn with Shift held. */
export class SelectionBox {
  readonly node = h("div", { class: "wb-Box", attributes: { hidden: "" } });

  /** Shows a box, or none. */
  show(box: Box | null): void {
    this.node.hidden = box === null;
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
