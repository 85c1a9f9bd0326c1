import type { Camera } from "../view/camera.ts";
import { unproject } from "../view/geometry.ts";
import { h, setText } from "../../ui/dom.ts";
import { formatCount } from "../../text/index.ts";

/** Sources of the basemap. */
export const ATTRIBUTION = "Natural Earth, U.S. Census Bureau, GeoNames";

/** Kilometres of one degree of longitude at the equator. */
const KM_PER_DEGREE = 111.32;
/** The longest scale bar, pixels. */
const MOST_PIXELS = 96;

/** A round length and its width on the screen. */
export interface ScaleLength {
  km: number;
  pixels: number;
}

/**
 * The longest round length that fits a scale bar in the middle of the view; `magnified` is the size of its pixels in
 * pixels of the view.
 */
export function scaleLength(camera: Camera, magnified = 1): ScaleLength {
  const [, lat] = unproject(camera.view.x, camera.view.y);
  const kmPerPixel = ((KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)) / camera.scale) * magnified;
  const most = MOST_PIXELS * kmPerPixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const km = power * ([5, 2].find((factor) => factor * power <= most) ?? 1);
  return { km, pixels: km / kmPerPixel };
}

/** `200 km`, `500 m`. */
export function lengthText(km: number): string {
  return km >= 1 ? `${formatCount(km)} km` : `${formatCount(1000 * km)} m`;
}

/** The scale bar. */
export class ScaleBar {
  readonly node: HTMLElement;
  readonly #bar = h("i", { class: "wb-Scale-bar", attributes: { "aria-hidden": "true" } });
  readonly #text = h("span");
  #km = NaN;

  constructor() {
    this.node = h("div", { class: "wb-Scale" }, this.#text, this.#bar);
  }

  /** Shows the scale of a view. */
  update(camera: Camera): void {
    const { km, pixels } = scaleLength(camera);
    if (km !== this.#km) {
      this.#km = km;
      setText(this.#text, lengthText(km));
    }
    this.#bar.style.width = `${Math.round(pixels)}px`;
  }
}
