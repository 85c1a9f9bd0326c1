import { Camera } from "../view/camera.ts";
import type { Pixels } from "../raster/pixels.ts";
import type { Theme } from "../../ui/theme.ts";
import type { Basemap, Shape } from "./basemap.ts";
import { basemapStrata, meets } from "./basemapStyle.ts";
import { drawPerspective } from "../perspective/basemap.ts";

/** Margin drawn beyond each edge of the picture, as a share of its size, so that a pan within it needs no redraw. */
const MARGIN = 0.3;
/** A basemap that took longer to draw than this, ms, is not redrawn at each step of a zoom or turn. */
const QUICK_MS = 9;
/** A zoom or turn has ended after this long without another step, ms. */
const SETTLED_MS = 90;

/** A view of the map, with its size in device pixels. */
interface View {
  camera: Camera;
  theme: Theme;
  width: number;
  height: number;
  ratio: number;
}

/** Number of leading parts of a key that describe the camera; the others describe the content. */
const POSE = 2;

/** Everything that the pixels of a view depend on, except its corner. */
function keyOf(
  basemap: Basemap,
  counties: readonly Shape[] | null,
  { camera, theme, width, height, ratio }: View,
): readonly unknown[] {
  return [camera.scale, camera.bearing, basemap, counties, theme, width, height, ratio];
}

/** The basemap on a separate canvas that is larger than the picture, so that panning only copies it. */
export class BasemapLayer {
  readonly #canvas = document.createElement("canvas");
  #key: readonly unknown[] = [];
  #camera = new Camera();
  /** Corner of the canvas, device pixels from the origin of the turned coordinates. */
  #left = 0;
  #top = 0;
  #took = 0;
  /** The pixels of the canvas, read on first request. */
  #words: ArrayBuffer | null = null;
  /** Scale and bearing of the last frame, and the time of their last change. */
  #last = { scale: 0, bearing: 0, since: 0 };

  /**
   * Draws the basemap behind a picture of `width` by `height` device pixels; true when it is a copy at another scale or
   * bearing that should be redrawn soon.
   */
  draw(
    context: CanvasRenderingContext2D,
    basemap: Basemap,
    counties: readonly Shape[] | null,
    view: View & { now: number },
  ): boolean {
    const { camera, ratio, now } = view;
    if (!camera.flat) {
      this.#drawInPerspective(context, basemap, counties, view);
      return false;
    }
    const { scale, bearing } = camera;
    if (scale !== this.#last.scale || bearing !== this.#last.bearing) {
      this.#last = { scale, bearing, since: now };
    }
    const key = keyOf(basemap, counties, view);
    const same = key.every((value, k) => value === this.#key[k]);
    // Whole device pixels from a fixed origin, so that a view has the same pixels however it was reached.
    const [left, top] = cornerOf(camera, ratio).map(Math.round) as [number, number];
    if (same && this.#holds(left, top, view)) {
      context.drawImage(this.#canvas, this.#left - left, this.#top - top);
      return false;
    }
    const otherPose = this.#key.length > 0 && key.every((value, k) => k < POSE || value === this.#key[k]);
    if (otherPose && !same && this.#took > QUICK_MS && now - this.#last.since < SETTLED_MS) {
      this.#copyMoved(context, camera, view);
      return true;
    }
    const before = performance.now();
    this.#key = key;
    this.#words = null;
    this.#render(basemap, counties, view, left, top);
    context.drawImage(this.#canvas, this.#left - left, this.#top - top);
    this.#took = performance.now() - before;
    return false;
  }

  /** Copies the basemap into pixels of the size of the picture; false where its canvas does not cover the view. */
  copyTo(pixels: Pixels, basemap: Basemap, counties: readonly Shape[] | null, view: View): boolean {
    if (!view.camera.flat) {
      return false;
    }
    const [left, top] = cornerOf(view.camera, view.ratio).map(Math.round) as [number, number];
    const same = keyOf(basemap, counties, view).every((value, k) => value === this.#key[k]);
    if (!same || !this.#holds(left, top, view)) {
      return false;
    }
    const { width: wide } = this.#canvas;
    const data = (this.#words ??= pixelsOf(this.#canvas));
    if (data === null) {
      return false;
    }
    for (let row = 0; row < pixels.height; row += 1) {
      const start = (top - this.#top + row) * wide + left - this.#left;
      pixels.words.set(new Uint32Array(data, 4 * start, pixels.width), row * pixels.width);
    }
    return true;
  }

  /** A picture in perspective is drawn for its view alone; it is reused while only colours change. */
  #drawInPerspective(
    context: CanvasRenderingContext2D,
    basemap: Basemap,
    counties: readonly Shape[] | null,
    view: View,
  ): void {
    const { camera, theme, width, height, ratio } = view;
    const key = [...Object.values(camera.view), "perspective", basemap, counties, theme, width, height, ratio];
    const same = key.length === this.#key.length && key.every((value, k) => value === this.#key[k]);
    if (!same) {
      this.#key = key;
      this.#words = null;
      [this.#canvas.width, this.#canvas.height] = [width, height];
      const own = this.#canvas.getContext("2d", { alpha: false });
      if (own !== null) {
        drawPerspective(own, basemap, counties, view);
      }
    }
    context.drawImage(this.#canvas, 0, 0);
  }

  /** Whether the canvas covers a view with this corner. */
  #holds(left: number, top: number, { width, height }: View): boolean {
    const { width: wide, height: tall } = this.#canvas;
    return (
      left >= this.#left && top >= this.#top && left + width <= this.#left + wide && top + height <= this.#top + tall
    );
  }

  /** Frees the memory; the next draw allocates it again. */
  release(): void {
    this.#key = [];
    this.#words = null;
    this.#canvas.width = this.#canvas.height = 0;
  }

  #render(
    basemap: Basemap,
    counties: readonly Shape[] | null,
    { camera, theme, width, height, ratio }: View,
    left: number,
    top: number,
  ): void {
    const [marginX, marginY] = [Math.round(MARGIN * width), Math.round(MARGIN * height)];
    this.#left = left - marginX;
    this.#top = top - marginY;
    const [wide, tall] = [width + 2 * marginX, height + 2 * marginY];
    if (this.#canvas.width !== wide || this.#canvas.height !== tall) {
      this.#canvas.width = wide;
      this.#canvas.height = tall;
    }
    this.#camera = new Camera();
    this.#camera.view = camera.view;
    const context = this.#canvas.getContext("2d", { alpha: false });
    if (context === null) {
      return; // the picture itself reports a missing context
    }
    const scale = camera.scale * ratio;
    const margins = [marginX, marginY].map((pixels) => (pixels + 1) / ratio) as [number, number];
    const box = camera.seen(Math.max(...margins));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.water;
    context.fillRect(0, 0, wide, tall);
    context.setTransform(...turn(scale, camera), -this.#left, -this.#top);
    context.lineJoin = "round";
    for (const { shapes, fill, stroke, width: pixels } of basemapStrata(basemap, counties, camera, theme)) {
      context.fillStyle = fill ?? "";
      context.strokeStyle = stroke ?? "";
      context.lineWidth = pixels / camera.scale;
      for (const shape of shapes) {
        if (!meets(shape, box)) {
          continue;
        }
        // Filled one by one, because areas of two sources may overlap and must not cancel each other.
        if (fill === null) {
          context.stroke(pathOf(shape, false));
        } else {
          context.fill(pathOf(shape, true), "evenodd");
        }
      }
    }
  }

  /** Copies the existing canvas at the scale and bearing of a camera. */
  #copyMoved(context: CanvasRenderingContext2D, camera: Camera, { theme, width, height, ratio }: View): void {
    const factor = camera.scale / this.#camera.scale;
    const between = new Camera();
    between.turnTo(camera.bearing - this.#camera.bearing);
    const [left, top] = cornerOf(camera, ratio);
    context.fillStyle = theme.water;
    context.fillRect(0, 0, width, height);
    context.save();
    context.setTransform(...turn(factor, between), -left, -top);
    context.drawImage(this.#canvas, this.#left, this.#top);
    context.restore();
  }
}

/**
 * The pixels of a canvas, read from a copy made for reading, so that the canvas itself can stay on the graphics card.
 */
function pixelsOf(canvas: HTMLCanvasElement): ArrayBuffer | null {
  const { width, height } = canvas;
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [width, height];
  const context = copy.getContext("2d", { willReadFrequently: true });
  context?.drawImage(canvas, 0, 0);
  return context?.getImageData(0, 0, width, height).data.buffer ?? null;
}

/** The upper left corner of the screen, device pixels from the origin of the turned coordinates. */
function cornerOf(camera: Camera, ratio: number): [left: number, top: number] {
  const [x, y] = [camera.worldX(0, 0), camera.worldY(0, 0)];
  const scale = camera.scale * ratio;
  return [(camera.cos * x + camera.sin * y) * scale, (camera.cos * y - camera.sin * x) * scale];
}

/** The first four numbers of a canvas transform that turns like a camera. */
function turn(scale: number, { cos, sin }: Camera): [a: number, b: number, c: number, d: number] {
  return [scale * cos, -scale * sin, scale * sin, scale * cos];
}

/** Paths of shapes, shared by the maps of the page. */
const PATHS = new WeakMap<Shape, Path2D>();

function pathOf(shape: Shape, closed: boolean): Path2D {
  let path = PATHS.get(shape);
  if (path === undefined) {
    path = new Path2D();
    for (const ring of shape.rings) {
      for (let k = 0; k + 1 < ring.length; k += 2) {
        const [x, y] = [ring[k] ?? NaN, ring[k + 1] ?? NaN];
        if (k === 0) {
          path.moveTo(x, y);
        } else {
          path.lineTo(x, y);
        }
      }
      if (closed) {
        path.closePath();
      }
    }
    PATHS.set(shape, path);
  }
  return path;
}
