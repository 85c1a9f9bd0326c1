import type { Geometry } from "./geometry.ts";

/** What is kept free of the picture when everything is shown, pixels from its left and lower edge. */
export interface Inset {
  left: number;
  bottom: number;
}

/** Middle, scale and bearing of a view; one without a bearing has north up. */
export interface CameraView {
  x: number;
  y: number;
  scale: number;
  fitScale: number;
  bearing?: number;
}

const NO_INSET: Inset = { left: 0, bottom: 0 };

/** How far one can zoom in and out from the fitted view. */
const ZOOM = { most: 200, least: 0.5 };

/**
 * Which part of the drawing is on screen, CSS pixels: screen = turned(world - centre) * scale + middle. The bearing is the
 * direction that is up on the screen, degrees clockwise from that of the drawing (north on a map), in (-180, 180].
 */
export class Camera {
  width = 0;
  height = 0;
  scale = 1;
  /** The scale at which everything is visible. */
  fitScale = 1;
  /** How far out one can zoom, when that is further than the fitted view allows. */
  leastScale = Infinity;
  /** Cosine and sine of the bearing. */
  cos = 1;
  sin = 0;
  #x = 0;
  #y = 0;
  #bearing = 0;

  /** What is on screen, to come back to it later. */
  get view(): Required<CameraView> {
    return { x: this.#x, y: this.#y, scale: this.scale, fitScale: this.fitScale, bearing: this.#bearing };
  }

  set view({ x, y, scale, fitScale, bearing = 0 }: CameraView) {
    this.#x = x;
    this.#y = y;
    this.scale = scale;
    this.fitScale = fitScale;
    this.#face(bearing);
  }

  get bearing(): number {
    return this.#bearing;
  }

  /** Takes the size of the picture; the middle of the view stays where it is. */
  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  /** Shows everything, `padding` pixels from the edges of what the inset leaves. `bounds` are those at the present bearing. */
  fit(bounds: Geometry["bounds"], padding: number, inset = NO_INSET): void {
    this.#measure(bounds, padding, inset);
    this.scale = this.fitScale;
    const u = (bounds.x0 + bounds.x1) / 2 - inset.left / 2 / this.scale;
    const v = (bounds.y0 + bounds.y1) / 2 + inset.bottom / 2 / this.scale;
    this.#x = this.cos * u - this.sin * v;
    this.#y = this.sin * u + this.cos * v;
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
    this.#x -= (this.cos * dx - this.sin * dy) / this.scale;
    this.#y -= (this.sin * dx + this.cos * dy) / this.scale;
  }

  /** Zooms by a factor around a point of the screen. */
  zoomAt(factor: number, sx: number, sy: number): void {
    const least = Math.min(this.leastScale, ZOOM.least * this.fitScale);
    const scale = Math.max(least, Math.min(ZOOM.most * this.fitScale, this.scale * factor));
    this.#around(sx, sy, () => (this.scale = scale));
  }

  /** Turns the picture to a bearing around a point of the screen, by default its middle. */
  turnTo(bearing: number, sx = this.width / 2, sy = this.height / 2): void {
    this.#around(sx, sy, () => this.#face(bearing));
  }

  /** Moves a point of the drawing into view, `margin` pixels from the edges; does nothing when it is there. */
  reveal(x: number, y: number, margin: number): void {
    const [sx, sy] = [this.screenX(x, y), this.screenY(x, y)];
    const clamp = (value: number, size: number): number => Math.max(margin, Math.min(size - margin, value));
    this.panBy(clamp(sx, this.width) - sx, clamp(sy, this.height) - sy);
  }

  screenX(x: number, y: number): number {
    return (this.cos * (x - this.#x) + this.sin * (y - this.#y)) * this.scale + this.width / 2;
  }

  screenY(x: number, y: number): number {
    return (this.cos * (y - this.#y) - this.sin * (x - this.#x)) * this.scale + this.height / 2;
  }

  worldX(sx: number, sy: number): number {
    return (this.cos * (sx - this.width / 2) - this.sin * (sy - this.height / 2)) / this.scale + this.#x;
  }

  worldY(sx: number, sy: number): number {
    return (this.sin * (sx - this.width / 2) + this.cos * (sy - this.height / 2)) / this.scale + this.#y;
  }

  /** A way on the screen as one in the drawing, both in pixels. */
  unturned(dx: number, dy: number): [dx: number, dy: number] {
    return [this.cos * dx - this.sin * dy, this.sin * dx + this.cos * dy];
  }

  /** The box around what a box of the screen shows. */
  boxOf(x0: number, y0: number, x1: number, y1: number): Geometry["bounds"] {
    const xs = [this.worldX(x0, y0), this.worldX(x1, y0), this.worldX(x0, y1), this.worldX(x1, y1)];
    const ys = [this.worldY(x0, y0), this.worldY(x1, y0), this.worldY(x0, y1), this.worldY(x1, y1)];
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  }

  /** The box around what the screen shows, with `margin` pixels more on each side. */
  seen(margin = 0): Geometry["bounds"] {
    return this.boxOf(-margin, -margin, this.width + margin, this.height + margin);
  }

  #face(bearing: number): void {
    const turns = bearing - 360 * Math.ceil((bearing - 180) / 360);
    this.#bearing = turns === 0 ? 0 : turns; // no negative zero
    const angle = (this.#bearing * Math.PI) / 180;
    this.cos = this.#bearing === 0 ? 1 : Math.cos(angle);
    this.sin = this.#bearing === 0 ? 0 : Math.sin(angle);
  }

  /** Does a change of scale or bearing that leaves a point of the screen where it is. */
  #around(sx: number, sy: number, change: () => void): void {
    const [x, y] = [this.worldX(sx, sy), this.worldY(sx, sy)];
    change();
    this.#x += x - this.worldX(sx, sy);
    this.#y += y - this.worldY(sx, sy);
  }

  #measure(bounds: Geometry["bounds"], padding: number, inset: Inset): void {
    const wide = (this.width - inset.left - 2 * padding) / (bounds.x1 - bounds.x0 || 1);
    const high = (this.height - inset.bottom - 2 * padding) / (bounds.y1 - bounds.y0 || 1);
    const scale = Math.max(1e-9, Math.min(wide, high));
    this.fitScale = Number.isFinite(scale) ? scale : 1;
  }
}

/** The box around the buses of a network as they lie at a bearing: the drawing turned around its origin. */
export function turnedBounds(
  { busX, busY, bounds }: Pick<Geometry, "busX" | "busY" | "bounds">,
  { bearing, cos, sin }: Pick<Camera, "bearing" | "cos" | "sin">,
): Geometry["bounds"] {
  if (bearing === 0) {
    return bounds;
  }
  const turned = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  const take = (x: number, y: number): void => {
    const [u, v] = [cos * x + sin * y, cos * y - sin * x];
    turned.x0 = Math.min(turned.x0, u);
    turned.x1 = Math.max(turned.x1, u);
    turned.y0 = Math.min(turned.y0, v);
    turned.y1 = Math.max(turned.y1, v);
  };
  for (let row = 0; row < busX.length; row += 1) {
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    if (Number.isFinite(x + y)) {
      take(x, y);
    }
  }
  if (turned.x0 > turned.x1) {
    // Nothing lies anywhere: the corners of what is to be shown.
    take(bounds.x0, bounds.y0);
    take(bounds.x1, bounds.y0);
    take(bounds.x0, bounds.y1);
    take(bounds.x1, bounds.y1);
  }
  return turned;
}

/** How much larger than in the fitted view lines and marks are drawn: they grow slower than the picture. */
export function zoomFactor(camera: Camera): number {
  return Math.max(0.8, Math.min(2.2, (camera.scale / camera.fitScale) ** 0.4));
}
