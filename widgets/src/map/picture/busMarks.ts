import type { Frame } from "./frame.ts";
import type { Target } from "./targets.ts";
import { zoomFactor } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";

/** Rows of the hovered and selected elements of a kind, with the width of the mark around them. */
export function marked(
  { hovered, selection }: Pick<Frame, "hovered" | "selection">,
  kind: Target["kind"],
): [row: number, width: number][] {
  const marks = [
    ...(hovered === null ? [] : [[hovered, 1.5] as const]),
    ...selection.map((one) => [one, 2.5] as const),
  ];
  return marks.flatMap(([element, width]) => (element.kind === kind ? [[element.row, width]] : []));
}

/** Radius of a bus in CSS pixels: by density, and slowly growing with the zoom. */
export function busRadius({ camera, geometry }: Pick<Frame, "camera" | "geometry">): number {
  const room = Math.sqrt((camera.width * camera.height) / Math.max(1, geometry.busX.length));
  return Math.max(1.5, Math.min(7, 0.13 * room)) * zoomFactor(camera);
}

/** Width of the outline of a bus of a radius, pixels. The smallest have no outline, except in high contrast. */
export function busRim(radius: number, { contrast }: Pick<Theme, "contrast">): number {
  return radius < 2 && !contrast ? 0 : Math.min(1.2, 0.35 * radius);
}

/** Sizes by the rank of the voltage level: the lowest level 0.8, the highest 1.35, a single level 1. */
export function busSizes(baseKv: readonly number[]): Float32Array {
  const levels = [...new Set(baseKv)].sort((a, b) => a - b);
  const steps = levels.length - 1;
  return Float32Array.from(baseKv, (kv) => (steps === 0 ? 1 : 0.8 + (0.55 * levels.indexOf(kv)) / steps));
}

/** The corners of a triangle are so many radii from its middle. */
export const TRIANGLE = 1.45;

/** Corners of the mark of a bus whose value lies outside the range: upwards for side 1, downwards for -1. */
export function triangle(x: number, y: number, radius: number, side: number): [x: number, y: number][] {
  const size = TRIANGLE * radius * side;
  return [
    [x, y - size],
    [x + 0.87 * size, y + 0.5 * size],
    [x - 0.87 * size, y + 0.5 * size],
  ];
}
