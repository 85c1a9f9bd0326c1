import { Camera } from "../camera.ts";
import type { Theme } from "../theme.ts";
import type { Basemap, Shape } from "./basemap.ts";
import { basemapStrata, meets } from "./basemapStyle.ts";

/** What is drawn beyond each edge of the picture, as a share of its size: so far one can move before it is drawn again. */
const MARGIN = 0.3;
/** A picture that took longer than this, ms, is not drawn at each step of a zoom. */
const QUICK_MS = 9;
/** A zoom has ended after this long without another step, ms. */
const SETTLED_MS = 90;

/** The basemap on a canvas of its own that is larger than the picture: while one moves the map it is only copied. */
export class BasemapLayer {
  readonly #canvas = document.createElement("canvas");
  #key: readonly unknown[] = [];
  #camera = new Camera();
  /** Where the canvas begins, device pixels from the origin of the picture's coordinates. */
  #left = 0;
  #top = 0;
  #took = 0;
  #lastScale = 0;
  #scaledAt = 0;

  /**
   * Puts the basemap behind a picture of `width` by `height` device pixels; true when it is a copy at another scale that
   * should be drawn again soon.
   */
  draw(
    context: CanvasRenderingContext2D,
    basemap: Basemap,
    counties: readonly Shape[] | null,
    view: { camera: Camera; theme: Theme; width: number; height: number; ratio: number; now: number },
  ): boolean {
    const { camera, theme, width, height, ratio, now } = view;
    if (camera.scale !== this.#lastScale) {
      this.#lastScale = camera.scale;
      this.#scaledAt = now;
    }
    const size = [width, height, ratio];
    const key = [basemap, counties, theme, camera.scale, ...size];
    const same = key.every((value, k) => value === this.#key[k]);
    // Whole device pixels from a fixed origin: whichever way led to a view, it is one picture.
    const left = Math.round(camera.worldX(0) * camera.scale * ratio);
    const top = Math.round(camera.worldY(0) * camera.scale * ratio);
    const { width: wide, height: tall } = this.#canvas;
    const inside =
      left >= this.#left && top >= this.#top && left + width <= this.#left + wide && top + height <= this.#top + tall;
    if (same && inside) {
      context.drawImage(this.#canvas, this.#left - left, this.#top - top);
      return false;
    }
    const onlyScaled = this.#key.length > 0 && key.every((value, k) => k === 3 || value === this.#key[k]);
    if (onlyScaled && !same && this.#took > QUICK_MS && now - this.#scaledAt < SETTLED_MS) {
      this.#copyScaled(context, camera, view);
      return true;
    }
    const before = performance.now();
    this.#key = key;
    this.#render(basemap, counties, view, left, top);
    context.drawImage(this.#canvas, this.#left - left, this.#top - top);
    this.#took = performance.now() - before;
    return false;
  }

  /** Gives the memory back; the next draw makes it anew. */
  release(): void {
    this.#key = [];
    this.#canvas.width = this.#canvas.height = 0;
  }

  #render(
    basemap: Basemap,
    counties: readonly Shape[] | null,
    {
      camera,
      theme,
      width,
      height,
      ratio,
    }: { camera: Camera; theme: Theme; width: number; height: number; ratio: number },
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
      return; // told when the picture itself was made
    }
    const scale = camera.scale * ratio;
    const box = {
      x0: this.#left / scale,
      y0: this.#top / scale,
      x1: (this.#left + wide) / scale,
      y1: (this.#top + tall) / scale,
    };
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.water;
    context.fillRect(0, 0, wide, tall);
    context.setTransform(scale, 0, 0, scale, -this.#left, -this.#top);
    context.lineJoin = "round";
    for (const { shapes, fill, stroke, width: pixels } of basemapStrata(basemap, counties, camera, theme)) {
      context.fillStyle = fill ?? "";
      context.strokeStyle = stroke ?? "";
      context.lineWidth = pixels / camera.scale;
      for (const shape of shapes) {
        if (!meets(shape, box)) {
          continue;
        }
        // One by one: areas of two sources may overlap, and must not cancel each other.
        if (fill === null) {
          context.stroke(pathOf(shape, false));
        } else {
          context.fill(pathOf(shape, true), "evenodd");
        }
      }
    }
  }

  #copyScaled(
    context: CanvasRenderingContext2D,
    camera: Camera,
    { theme, width, height, ratio }: { theme: Theme; width: number; height: number; ratio: number },
  ): void {
    const factor = camera.scale / this.#camera.scale;
    const left = camera.worldX(0) * camera.scale * ratio;
    const top = camera.worldY(0) * camera.scale * ratio;
    context.fillStyle = theme.water;
    context.fillRect(0, 0, width, height);
    context.drawImage(
      this.#canvas,
      this.#left * factor - left,
      this.#top * factor - top,
      this.#canvas.width * factor,
      this.#canvas.height * factor,
    );
  }
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
