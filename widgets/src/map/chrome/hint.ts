import { h, setText } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";

/** How long a hint is shown at least, ms, and longer for each of its letters. */
const HINT_MS = 1100;
const LETTER_MS = 45;

/** Says for a moment over the picture why something did not happen, or for longer what is to be done. */
export class Hint {
  readonly node = h("div", { class: "wb-Hint", attributes: { hidden: "" } });
  #timer = 0;
  #held: string | null = null;

  show(text: string): void {
    setText(this.node, text);
    this.node.hidden = false;
    this.node.classList.remove("wb-mod-held");
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.hold(this.#held), HINT_MS + LETTER_MS * text.length);
  }

  /** Says something for as long as it is true, at the upper edge; null when it no longer is. */
  hold(text: string | null): void {
    this.#held = text;
    clearTimeout(this.#timer);
    this.node.hidden = text === null;
    this.node.classList.toggle("wb-mod-held", text !== null);
    setText(this.node, text ?? "");
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}

/** Why a turn of the wheel did not zoom. */
export function wheelHint(): string {
  return trans.__("Hold Ctrl to zoom with the wheel");
}

/** Why there is no diagram to change to, and what makes one. */
export function noDiagram(): string {
  return trans.__("This case has no diagram. Open its .pwd drawing to add one.");
}
