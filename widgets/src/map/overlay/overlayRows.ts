import { trans } from "../../text/index.ts";
import { button, h } from "../../ui/dom.ts";
import type { MapOverlays } from "./mapOverlays.ts";

/**
 * The layers of a map, each with a checkbox that shows it and a button that removes it; empty without layers. `redraw`
 * is called after a removal.
 */
export function overlayRows(overlays: MapOverlays, redraw: () => void): HTMLElement[] {
  return overlays.all.map(({ name, color }) => {
    const box = h("input", { attributes: { type: "checkbox" } });
    box.checked = overlays.isShown(name);
    box.addEventListener("change", () => overlays.show(name, box.checked));
    const swatch = h("i", { class: "wb-StylePanel-swatch", attributes: { "aria-hidden": "true" } });
    swatch.style.background = color;
    const remove = button(trans.__("Remove"), () => {
      overlays.remove(name);
      redraw();
    });
    remove.setAttribute("aria-label", trans.__("Remove the layer %1", name));
    return h(
      "div",
      { class: "wb-StylePanel-row" },
      h("label", { class: "wb-StylePanel-box" }, box, swatch, name),
      remove,
    );
  });
}
