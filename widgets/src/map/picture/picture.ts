import { drawGraticule } from "./graticule.ts";
import { type Ground, RasterLayer } from "../raster/rasterLayer.ts";
import { trans } from "../../text/index.ts";
import type { Frame, PictureParts, PictureSize } from "./frame.ts";
import { drawEventMarks } from "./eventMarks.ts";
import { drawProposedChanges } from "./proposedChanges.ts";
import { marked, busRadius } from "./busMarks.ts";
import { drawField } from "../contour/contour.ts";
import { drawGenerators } from "./generatorMarks.ts";
import { drawLinks } from "./linkMarks.ts";
import { drawSwitches } from "./switchMarks.ts";

/** Draws frames on a canvas at the resolution of the screen. */
export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #raster: RasterLayer;
  readonly #parts: PictureParts;
  #pixelRatio = 1;

  /** `again` is called when the picture has to be redrawn. */
  constructor(canvas: HTMLCanvasElement, parts: PictureParts, again: () => void) {
    const context = canvas.getContext("2d");
    if (context === null) {
      throw new Error(trans.__("This browser provides no canvas to draw on."));
    }
    this.canvas = canvas;
    this.#context = context;
    this.#parts = parts;
    this.#raster = new RasterLayer(again);
  }

  /** Sets the size of the picture in CSS pixels. */
  resize(width: number, height: number): void {
    this.#pixelRatio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.#pixelRatio);
    this.canvas.height = Math.round(height * this.#pixelRatio);
  }

  /** Frees what only the next frame needs; the picture stays. */
  release(): void {
    this.#raster.release();
  }

  draw(frame: Frame): void {
    const context = this.#context;
    const { width, height } = this.canvas;
    const ratio = this.#pixelRatio;
    const size = { width, height, ratio };
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#parts.accelerated?.() === true) {
      this.#ground(frame, size);
      this.#parts.network?.(context, frame, size);
    } else {
      const { ground: behind = null } = this.#parts;
      const field = frame.field ?? null;
      const plain = !frame.graticule && field === null;
      const ground: Ground = {
        stamp: plain ? behind : [behind, frame.graticule, field?.stamp].join(),
        copy: (pixels) => plain && (this.#parts.copyBehind?.(pixels, frame, size) ?? false),
        draw: () => this.#ground(frame, size),
      };
      this.#raster.draw(frame, context, size, behind === null && plain ? null : ground);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = "round";
    context.lineJoin = "round";
    drawLinks(context, frame);
    drawSwitches(context, frame);
    drawGenerators(context, frame);
    drawProposedChanges(context, frame);
    drawEventMarks(context, frame);
    this.#busRings(frame);
    this.#parts.before?.(context, frame);
  }

  #ground(frame: Frame, size: PictureSize): boolean {
    const context = this.#context;
    context.fillStyle = frame.theme.ground;
    context.fillRect(0, 0, size.width, size.height);
    const unfinished = this.#parts.behind?.(context, frame, size) ?? false;
    if (frame.field) {
      drawField(context, frame.field, frame.camera, size.ratio);
    }
    if (frame.graticule) {
      context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
      drawGraticule(context, frame.camera, frame.theme);
      context.setTransform(1, 0, 0, 1, 0, 0);
    }
    return unfinished;
  }

  /** Rings around the hovered and the selected buses. */
  #busRings(frame: Frame): void {
    const { geometry, camera, theme, sizes } = frame;
    for (const [row, width] of marked(frame, "bus")) {
      const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
      const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
      this.#context.beginPath();
      this.#context.arc(x, y, busRadius(frame) * (sizes[row] || 1) + 3.5, 0, 2 * Math.PI);
      this.#stroke(theme.casing, width + 2.5);
      this.#stroke(theme.text, width);
    }
  }

  #stroke(colour: string, width: number): void {
    this.#context.strokeStyle = colour;
    this.#context.lineWidth = width;
    this.#context.stroke();
  }
}
