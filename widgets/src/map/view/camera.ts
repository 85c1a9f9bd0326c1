import type { Geometry } from "./geometry.ts";
import { Projection, type Spot } from "../perspective/projection.ts";

/** Margins of the picture that stay free when everything is shown, pixels from its left and lower edge. */
export interface Inset {
  left: number;
  bottom: number;
}

/** Centre, scale and bearing of a view; north is up without a bearing, and the view is from above without a pitch. */
export interface CameraView {
  x: number;
  y: number;
  scale: number;
  fitScale: number;
  bearing?: number;
  /** Tilt from straight down, degrees. */
  pitch?: number;
  /** Whether the earth is drawn as a globe, where the difference is visible. */
  globe?: boolean;
}

const NO_INSET: Inset = { left: 0, bottom: 0 };

/** Zoom range relative to the fitted view. */
const ZOOM = { most: 200, least: 0.5 };

/** Largest tilt, degrees: the horizon stays out of sight. */
export const MOST_PITCH = 60;
/** Pixels per degree from which globe and plane agree on a screen to within a pixel. */
const FLAT_FROM = 2900;
/** Diameter of the smallest globe, as a fraction of the picture's height. */
const LEAST_GLOBE = 0.5;
/** Largest latitude of a globe's centre, in Mercator coordinates. */
const MOST_Y = (Math.atanh(Math.sin((85 * Math.PI) / 180)) * 180) / Math.PI;
const RADIANS = Math.PI / 180;
/** Iterations that bring a point of a globe to a screen position. */
const STEPS = 4;

/**
 * The part of the drawing on screen, CSS pixels: screen = turned(world - centre) * scale + middle. The bearing is the
 * direction that is up on the screen, degrees clockwise from that of the drawing (north on a map), in (-180, 180]. A
 * tilted map and a globe are in perspective instead (`Projection`); hidden points have no screen position: NaN.
 */
export class Camera {
  width = 0;
  height = 0;
  scale = 1;
  /** The scale at which everything is visible. */
  fitScale = 1;
  /** Smallest scale, where that is below the limit of the fitted view. */
  leastScale = Infinity;
  /** Cosine and sine of the bearing. */
  cos = 1;
  sin = 0;
  #x = 0;
  #y = 0;
  #bearing = 0;
  #pitch = 0;
  #globe = false;
  /** Computed on demand; null once the camera has moved. */
  #projection: Projection | null = null;

  /** The present view, to be restored later. */
  get view(): Required<CameraView> {
    const { scale, fitScale, bearing, pitch, globe } = this;
    return { x: this.#x, y: this.#y, scale, fitScale, bearing, pitch, globe };
  }

  set view({ x, y, scale, fitScale, bearing = 0, pitch = 0, globe = false }: CameraView) {
    this.#globe = globe;
    [this.#x, this.#y] = [x, y];
    this.#scaleTo(scale);
    this.fitScale = fitScale;
    this.#face(bearing);
    this.#lean(pitch);
  }

  get bearing(): number {
    return this.#bearing;
  }

  /** Tilt from straight down, degrees, 0 to `MOST_PITCH`. */
  get pitch(): number {
    return this.#pitch;
  }

  /** Whether the earth is drawn as a globe, where the difference is visible. */
  get globe(): boolean {
    return this.#globe;
  }

  /** Whether the picture is a sphere; near enough a plane is drawn. */
  get round(): boolean {
    return this.#globe && this.scale < FLAT_FROM;
  }

  /** Whether every part of the picture has the same scale. */
  get flat(): boolean {
    return this.#pitch === 0 && !this.round;
  }

  /** The projection of a picture that is not flat. */
  get projection(): Projection {
    const { width, height, scale, cos, sin, pitch, round } = this;
    this.#projection ??= new Projection({ x: this.#x, y: this.#y, width, height, scale, cos, sin, pitch, round });
    return this.#projection;
  }

  /** Sets the size of the picture; the centre of the view stays. */
  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.#projection = null;
  }

  /**
   * Shows everything, `padding` pixels from the edges of what the inset leaves. `bounds` are those at the present
   * bearing.
   */
  fit(bounds: Geometry["bounds"], padding: number, inset = NO_INSET): void {
    this.#measure(bounds, padding, inset);
    this.#scaleTo(this.fitScale);
    const u = (bounds.x0 + bounds.x1) / 2 - inset.left / 2 / this.scale;
    const v = (bounds.y0 + bounds.y1) / 2 + inset.bottom / 2 / this.scale;
    this.#moveTo(...this.unturned(u, v));
    for (let step = 0; !this.flat && step < 2 * STEPS; step += 1) {
      this.#fitNearer(bounds, padding, inset);
      this.fitScale = this.scale;
    }
  }

  /** Fits again if everything was shown; must be called after a resize. */
  refit(bounds: Geometry["bounds"], padding: number, inset = NO_INSET): void {
    if (this.scale === this.fitScale) {
      this.fit(bounds, padding, inset);
    } else {
      this.#measure(bounds, padding, inset);
    }
  }

  /** Moves the picture by screen pixels. */
  panBy(dx: number, dy: number): void {
    const [x, y] = [this.width / 2, this.height / 2];
    if (this.flat) {
      const [across, down] = this.unturned(dx, dy);
      this.#moveTo(this.#x - across / this.scale, this.#y - down / this.scale);
    } else {
      this.#bring(this.projection.toWorld(x, y), x + dx, y + dy);
    }
  }

  /** Moves the picture so that the content of one screen point appears at another. */
  drag(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const held: Spot = this.flat ? [NaN, NaN] : this.projection.toWorld(from.x, from.y);
    if (Number.isFinite(held[0] + held[1])) {
      this.#bring(held, to.x, to.y);
    } else {
      this.panBy(to.x - from.x, to.y - from.y); // a plane moves as a whole; outside a globe there is nothing to hold
    }
  }

  /** Zooms by a factor around a point of the screen. */
  zoomAt(factor: number, sx: number, sy: number): void {
    const globe = this.#globe ? (LEAST_GLOBE * this.height * RADIANS) / 2 / Math.cosh(this.#y * RADIANS) : Infinity;
    const least = Math.min(this.leastScale, ZOOM.least * this.fitScale, globe);
    const scale = Math.max(least, Math.min(ZOOM.most * this.fitScale, this.scale * factor));
    this.#around(sx, sy, () => this.#scaleTo(scale));
  }

  /** Turns the picture to a bearing around a point of the screen, by default its middle. */
  turnTo(bearing: number, sx = this.width / 2, sy = this.height / 2): void {
    this.#around(sx, sy, () => this.#face(bearing));
  }

  /** Tilts the view by degrees, 0 for from above, around the middle. */
  tiltTo(pitch: number): void {
    this.#lean(pitch);
  }

  /** Draws the earth as a globe, or as a plane. */
  roundOff(globe: boolean): void {
    this.#globe = globe;
    this.#moveTo(this.#x, this.#y);
  }

  /** Moves a point of the drawing into view, `margin` pixels from the edges; does nothing if it is there. */
  reveal(x: number, y: number, margin: number): void {
    const [sx, sy] = [this.screenX(x, y), this.screenY(x, y)];
    if (!Number.isFinite(sx + sy)) {
      this.#moveTo(x, y); // it is hidden
      return;
    }
    const clamp = (value: number, size: number): number => Math.max(margin, Math.min(size - margin, value));
    this.drag({ x: sx, y: sy }, { x: clamp(sx, this.width), y: clamp(sy, this.height) });
  }

  screenX(x: number, y: number): number {
    return this.flat
      ? (this.cos * (x - this.#x) + this.sin * (y - this.#y)) * this.scale + this.width / 2
      : this.projection.toScreen(x, y)[0];
  }

  screenY(x: number, y: number): number {
    return this.flat
      ? (this.cos * (y - this.#y) - this.sin * (x - this.#x)) * this.scale + this.height / 2
      : this.projection.toScreen(x, y)[1];
  }

  worldX(sx: number, sy: number): number {
    return this.flat
      ? (this.cos * (sx - this.width / 2) - this.sin * (sy - this.height / 2)) / this.scale + this.#x
      : this.projection.toWorld(sx, sy)[0];
  }

  worldY(sx: number, sy: number): number {
    return this.flat
      ? (this.sin * (sx - this.width / 2) + this.cos * (sy - this.height / 2)) / this.scale + this.#y
      : this.projection.toWorld(sx, sy)[1];
  }

  /** Converts a vector on the screen to the drawing, both in pixels. */
  unturned(dx: number, dy: number): [dx: number, dy: number] {
    return [this.cos * dx - this.sin * dy, this.sin * dx + this.cos * dy];
  }

  /** Bounding box of the content of a screen box. */
  boxOf(x0: number, y0: number, x1: number, y1: number): Geometry["bounds"] {
    if (!this.flat) {
      return this.projection.boxOf(x0, y0, x1, y1);
    }
    const xs = [this.worldX(x0, y0), this.worldX(x1, y0), this.worldX(x0, y1), this.worldX(x1, y1)];
    const ys = [this.worldY(x0, y0), this.worldY(x1, y0), this.worldY(x0, y1), this.worldY(x1, y1)];
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  }

  /** Bounding box of the visible content, with `margin` more pixels on each side. */
  seen(margin = 0): Geometry["bounds"] {
    return this.boxOf(-margin, -margin, this.width + margin, this.height + margin);
  }

  /**
   * Centres a point. A globe keeps its size, which in Mercator depends on the latitude, and does not turn past its
   * poles.
   */
  #moveTo(x: number, y: number): void {
    if (this.round) {
      const before = Math.cosh(this.#y * RADIANS);
      this.#y = Math.max(-MOST_Y, Math.min(MOST_Y, y));
      this.#x = x - 360 * Math.round(x / 360);
      this.scale *= before / Math.cosh(this.#y * RADIANS);
    } else {
      [this.#x, this.#y] = [x, y];
    }
    this.#projection = null;
  }

  #scaleTo(scale: number): void {
    this.scale = scale;
    this.#projection = null;
  }

  #lean(pitch: number): void {
    this.#pitch = Math.max(0, Math.min(MOST_PITCH, pitch));
    this.#projection = null;
  }

  /** Moves the picture until a point of the drawing appears at a point of the screen. */
  #bring([x, y]: Spot, sx: number, sy: number): void {
    for (let step = 0; step < (this.round ? STEPS : 1); step += 1) {
      const [atX, atY] = [this.worldX(sx, sy), this.worldY(sx, sy)];
      if (!Number.isFinite(atX + atY)) {
        return;
      }
      const across = this.round ? x - atX - 360 * Math.round((x - atX) / 360) : x - atX;
      this.#moveTo(this.#x + across, this.#y + y - atY);
    }
  }

  /** One iteration towards a view that shows the whole box in perspective. */
  #fitNearer({ x0, x1, y0, y1 }: Geometry["bounds"], padding: number, inset: Inset): void {
    const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    for (const u of [x0, (x0 + x1) / 2, x1]) {
      for (const v of [y0, (y0 + y1) / 2, y1]) {
        const [sx, sy] = this.projection.toScreen(...this.unturned(u, v));
        if (Number.isFinite(sx + sy)) {
          box.x0 = Math.min(box.x0, sx);
          box.x1 = Math.max(box.x1, sx);
          box.y0 = Math.min(box.y0, sy);
          box.y1 = Math.max(box.y1, sy);
        }
      }
    }
    const [left, right, top] = [inset.left + padding, this.width - padding, padding];
    const bottom = this.height - inset.bottom - padding;
    const factor = Math.min((right - left) / (box.x1 - box.x0), (bottom - top) / (box.y1 - box.y0));
    const middle = this.projection.toWorld((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2);
    if (!Number.isFinite(factor) || factor <= 0 || !Number.isFinite(middle[0] + middle[1])) {
      return;
    }
    this.#scaleTo(this.scale * factor);
    this.#bring(middle, (left + right) / 2, (top + bottom) / 2);
  }

  #face(bearing: number): void {
    const turns = bearing - 360 * Math.ceil((bearing - 180) / 360);
    this.#bearing = turns === 0 ? 0 : turns; // avoids negative zero
    const angle = (this.#bearing * Math.PI) / 180;
    this.cos = this.#bearing === 0 ? 1 : Math.cos(angle);
    this.sin = this.#bearing === 0 ? 0 : Math.sin(angle);
    this.#projection = null;
  }

  /** Changes scale or bearing around a fixed point of the screen. */
  #around(sx: number, sy: number, change: () => void): void {
    const [x, y] = [this.worldX(sx, sy), this.worldY(sx, sy)];
    change();
    if (Number.isFinite(x + y)) {
      this.#bring([x, y], sx, sy);
    }
  }

  #measure(bounds: Geometry["bounds"], padding: number, inset: Inset): void {
    const wide = (this.width - inset.left - 2 * padding) / (bounds.x1 - bounds.x0 || 1);
    const high = (this.height - inset.bottom - 2 * padding) / (bounds.y1 - bounds.y0 || 1);
    const scale = Math.max(1e-9, Math.min(wide, high));
    this.fitScale = Number.isFinite(scale) ? scale : 1;
  }
}

/** Bounding box of a network's buses at a bearing: the drawing turned around its origin. */
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
    // No bus has a position: use the corners of the default bounds.
    take(bounds.x0, bounds.y0);
    take(bounds.x1, bounds.y0);
    take(bounds.x0, bounds.y1);
    take(bounds.x1, bounds.y1);
  }
  return turned;
}

/** Size factor of lines and marks relative to the fitted view: they grow slower than the picture. */
export function zoomFactor(camera: Camera): number {
  return Math.max(0.8, Math.min(2.2, (camera.scale / camera.fitScale) ** 0.4));
}
