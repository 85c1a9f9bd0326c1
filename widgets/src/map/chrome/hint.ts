import { h, setText } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";

/** Shortest time that a hint is shown, ms, and additional time per letter. */
const HINT_MS = 1100;
const LETTER_MS = 45;

/** Shows a short hint over the picture: why something did not happen, or what to do. */
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

  /** Shows a text at the upper edge until it is replaced; null removes it. */
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

/** Why the wheel did not zoom. */
export function wheelHint(): string {
  return trans.__("Hold Ctrl to zoom with the wheel");
}

/** Why there is no diagram, and how to get one. */
export function noDiagram(): string {
  return trans.__("This case has no diagram. Open its .pwd drawing to add one.");
}
