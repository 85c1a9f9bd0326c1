import type { Camera } from "../view/camera.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { ICONS } from "../../ui/icons.ts";
import { trans } from "../../text/index.ts";

/** Shows the bearing; a click brings north up and the map flat, on a drawing its upper edge. */
export class NorthButton {
  readonly node: HTMLButtonElement;
  readonly #letter = h("span", { class: "wb-North-letter" });
  readonly #needle = h("span", { class: "wb-North-needle", attributes: { "aria-hidden": "true" } });
  #shown = "";

  constructor(northUp: () => void) {
    this.node = button("", northUp, { class: "wb-mod-link wb-North" });
    this.#needle.innerHTML = ICONS.needle;
    this.node.replaceChildren(this.#letter, this.#needle);
  }

  /**
   * Shows the bearing of a view, `always` even if north is up; true when the button appeared, disappeared or changed
   * its size.
   */
  update({ bearing, pitch }: Pick<Camera, "bearing" | "pitch">, onMap: boolean, always: boolean): boolean {
    const key = `${bearing} ${pitch} ${onMap} ${always}`;
    if (key === this.#shown) {
      return false;
    }
    this.#shown = key;
    const hidden = !always && bearing === 0 && pitch === 0;
    const changed = this.node.hidden !== hidden;
    this.node.hidden = hidden;
    const up = bearing === 0;
    const title = onMap
      ? pitch > 0
        ? trans.__("North up, seen from above (n)")
        : up
          ? trans.__("North is up")
          : trans.__("Bring north up (n)")
      : trans.__("Turn the drawing upright (n)");
    this.node.title = title;
    this.node.setAttribute("aria-label", title);
    setText(this.#letter, onMap ? trans._p("north", "N") : "");
    this.#needle.style.transform = up ? "" : `rotate(${-bearing}deg)`;
    return changed;
  }
}
