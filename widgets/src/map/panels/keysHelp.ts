import { button, h } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";

/** Keys and pointer gestures of the map. */
function keys(): readonly [keys: string, does: string][] {
  return [
    [trans.__("Arrows"), trans.__("move from bus to bus; with Shift pan")],
    ["+  \u2212  0", trans.__("zoom in, zoom out, fit all")],
    ["/", trans.__("search for a bus, line or generator by number or name")],
    ["m", trans.__("map or diagram")],
    [
      "b",
      trans.__(
        "select the buses in a box: arrows move it, with Shift size it, Enter takes, Escape cancels; Ctrl and Enter adds them",
      ),
    ],
    [",  .  n", trans.__("turn left, turn right, north up and seen from above")],
    [trans.__("Page Up, Page Down"), trans.__("tilt the map, and back")],
    ["g", trans.__("globe or plane")],
    ["p  c  r", trans.__("colour buses by price, price change, sensitivity to the selected element")],
    ["l", trans.__("short or full legend")],
    [trans.__("Escape"), trans.__("cancels a drag or a typed text; then clears the selection")],
    [
      trans.__("Ctrl or Cmd + Z"),
      trans.__("undo an edit; with Shift, or Ctrl + Y, redo it; on the map and in the panel"),
    ],
    ["?", trans.__("this list")],
    [
      trans.__("Slider"),
      trans.__("arrows 1 MW, with Shift 10 MW, Page 10 %, Home and End to the limits of feasibility; Enter to type"),
    ],
    [trans.__("Click"), trans.__("selects; with Ctrl, Cmd or Shift adds or removes")],
    [trans.__("Shift and drag"), trans.__("selects the buses in a box; with Ctrl adds them")],
    [trans.__("Wheel"), trans.__("zooms after a click on the map, or with Ctrl")],
    [trans.__("Right button"), trans.__("menu of an element")],
    [
      trans.__("Right button or Ctrl, and drag"),
      trans.__("rotates, as two fingers do; with Shift tilts, as two fingers do that go up or down together"),
    ],
  ];
}

/** The list of keys over the picture. */
export class KeysHelp {
  readonly node = h("div", {
    class: "wb-Certificate wb-Keys",
    attributes: { role: "dialog", "aria-label": trans.__("Shortcuts"), tabindex: "-1", hidden: "" },
  });
  readonly #closed: () => void;

  /** `closed` is called when the list closes. */
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
      h("h3", { text: trans.__("Shortcuts") }),
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
