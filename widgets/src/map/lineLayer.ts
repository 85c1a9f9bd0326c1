import { type Camera, zoomFactor } from "./camera.ts";
import type { Frame } from "./picture.ts";

/** The lines of the picture on a canvas of their own: while prices move they stay as they are. */
export class LineLayer {
  readonly #canvas = document.createElement("canvas");
  #drawn: readonly unknown[] = [];

  /** The canvas with the lines of a frame, in device pixels. */
  at(frame: Frame, width: number, height: number, pixelRatio: number): HTMLCanvasElement {
    const { camera, geometry, theme, branches } = frame;
    const wanted = [geometry, theme, branches, width, height, camera.scale, camera.screenX(0), camera.screenY(0)];
    if (wanted.some((value, k) => value !== this.#drawn[k])) {
      this.#drawn = wanted;
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#draw(frame, pixelRatio);
    }
    return this.#canvas;
  }

  #draw({ geometry, camera, theme, branches }: Frame, pixelRatio: number): void {
    const context = this.#canvas.getContext("2d");
    if (context === null) {
      return; // told when the picture itself was made
    }
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.lineCap = "round";
    const zoom = zoomFactor(camera);
    const styles = [
      [branches.out, theme.idle, 0.8],
      [branches.calm, theme.branch, 0.9 * zoom],
      [branches.warning, theme.warning, 2 * zoom],
      [branches.binding, theme.casing, 7 * zoom],
      [branches.binding, theme.binding, 4 * zoom],
    ] as const;
    for (const [rows, colour, width] of styles) {
      context.beginPath();
      for (const row of rows) {
        trace(context, camera, geometry.paths[row]);
      }
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
  }
}

/** Adds the way of a branch to the current path. */
export function trace(context: CanvasRenderingContext2D, camera: Camera, path: Float64Array | undefined): void {
  for (let k = 0; path !== undefined && k + 1 < path.length; k += 2) {
    const x = camera.screenX(path[k] ?? NaN);
    const y = camera.screenY(path[k + 1] ?? NaN);
    if (k === 0) {
      context.moveTo(x, y);
    } else {
      context.lineTo(x, y);
    }
  }
}
