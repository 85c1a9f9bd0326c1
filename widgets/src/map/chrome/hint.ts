import { h, setText } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";

/** How long a hint is shown at least, ms, and longer for each of its letters. */
const HINT_MS = 1100;
const LETTER_MS = 45;

/** Says for a moment over the picture why something did not happen. */
export class Hint {
  readonly node = h("div", { class: "wb-Hint", attributes: { hidden: "" } });
  #timer = 0;

  show(text: string): void {
    setText(this.node, text);
    this.node.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.node.hidden = true), HINT_MS + LETTER_MS * text.length);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}

/** Why a turn of the wheel did not zoom. */
export function wheelHint(): string {
  return trans.__("Click the map, or hold Ctrl, to zoom");
}

/** Why there is no diagram to change to, and what makes one. */
export function noDiagram(): string {
  return trans.__("This case has no diagram. Open a .pwd drawing beside it to have one.");
}
