import { type Camera, zoomFactor } from "./camera.ts";
import type { LoadingClass } from "./loading.ts";
import type { Frame } from "./picture.ts";
import type { Theme } from "./theme.ts";

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
    const styles = lineStyles(theme, zoom);
    const layers = [
      [branches.out, styles.out],
      [branches.calm, styles.calm],
      [branches.warning, styles.warning],
      [branches.binding, { colour: theme.casing, width: 7 * zoom }],
      [branches.binding, styles.binding],
    ] as const;
    for (const [rows, { colour, width }] of layers) {
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

/** Colour and width in pixels of the lines of each class. */
export function lineStyles(theme: Theme, zoom: number): Record<LoadingClass, { colour: string; width: number }> {
  return {
    out: { colour: theme.idle, width: 0.8 },
    calm: { colour: theme.branch, width: 0.9 * zoom },
    warning: { colour: theme.warning, width: 2 * zoom },
    binding: { colour: theme.binding, width: 4 * zoom },
  };
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
