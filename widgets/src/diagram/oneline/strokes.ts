import { trace, type Way } from "./bundles.ts";

/** Strokes several polylines at once. */
export function line(context: CanvasRenderingContext2D, ways: readonly Way[], width: number, colour: string): void {
  if (ways.length === 0) {
    return;
  }
  context.beginPath();
  for (const way of ways) {
    trace(context, way);
  }
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/** Fills a disc. */
export function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}
