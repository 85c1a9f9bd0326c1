import { DOMWidgetView } from "@jupyter-widgets/base";
import {
  type BasemapChoice,
  basemapOf,
  CaseMap,
  cellHeight,
  type CaseMapView as Shown,
  LOADING,
  type MapStyle,
  overlaysOf,
  styleOf,
  usualHeight,
} from "../map/index.ts";
import type { IWorkspace } from "../workspace/index.ts";
import { button, h } from "../ui/dom.ts";
import { isCancelled, PRICE } from "../workspace/index.ts";
import type { CaseMapModel } from "./caseMapModel.ts";
import { earlierOffer } from "./earlierOffer.ts";
import type { CaseMapTraits } from "./protocol.ts";
import { errorText, trans } from "../text/index.ts";

/** Shows the session of a `CaseMapModel` in an output cell. Several views may share one model. */
export abstract class CaseMapView extends DOMWidgetView {
  #map: CaseMap | null = null;
  #removed = false;
  /** Default height of a map, px. */
  #height = usualHeight(window.innerHeight);
  /**
   * The kernel's specification of the basemap, and the resulting choice, which is reused while the specification is
   * equal.
   */
  #basemap: { json: string; choice: BasemapChoice | null } = { json: "", choice: null };

  /** The workspace of the page. */
  abstract get workspace(): IWorkspace;

  /** Never waits for the session: the widget manager holds back all messages of the model until this returns. */
  override render(): void {
    super.render();
    this.el.classList.add("wb-Widget");
    this.listenTo(this.model, "change:view", () => this.#viewChanged());
    this.listenTo(this.model, "change:layers", () => this.#layersChanged());
    void this.#show();
  }

  override remove(): void {
    this.#removed = true;
    this.#map?.dispose();
    super.remove();
  }

  async #show(): Promise<void> {
    const { caseSync } = this.model as CaseMapModel;
    const { case_name: name } = this.#traits;
    const words = name ? trans.__("Opening %1\u2026", name) : trans.__("Opening the case\u2026");
    this.#message(words, "status", [trans.__("Cancel"), () => caseSync.cancelOpening()]);
    try {
      const session = await caseSync.session;
      if (!this.#removed) {
        const chosen = (quantity: string, lines: string, style: MapStyle): void =>
          caseSync.showing(quantity, lines, style);
        this.#height = cellHeight(session.opened.geography.map, this.el.clientWidth, window.innerHeight);
        this.#map = new CaseMap(this.workspace, session, this.#shown, chosen);
        const earlier = caseSync.takeEarlier();
        const offer = earlier === null ? [] : [earlierOffer(session, earlier)];
        this.el.replaceChildren(...offer, this.#map.node);
        this.#map.attached();
        this.#layersChanged();
        this.workspace.activate(session);
      }
    } catch (error) {
      if (isCancelled(error)) {
        this.#message(trans.__("The map was not opened."), "status", [trans.__("Open"), () => void this.#show()]);
      } else if (this.#traits.picture) {
        this.#still(this.#traits.picture, errorText(error));
      } else {
        this.#message(errorText(error), "alert");
      }
    }
  }

  get #traits(): CaseMapTraits {
    return this.model.attributes as CaseMapTraits;
  }

  get #shown(): Required<Shown> {
    const { height, quantity = PRICE, lines = LOADING, style, basemap } = this.#traits.view;
    const json = JSON.stringify(basemap ?? null);
    if (json !== this.#basemap.json) {
      const { caseSync } = this.model as CaseMapModel;
      const choice = basemapOf(basemap, (file, offset, length) => caseSync.readFile(file, offset, length));
      this.#basemap = { json, choice };
    }
    return {
      basemap: this.#basemap.choice,
      style: styleOf(style),
      height: height ?? this.#height,
      quantity,
      branchQuantity: lines,
    };
  }

  #viewChanged(): void {
    const { height, quantity, branchQuantity, style, basemap } = this.#shown;
    this.#map?.setHeight(height);
    this.#map?.setQuantity(quantity);
    this.#map?.setBranchQuantity(branchQuantity);
    this.#map?.setStyle(style);
    this.#map?.ground.choose(basemap);
  }

  #layersChanged(): void {
    const { caseSync } = this.model as CaseMapModel;
    this.#map?.ground.setLayers(overlaysOf(this.#traits.layers), (name) => caseSync.removeLayer(name));
  }

  /** The static picture of the map where it cannot run, and why. */
  #still(picture: string, why: string): void {
    const { case_name: name } = this.#traits;
    // As an image, so that nothing in it is executed.
    const src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    const image = h("img", { attributes: { src, alt: trans.__("Map of %1", name) } });
    const words = h("p", {
      text: trans.__("This is a picture: the map cannot run here. %1", why),
      attributes: { role: "status" },
    });
    this.el.replaceChildren(h("div", { class: "wb-Still" }, image, words));
  }

  /**
   * A message in place of the map, at the height of the map so that the page does not jump, with an optional action.
   */
  #message(text: string, role: "status" | "alert", action?: [label: string, run: () => void]): void {
    const words = h("span", { text, attributes: { role } });
    const node = h("div", { class: "wb-Message", data: { role } }, words, ...(action ? [button(...action)] : []));
    if (role === "status") {
      node.style.height = `${this.#shown.height}px`;
    }
    this.el.replaceChildren(node);
  }
}
