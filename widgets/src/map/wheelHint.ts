import { h } from "./dom.ts";
import { trans } from "../words/index.ts";

const HINT_MS = 1600;

/** Says for a moment why a turn of the wheel did not zoom. */
export class WheelHint {
  readonly node = h("div", {
    class: "wb-Hint",
    text: trans.__("Click the map, or hold Ctrl, to zoom"),
    attributes: { hidden: "" },
  });
  #timer = 0;

  show(): void {
    this.node.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.node.hidden = true), HINT_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
