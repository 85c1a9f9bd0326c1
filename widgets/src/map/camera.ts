import type { Geometry } from "./geometry.ts";

/** What is kept free of the picture when everything is shown, pixels from its left and lower edge. */
export interface Inset {
  left: number;
  bottom: number;
}

/** Middle and scale of a view. */
export interface CameraView {
  x: number;
  y: number;
  scale: number;
  fitScale: number;
}

const NO_INSET: Inset = { left: 0, bottom: 0 };

/** How far one can zoom in and out from the fitted view. */
const ZOOM = { most: 200, least: 0.5 };

/** Which part of the drawing is on screen: screen = (world - centre) * scale + middle, CSS pixels. */
export class Camera {
  width = 0;
  height = 0;
  scale = 1;
  /** The scale at which everything is visible. */
  fitScale = 1;
  /** How far out one can zoom, when that is further than the fitted view allows. */
  leastScale = Infinity;
  #x = 0;
  #y = 0;

  /** What is on screen, to come back to it later. */
  get view(): CameraView {
    return { x: this.#x, y: this.#y, scale: this.scale, fitScale: this.fitScale };
  }

  set view({ x, y, scale, fitScale }: CameraView) {
    this.#x = x;
    this.#y = y;
    this.scale = scale;
    this.fitScale = fitScale;
  }

  /** Takes the size of the picture; the middle of the view stays where it is. */
  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  /** Shows everything, `padding` pixels from the edges of what the inset leaves. */
  fit(bounds: Geometry["bounds"], padding: number, inset = NO_INSET): void {
    this.#measure(bounds, padding, inset);
    this.scale = this.fitScale;
    this.#x = (bounds.x0 + bounds.x1) / 2 - inset.left / 2 / this.scale;
    this.#y = (bounds.y0 + bounds.y1) / 2 + inset.bottom / 2 / this.scale;
  }

  /** Shows everything again when everything was shown before; to be called after a new size. */
  refit(bounds: Geometry["bounds"], padding: number, inset = NO_INSET): void {
    if (this.scale === this.fitScale) {
      this.fit(bounds, padding, inset);
    } else {
      this.#measure(bounds, padding, inset);
    }
  }

  /** Moves the picture by screen pixels. */
  panBy(dx: number, dy: number): void {
    this.#x -= dx / this.scale;
    this.#y -= dy / this.scale;
  }

  /** Zooms by a factor around a point of the screen. */
  zoomAt(factor: number, sx: number, sy: number): void {
    const least = Math.min(this.leastScale, ZOOM.least * this.fitScale);
    const scale = Math.max(least, Math.min(ZOOM.most * this.fitScale, this.scale * factor));
    const [wx, wy] = [this.worldX(sx), this.worldY(sy)];
    this.scale = scale;
    this.#x = wx - (sx - this.width / 2) / scale;
    this.#y = wy - (sy - this.height / 2) / scale;
  }

  /** Moves a point of the drawing into view, `margin` pixels from the edges; does nothing when it is there. */
  reveal(x: number, y: number, margin: number): void {
    const [sx, sy] = [this.screenX(x), this.screenY(y)];
    const clamp = (value: number, size: number): number => Math.max(margin, Math.min(size - margin, value));
    this.panBy(clamp(sx, this.width) - sx, clamp(sy, this.height) - sy);
  }

  screenX(x: number): number {
    return (x - this.#x) * this.scale + this.width / 2;
  }

  screenY(y: number): number {
    return (y - this.#y) * this.scale + this.height / 2;
  }

  worldX(sx: number): number {
    return (sx - this.width / 2) / this.scale + this.#x;
  }

  worldY(sy: number): number {
    return (sy - this.height / 2) / this.scale + this.#y;
  }

  #measure(bounds: Geometry["bounds"], padding: number, inset: Inset): void {
    const wide = (this.width - inset.left - 2 * padding) / (bounds.x1 - bounds.x0 || 1);
    const high = (this.height - inset.bottom - 2 * padding) / (bounds.y1 - bounds.y0 || 1);
    const scale = Math.max(1e-9, Math.min(wide, high));
    this.fitScale = Number.isFinite(scale) ? scale : 1;
  }
}

/** How much larger than in the fitted view lines and marks are drawn: they grow slower than the picture. */
export function zoomFactor(camera: Camera): number {
  return Math.max(0.8, Math.min(2.2, (camera.scale / camera.fitScale) ** 0.4));
}
