import type { Box } from "../gestures/pointer.ts";
import type { Target } from "../picture/targets.ts";
import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { distanceToPath, type Picker } from "../view/picker.ts";

/** A polyline as visible on the screen, in parts where some of it is hidden. */
export function waysOf(path: Float64Array, camera: Camera): number[][] {
  if (!camera.flat) {
    return camera.projection.way(path, false);
  }
  const way: number[] = [];
  for (let k = 0; k + 1 < path.length; k += 2) {
    const [x, y] = [path[k] ?? NaN, path[k + 1] ?? NaN];
    way.push(camera.screenX(x, y), camera.screenY(x, y));
  }
  return [way];
}

/**
 * The bus or branch within `reach` of a screen point, pixels; buses come first. For a picture in perspective, where the
 * scale varies: candidates around the point are compared by screen distance.
 */
export function targetInPerspective(
  { x, y }: { x: number; y: number },
  reach: { bus: number; branch: number },
  camera: Camera,
  { geometry, picker }: { geometry: Geometry; picker: Picker },
): Target | null {
  const around = (pixels: number): [number, number, number, number] => {
    const { x0, y0, x1, y1 } = camera.boxOf(x - pixels, y - pixels, x + pixels, y + pixels);
    return [x0, y0, x1, y1];
  };
  const bus = nearest(picker.busesIn(...around(reach.bus)), reach.bus, (row) => {
    const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
    return Math.hypot(camera.screenX(wx, wy) - x, camera.screenY(wx, wy) - y);
  });
  if (bus >= 0) {
    return { kind: "bus", row: bus };
  }
  const branch = nearest(picker.branchesIn(...around(reach.branch)), reach.branch, (row) => {
    const parts = waysOf(geometry.paths[row] ?? new Float64Array(), camera);
    return Math.min(...parts.map((part) => distanceToPath(part, x, y)));
  });
  return branch < 0 ? null : { kind: "branch", row: branch };
}

/** The HVDC link that passes nearest within `reach` pixels of a screen point; null without one. */
export function linkAt(
  { x, y }: { x: number; y: number },
  reach: number,
  camera: Camera,
  { links = [] }: Pick<Geometry, "links">,
): Target | null {
  const link = nearest([...links.keys()], reach, (row) => {
    const parts = waysOf(links[row] ?? new Float64Array(), camera);
    return Math.min(...parts.map((part) => distanceToPath(part, x, y)));
  });
  return link < 0 ? null : { kind: "link", row: link };
}

/** The row of the smallest distance within the reach, -1 without one. */
function nearest(rows: readonly number[], reach: number, distanceOf: (row: number) => number): number {
  let [found, least] = [-1, reach];
  for (const row of rows) {
    const distance = distanceOf(row);
    if (distance <= least) {
      [found, least] = [row, distance];
    }
  }
  return found;
}

/** Whether a polyline on the screen intersects a box. */
export function passesBox(way: readonly number[], box: Box): boolean {
  for (let k = 0; k + 3 < way.length; k += 2) {
    const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = way.slice(k, k + 4);
    if (meetsBox([ax, ay], [bx, by], box)) {
      return true;
    }
  }
  return false;
}

type Point = readonly [x: number, y: number];

/** Whether a straight segment intersects a box (Liang and Barsky). */
function meetsBox([ax, ay]: Point, [bx, by]: Point, { x0, y0, x1, y1 }: Box): boolean {
  let [enter, leave] = [0, 1];
  const edges = [
    [ax - bx, ax - x0],
    [bx - ax, x1 - ax],
    [ay - by, ay - y0],
    [by - ay, y1 - ay],
  ] as const;
  for (const [towards, distance] of edges) {
    if (towards === 0 && distance < 0) {
      return false;
    }
    const share = distance / towards;
    if (towards < 0) {
      enter = Math.max(enter, share);
    } else if (towards > 0) {
      leave = Math.min(leave, share);
    }
  }
  return enter <= leave;
}
