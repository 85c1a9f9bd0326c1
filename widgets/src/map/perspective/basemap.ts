import type { Theme } from "../../ui/theme.ts";
import type { Camera } from "../view/camera.ts";
import type { Basemap, Shape } from "../basemap/basemap.ts";
import { basemapStrata, meets } from "../basemap/basemapStyle.ts";
import { drawGlobeDisc } from "./globeDisc.ts";

/** Steps shorter than this many pixels are skipped. */
const LEAST_STEP = 0.5;

/** Draws the basemap as a tilted plane or a globe, point by point, because canvas transforms have no perspective. */
export function drawPerspective(
  context: CanvasRenderingContext2D,
  basemap: Basemap,
  counties: readonly Shape[] | null,
  {
    camera,
    theme,
    width,
    height,
    ratio,
  }: { camera: Camera; theme: Theme; width: number; height: number; ratio: number },
): void {
  const { projection } = camera;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = camera.round ? theme.ground : theme.water;
  context.fillRect(0, 0, width, height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.lineJoin = "round";
  drawGlobeDisc(context, camera, theme, ratio);
  const box = camera.seen();
  for (const { shapes, fill, stroke, width: pixels } of basemapStrata(basemap, counties, camera, theme)) {
    context.fillStyle = fill ?? "";
    context.strokeStyle = stroke ?? "";
    context.lineWidth = pixels;
    for (const shape of shapes) {
      if (!meets(shape, box)) {
        continue;
      }
      const path = pathOf(
        shape.rings.flatMap((ring) => projection.way(ring, fill !== null)),
        fill !== null,
      );
      if (fill === null) {
        context.stroke(path);
      } else {
        context.fill(path, "evenodd");
      }
    }
  }
}

function pathOf(ways: readonly number[][], closed: boolean): Path2D {
  const path = new Path2D();
  for (const way of ways) {
    let [lastX, lastY] = [NaN, NaN];
    for (let k = 0; k + 1 < way.length; k += 2) {
      const [x, y] = [way[k] as number, way[k + 1] as number];
      const near = Math.abs(x - lastX) < LEAST_STEP && Math.abs(y - lastY) < LEAST_STEP;
      if (near && k + 3 < way.length) {
        continue;
      }
      if (k === 0) {
        path.moveTo(x, y);
      } else {
        path.lineTo(x, y);
      }
      [lastX, lastY] = [x, y];
    }
    if (closed) {
      path.closePath();
    }
  }
  return path;
}
