import { button, h } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";

/** What keys and hands do on the map. */
function keys(): readonly [keys: string, does: string][] {
  return [
    [trans.__("Arrows"), trans.__("from bus to bus; with Shift they move the picture")],
    ["+  \u2212  0", trans.__("nearer, further, show everything")],
    ["/", trans.__("search for a bus or line by number or name")],
    ["m", trans.__("map or diagram")],
    [",  .  n", trans.__("turn left, turn right, north up")],
    ["p  c  r", trans.__("buses by price, change in price, response to the selected element")],
    ["l", trans.__("legend in short or whole")],
    [trans.__("Escape"), trans.__("takes back a move or a typed text; then nothing is selected")],
    [trans.__("Ctrl or Cmd + Z"), trans.__("undo an edit; with Shift, or Ctrl + Y, redo it")],
    ["?", trans.__("this list")],
    [
      trans.__("Slider"),
      trans.__("arrows 1 MW, with Shift 10 MW, Page 10 %, Home and End as far as there is a solution; Enter types"),
    ],
    [trans.__("Click"), trans.__("selects; with Ctrl, Cmd or Shift it adds or takes out")],
    [trans.__("Shift and drag"), trans.__("selects the buses in a box; with Ctrl it adds them")],
    [trans.__("Wheel"), trans.__("zooms once the map was clicked, or with Ctrl")],
    [trans.__("Right button"), trans.__("what can be done with an element")],
    [trans.__("Right button or Ctrl, and drag"), trans.__("turns the picture, as two fingers do")],
  ];
}

/** The list of keys over the picture. */
export class KeysHelp {
  readonly node = h("div", {
    class: "wb-Certificate wb-Keys",
    attributes: { role: "dialog", "aria-label": trans.__("Keys of the map"), tabindex: "-1", hidden: "" },
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
      h("h3", { text: trans.__("Keys and pointer") }),
      h("dl", {}, ...keys().flatMap(([keys, does]) => [h("dt", { text: keys }), h("dd", { text: does })])),
      button(trans.__("Close"), () => this.toggle(false)),
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
