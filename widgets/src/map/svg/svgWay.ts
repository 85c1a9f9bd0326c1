import type { Camera } from "../view/camera.ts";
import { px } from "./svgText.ts";

/** Path data of a polyline of the picture; steps of less than half a pixel and hidden parts are dropped. */
export function way(points: Float64Array, camera: Camera, closed = false): string {
  if (!camera.flat) {
    return camera.projection
      .way(points, closed)
      .map((part) => wayOnScreen(part, closed))
      .join("");
  }
  const seen: number[] = [];
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [wx, wy] = [points[k] ?? NaN, points[k + 1] ?? NaN];
    const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
    if (!Number.isFinite(x + y)) {
      return "";
    }
    seen.push(x, y);
  }
  return wayOnScreen(seen, closed);
}

/** Path data of a polyline on the screen. */
export function wayOnScreen(points: readonly number[], closed: boolean): string {
  let text = "";
  let [lastX, lastY] = [Infinity, Infinity];
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [x, y] = [points[k] ?? NaN, points[k + 1] ?? NaN];
    const near = Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5;
    if (!near || k + 3 >= points.length) {
      text += `${text === "" ? "M" : "L"}${px(x)} ${px(y)}`;
      [lastX, lastY] = [x, y];
    }
  }
  return closed ? `${text}Z` : text;
}
