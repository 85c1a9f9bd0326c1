import { button, h } from "./dom.ts";

/** What keys and hands do on the map. */
const KEYS: readonly [keys: string, does: string][] = [
  ["Arrows", "from bus to bus; with Shift they move the picture"],
  ["+  \u2212  0", "nearer, further, show everything"],
  ["/", "search for a bus or line by number or name"],
  ["m", "map or diagram"],
  ["p  c  r", "buses by price, change in price, response to the selected element"],
  ["Escape", "nothing selected"],
  ["?", "this list"],
  ["Slider", "arrows 1 MW, with Shift 10 MW, Page 10 %, Home and End to the ends; Enter in the field types"],
  ["Click", "selects; with Ctrl, Cmd or Shift it adds or takes out"],
  ["Shift and drag", "selects the buses in a box; with Ctrl it adds them"],
  ["Wheel", "zooms once the map was clicked, or with Ctrl"],
  ["Right button", "what can be done with an element"],
];

/** The list of keys over the picture. */
export class KeysHelp {
  readonly node = h("div", {
    class: "wb-Certificate wb-Keys",
    attributes: { role: "dialog", "aria-label": "Keys of the map", tabindex: "-1", hidden: "" },
  });
  readonly #closed: () => void;

  /** `closed` is told when the list has gone. */
  constructor(closed: () => void) {
    this.#closed = closed;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "?") {
        event.preventDefault();
        event.stopPropagation();
        this.toggle(false);
      }
    });
    this.node.append(
      h("h3", { text: "Keys and hands" }),
      h("dl", {}, ...KEYS.flatMap(([keys, does]) => [h("dt", { text: keys }), h("dd", { text: does })])),
      button("Close", () => this.toggle(false)),
    );
  }

  toggle(open = this.node.hidden): void {
    if (open === this.node.hidden) {
      this.node.hidden = !open;
      if (open) {
        this.node.focus();
      } else {
        this.#closed();
      }
    }
  }
}
