import type { Theme } from "../../ui/theme.ts";
import type { Camera } from "../view/camera.ts";

/** Width of the outline of a globe, pixels: land may be as light as the background. */
export const GLOBE_EDGE = 1.2;

/** Draws a globe of water on a canvas with `ratio` pixels per screen pixel; nothing for a plane. */
export function drawGlobeDisc(context: CanvasRenderingContext2D, camera: Camera, theme: Theme, ratio: number): void {
  withGlobe(context, camera, ratio, () => {
    context.fillStyle = theme.water;
    context.fill();
  });
}

/** Draws the outline of a globe; nothing for a plane. */
export function drawGlobeEdge(context: CanvasRenderingContext2D, camera: Camera, theme: Theme, ratio: number): void {
  withGlobe(context, camera, ratio, () => {
    context.strokeStyle = theme.border;
    context.lineWidth = GLOBE_EDGE;
    context.stroke();
  });
}

function withGlobe(context: CanvasRenderingContext2D, camera: Camera, ratio: number, paint: () => void): void {
  if (!camera.round) {
    return;
  }
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.beginPath();
  const edge = camera.projection.edge();
  for (let k = 0; k < edge.length; k += 2) {
    context.lineTo(edge[k] as number, edge[k + 1] as number);
  }
  context.closePath();
  paint();
  context.restore();
}
