import type { Point } from "../../workspace/index.ts";
import type { Camera } from "../view/camera.ts";
import { mercator, unproject } from "../view/geometry.ts";
import type { Theme } from "../../ui/theme.ts";
import { trans } from "../../text/index.ts";

/** Distances between lines, degrees; the finest with enough room is used. */
const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
const LEAST_PIXELS = 70;
const MOST_LATITUDE = 80;

/** Meridians and parallels with their degrees, which show where on earth a network is placed. */
export function drawGraticule(context: CanvasRenderingContext2D, camera: Camera, theme: Theme): void {
  const step = STEPS.findLast((degrees) => degrees * camera.scale >= LEAST_PIXELS) ?? 30;
  const seen = camera.seen();
  const [west, north] = unproject(Math.max(-180, seen.x0), seen.y0);
  const [east, south] = unproject(Math.min(180, seen.x1), seen.y1);
  const [top, bottom] = [Math.min(MOST_LATITUDE, north), Math.max(-MOST_LATITUDE, south)];
  context.lineWidth = 1;
  context.strokeStyle = theme.idle;
  context.fillStyle = theme.muted;
  context.font = `11px ${theme.font}`;
  const labels: [text: string, x: number, y: number, align: CanvasTextAlign][] = [];
  context.beginPath();
  const line = (from: Point, to: Point): [start: [number, number], end: [number, number]] | null => {
    const part = visiblePart(onScreen(camera, from), onScreen(camera, to), camera);
    if (part !== null) {
      context.moveTo(...part[0]);
      context.lineTo(...part[1]);
    }
    return part;
  };
  for (const lon of multiples(west, east, step)) {
    const part = line([lon, bottom], [lon, top]);
    if (part !== null) {
      const [x, y] = lowest(part);
      labels.push([degrees(lon, trans._p("longitude", "E"), trans._p("longitude", "W"), step), x, y - 14, "center"]);
    }
  }
  for (const lat of multiples(bottom, top, step)) {
    const part = line([west, lat], [east, lat]);
    if (part !== null) {
      const [x, y] = leftmost(part);
      labels.push([degrees(lat, trans._p("latitude", "N"), trans._p("latitude", "S"), step), x + 4, y - 3, "left"]);
    }
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

function onScreen(camera: Camera, point: Point): [x: number, y: number] {
  const [x, y] = mercator(point);
  return [camera.screenX(x, y), camera.screenY(x, y)];
}

/** The visible part of a straight line; null if it is off the screen. */
function visiblePart(
  [ax, ay]: [number, number],
  [bx, by]: [number, number],
  { width, height }: Camera,
): [start: [number, number], end: [number, number]] | null {
  let [from, to] = [0, 1];
  const [dx, dy] = [bx - ax, by - ay];
  for (const [speed, room] of [
    [-dx, ax],
    [dx, width - ax],
    [-dy, ay],
    [dy, height - ay],
  ] as const) {
    if (speed < 0) {
      from = Math.max(from, room / speed);
    } else if (speed > 0) {
      to = Math.min(to, room / speed);
    } else if (room < 0) {
      return null;
    }
  }
  const at = (share: number): [number, number] => [ax + share * dx, ay + share * dy];
  return from < to ? [at(from), at(to)] : null;
}

function lowest([a, b]: [[number, number], [number, number]]): [number, number] {
  return a[1] > b[1] ? a : b;
}

function leftmost([a, b]: [[number, number], [number, number]]): [number, number] {
  return a[0] < b[0] ? a : b;
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
