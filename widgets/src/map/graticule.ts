import type { Camera } from "./camera.ts";
import { mercator, unproject } from "./geometry.ts";
import type { Theme } from "./theme.ts";

/** Distances between lines, degrees; the finest that leaves enough room is taken. */
const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
const LEAST_PIXELS = 70;
const MOST_LATITUDE = 80;

/** Meridians and parallels with their degrees, so that one sees where on earth a network is put. */
export function drawGraticule(context: CanvasRenderingContext2D, camera: Camera, theme: Theme): void {
  const step = STEPS.findLast((degrees) => degrees * camera.scale >= LEAST_PIXELS) ?? 30;
  const [west, north] = unproject(camera.worldX(0), camera.worldY(0));
  const [east, south] = unproject(camera.worldX(camera.width), camera.worldY(camera.height));
  const top = Math.max(0, camera.screenY(mercator([0, MOST_LATITUDE])[1]));
  const bottom = Math.min(camera.height, camera.screenY(mercator([0, -MOST_LATITUDE])[1]));
  const [left, right] = [Math.max(0, camera.screenX(-180)), Math.min(camera.width, camera.screenX(180))];
  context.lineWidth = 1;
  context.strokeStyle = theme.idle;
  context.fillStyle = theme.muted;
  context.font = `11px ${theme.font}`;
  const labels: [text: string, x: number, y: number, align: CanvasTextAlign][] = [];
  context.beginPath();
  for (const lon of multiples(Math.max(-180, west), Math.min(180, east), step)) {
    const x = camera.screenX(lon);
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    labels.push([degrees(lon, "E", "W", step), x, bottom - 14, "center"]);
  }
  for (const lat of multiples(Math.max(-MOST_LATITUDE, south), Math.min(MOST_LATITUDE, north), step)) {
    const y = camera.screenY(mercator([0, lat])[1]);
    context.moveTo(left, y);
    context.lineTo(right, y);
    labels.push([degrees(lat, "N", "S", step), left + 4, y - 3, "left"]);
  }
  context.stroke();
  context.strokeStyle = theme.ground;
  context.lineWidth = 4;
  for (const [text, x, y, align] of labels) {
    context.textAlign = align;
    context.strokeText(text, x, y); // a gap in the lines behind it
    context.fillText(text, x, y);
  }
}

function multiples(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step);
}

function degrees(value: number, plus: string, minus: string, step: number): string {
  const decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const size = Math.abs(value).toFixed(decimals);
  return `${size}\u00b0${Number(size) === 0 ? "" : value > 0 ? ` ${plus}` : ` ${minus}`}`;
}
