import type { Geometry } from "./geometry.ts";
import { Projection, type Spot } from "../perspective/projection.ts";

/** What is kept free of the picture when everything is shown, pixels from its left and lower edge. */
export interface Inset {
  left: number;
  bottom: number;
}

/** Middle, scale and bearing of a view; one without a bearing has north up, one without a pitch is seen from above. */
export interface CameraView {
  x: number;
  y: number;
  scale: number;
  fitScale: number;
  bearing?: number;
  /** Degrees by which one looks from the side. */
  pitch?: number;
  /** Whether the earth is a globe, where that can be seen. */
  globe?: boolean;
}

const NO_INSET: Inset = { left: 0, bottom: 0 };

/** How far one can zoom in and out from the fitted view. */
const ZOOM = { most: 200, least: 0.5 };

/** One looks from the side by at most so many degrees: the horizon stays out of sight. */
export const MOST_PITCH = 60;
/** Pixels a degree from which a globe and a plane are the same on a screen, to within a pixel. */
const FLAT_FROM = 2900;
/** Diameter of the smallest globe, as a share of the height of the picture. */
const LEAST_GLOBE = 0.5;
/** A globe is not turned nearer to a pole than this, degrees of latitude; the same in Mercator. */
const MOST_Y = (Math.atanh(Math.sin((85 * Math.PI) / 180)) * 180) / Math.PI;
const RADIANS = Math.PI / 180;
/** Steps in which a point of a globe comes to where a hand holds it. */
const STEPS = 4;

/**
 * Which part of the drawing is on screen, CSS pixels: screen = turned(world - centre) * scale + middle. The bearing is the
 * direction that is up on the screen, degrees clockwise from that of the drawing (north on a map), in (-180, 180]. A tilted map
 * and a globe are seen in perspective instead (`Projection`); what is hidden there has no place on the screen: NaN.
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
  #pitch = 0;
  #globe = false;
  /** Made when it is asked for; null once the camera has moved. */
  #projection: Projection | null = null;

  /** What is on screen, to come back to it later. */
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

  /** Degrees by which one looks from the side, 0 to `MOST_PITCH`. */
  get pitch(): number {
    return this.#pitch;
  }

  /** Whether the earth is a globe, where that can be seen. */
  get globe(): boolean {
    return this.#globe;
  }

  /** Whether the picture is that of a sphere: near enough it is that of a plane. */
  get round(): boolean {
    return this.#globe && this.scale < FLAT_FROM;
  }

  /** Whether every part of the picture has the same scale. */
  get flat(): boolean {
    return this.#pitch === 0 && !this.round;
  }

  /** How a picture that is not flat is seen. */
  get projection(): Projection {
    const { width, height, scale, cos, sin, pitch, round } = this;
    this.#projection ??= new Projection({ x: this.#x, y: this.#y, width, height, scale, cos, sin, pitch, round });
    return this.#projection;
  }

  /** Takes the size of the picture; the middle of the view stays where it is. */
  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.#projection = null;
  }

  /** Shows everything, `padding` pixels from the edges of what the inset leaves. `bounds` are those at the present bearing. */
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
    const [x, y] = [this.width / 2, this.height / 2];
    if (this.flat) {
      const [across, down] = this.unturned(dx, dy);
      this.#moveTo(this.#x - across / this.scale, this.#y - down / this.scale);
    } else {
      this.#bring(this.projection.toWorld(x, y), x + dx, y + dy);
    }
  }

  /** Moves the picture so that what was seen at one point of the screen is seen at another. */
  drag(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const held: Spot = this.flat ? [NaN, NaN] : this.projection.toWorld(from.x, from.y);
    if (Number.isFinite(held[0] + held[1])) {
      this.#bring(held, to.x, to.y);
    } else {
      this.panBy(to.x - from.x, to.y - from.y); // a plane moves as one; beside a globe there is nothing to hold
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

  /** Looks from the side by degrees, 0 for from above, at what is in the middle. */
  tiltTo(pitch: number): void {
    this.#lean(pitch);
  }

  /** Shows the earth as a globe, or as a plane. */
  roundOff(globe: boolean): void {
    this.#globe = globe;
    this.#moveTo(this.#x, this.#y);
  }

  /** Moves a point of the drawing into view, `margin` pixels from the edges; does nothing when it is there. */
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

  /** A way on the screen as one in the drawing, both in pixels. */
  unturned(dx: number, dy: number): [dx: number, dy: number] {
    return [this.cos * dx - this.sin * dy, this.sin * dx + this.cos * dy];
  }

  /** The box around what a box of the screen shows. */
  boxOf(x0: number, y0: number, x1: number, y1: number): Geometry["bounds"] {
    if (!this.flat) {
      return this.projection.boxOf(x0, y0, x1, y1);
    }
    const xs = [this.worldX(x0, y0), this.worldX(x1, y0), this.worldX(x0, y1), this.worldX(x1, y1)];
    const ys = [this.worldY(x0, y0), this.worldY(x1, y0), this.worldY(x0, y1), this.worldY(x1, y1)];
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  }

  /** The box around what the screen shows, with `margin` pixels more on each side. */
  seen(margin = 0): Geometry["bounds"] {
    return this.boxOf(-margin, -margin, this.width + margin, this.height + margin);
  }

  /** Puts a point into the middle. A globe keeps its size, which in Mercator is a matter of latitude, and its poles are not passed. */
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

  /** Moves the picture until a point of the drawing is seen at a point of the screen. */
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

  /** One step towards a view that shows the whole box in perspective. */
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
    this.#bearing = turns === 0 ? 0 : turns; // no negative zero
    const angle = (this.#bearing * Math.PI) / 180;
    this.cos = this.#bearing === 0 ? 1 : Math.cos(angle);
    this.sin = this.#bearing === 0 ? 0 : Math.sin(angle);
    this.#projection = null;
  }

  /** Does a change of scale or bearing that leaves a point of the screen where it is. */
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
