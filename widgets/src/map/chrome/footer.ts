import { ScaleBar } from "./scaleBar.ts";
import type { Camera } from "../view/camera.ts";
import { h, setText } from "../../ui/dom.ts";
import type { LabelBox } from "../picture/labels.ts";
import { NorthButton } from "./northButton.ts";
import type { Plane } from "../view/scene.ts";

/** What the footer of a picture shows besides the legend. */
export interface FooterContent {
  /** Sentences that a reader must know. */
  notices: readonly string[];
  /** A button beside them. */
  action: HTMLElement | null;
  /** Whether there is a scale. */
  scale: boolean;
}

/** What lies at the lower edge of a picture: the legend at the left; notices, scale and sources at the right. */
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

  /** `northUp` is what the needle does. */
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

  /** Shows scale and bearing of a view, at the next frame of it, and whom to name for what lies below the network. */
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

  /** To be called when something in it may have another size. */
  changed(): void {
    this.#covered = null;
  }

  /** Where legend and notices lie on a picture. */
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

  /** The same as they lie now. */
  measured(picture: HTMLElement): readonly LabelBox[] {
    this.changed();
    return this.covered(picture);
  }

  /** Width and height of the corner that the legend takes; null while there is none. */
  corner(picture: HTMLElement): { width: number; height: number } | null {
    const [box, legend] = [picture.getBoundingClientRect(), this.#legend.getBoundingClientRect()];
    return legend.width === 0 ? null : { width: legend.right - box.left, height: box.bottom - legend.top };
  }

  /** Panels over the picture end above the notices, which name the sources: the styles are told how high these are. */
  #reportHeight(): void {
    this.node.parentElement?.style.setProperty("--wb-notice-height", `${this.#notice.offsetHeight}px`);
  }
}
