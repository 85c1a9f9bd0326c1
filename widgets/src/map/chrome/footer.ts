import { ScaleBar } from "./scaleBar.ts";
import type { Camera } from "../view/camera.ts";
import { h, setText } from "../../ui/dom.ts";
import type { LabelBox } from "../picture/labels.ts";
import { NorthButton } from "./northButton.ts";
import type { Plane } from "../view/scene.ts";

/** The content of a picture's footer besides the legend. */
export interface FooterContent {
  /** Sentences that a reader must know. */
  notices: readonly string[];
  /** A button beside them. */
  action: HTMLElement | null;
  /** Whether a scale is shown. */
  scale: boolean;
}

/** The lower edge of a picture: the legend at the left; notices, scale and sources at the right. */
export class Footer {
  readonly node: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #words = h("div", { class: "wb-Notice-words" });
  readonly #scale = new ScaleBar();
  readonly #sources = h("span", { class: "wb-Attribution", attributes: { hidden: "" } });
  readonly #north: NorthButton;
  readonly #notice: HTMLElement;
  readonly #sizes = new ResizeObserver(() => this.#reportHeight());
  #covered: LabelBox[] | null = null;

  /** `northUp` is called by the compass needle. */
  constructor(legend: HTMLElement, northUp: () => void) {
    this.#legend = legend;
    this.#north = new NorthButton(northUp);
    this.#notice = h("div", { class: "wb-Notice" }, this.#words, this.#scale.node, this.#north.node, this.#sources);
    this.node = h("div", { class: "wb-Footer" }, legend, this.#notice);
    this.#sizes.observe(this.#notice);
  }

  dispose(): void {
    this.#sizes.disconnect();
  }

  show({ notices, action, scale }: FooterContent): void {
    const words = notices.map((text) => h("span", { text }));
    this.#words.replaceChildren(...words, ...(action === null ? [] : [action]));
    this.#scale.node.hidden = !scale;
    this.changed();
  }

  /** Shows scale and bearing of a view, with the next frame, and the attribution of the basemap. */
  showView(camera: Camera, plane: Plane, sources: string): void {
    if (this.#sources.textContent !== sources) {
      setText(this.#sources, sources);
      this.#sources.hidden = sources === "";
      this.changed();
    }
    this.#scale.update(camera);
    if (this.#north.update(camera, plane === "map", !this.#scale.node.hidden)) {
      this.changed();
    }
  }

  /** Must be called when the size of a part may have changed. */
  changed(): void {
    this.#covered = null;
  }

  /** Boxes of legend and notices on a picture. */
  covered(picture: HTMLElement): readonly LabelBox[] {
    if (this.#covered === null) {
      const { left, top } = picture.getBoundingClientRect();
      this.#covered = [this.#legend, this.#notice]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map((box) => ({ x0: box.left - left, y0: box.top - top, x1: box.right - left, y1: box.bottom - top }));
    }
    return this.#covered;
  }

  /** The same, measured anew. */
  measured(picture: HTMLElement): readonly LabelBox[] {
    this.changed();
    return this.covered(picture);
  }

  /** Width and height of the legend's corner; null without a legend. */
  corner(picture: HTMLElement): { width: number; height: number } | null {
    const [box, legend] = [picture.getBoundingClientRect(), this.#legend.getBoundingClientRect()];
    return legend.width === 0 ? null : { width: legend.right - box.left, height: box.bottom - legend.top };
  }

  /**
   * Reports the height of the notices to the styles: panels over the picture end above them, because they name the
   * sources.
   */
  #reportHeight(): void {
    this.node.parentElement?.style.setProperty("--wb-notice-height", `${this.#notice.offsetHeight}px`);
  }
}
