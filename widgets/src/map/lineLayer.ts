import type { BranchLook } from "./branchLook.ts";
import { type Camera, zoomFactor } from "./camera.ts";
import type { Geometry } from "./geometry.ts";
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

  /** Gives the memory back; the next call makes the lines anew. */
  release(): void {
    this.#drawn = [];
    this.#canvas.width = this.#canvas.height = 0;
  }

  #draw(frame: Frame, pixelRatio: number): void {
    const context = this.#canvas.getContext("2d");
    if (context === null) {
      return; // told when the picture itself was made
    }
    const { geometry, camera, theme, branches } = frame;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.lineCap = "round";
    for (const { rows, colour, width } of lineStrata(branches, theme, zoomFactor(camera))) {
      context.beginPath();
      for (const row of rows) {
        trace(context, camera, geometry.paths[row]);
      }
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
    arrows(context, frame);
  }
}

/** Rows of branches that are stroked alike, from the bottom up. */
export interface LineStratum {
  rows: readonly number[];
  colour: string;
  width: number;
  kind: LoadingClass | "casing";
}

/** How the lines of a frame are drawn, from the bottom up. */
export function lineStrata(branches: BranchLook, theme: Theme, zoom: number): LineStratum[] {
  const styles = lineStyles(theme, zoom);
  const { classes, places, palette } = branches;
  const coloured = (rows: readonly number[], kind: LoadingClass): LineStratum[] => {
    if (places === null) {
      return [{ rows, ...styles[kind], kind }];
    }
    const groups = new Map<number, number[]>();
    for (const row of rows) {
      const place = places[row] ?? -1;
      groups.set(place, [...(groups.get(place) ?? []), row]);
    }
    return [...groups]
      .sort(([a], [b]) => a - b)
      .map(([place, group]) => {
        const width = kind === "binding" ? styles.binding.width : 1.6 * zoom;
        return place < 0
          ? { rows: group, ...styles[kind], kind }
          : { rows: group, colour: palette[place] ?? theme.idle, width, kind };
      });
  };
  return [
    ...coloured(classes.out, "out"),
    ...coloured(classes.calm, "calm"),
    ...coloured(classes.warning, "warning"),
    { rows: classes.binding, colour: theme.casing, width: casingWidth(zoom), kind: "casing" },
    ...coloured(classes.binding, "binding"),
  ];
}

/** Colour and width in pixels of the lines of each class. */
export function lineStyles(theme: Theme, zoom: number): Record<LoadingClass, { colour: string; width: number }> {
  return {
    out: { colour: theme.idle, width: 0.8 },
    calm: { colour: theme.branch, width: 0.9 * zoom },
    warning: { colour: theme.warning, width: 2 * Math.min(zoom, MOST_GROWN) },
    binding: { colour: theme.binding, width: 4 * Math.min(zoom, MOST_GROWN) },
  };
}

/** Lines that stand out already grow no further than this with the zoom. */
const MOST_GROWN = 1.5;

/** Width of the casing of binding lines, pixels. */
export function casingWidth(zoom: number): number {
  return 7 * Math.min(zoom, MOST_GROWN);
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

/** An arrowhead on the screen: its middle and the direction it points in. */
export interface Arrow {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** Half the length of an arrowhead, pixels. */
export function arrowSize(camera: Camera): number {
  return 4.2 * zoomFactor(camera);
}

/** The arrowheads in the middle of the branches that are long enough for one. */
export function arrowsOf({ geometry, camera, branches }: Pick<Frame, "geometry" | "camera" | "branches">): Arrow[] {
  const least = 5 * arrowSize(camera);
  return [...(branches.directions ?? [])].flatMap((direction, row) => {
    const ends = longestSegment(geometry, row);
    if (direction === 0 || ends === null) {
      return [];
    }
    const [ax, ay, bx, by] = ends;
    const [dx, dy] = [(bx - ax) * camera.scale * direction, (by - ay) * camera.scale * direction];
    const span = Math.hypot(dx, dy);
    const [x, y] = [camera.screenX((ax + bx) / 2), camera.screenY((ay + by) / 2)];
    const seen = x > 0 && y > 0 && x < camera.width && y < camera.height;
    return span < least || !seen ? [] : [{ x, y, dx: dx / span, dy: dy / span }];
  });
}

function longestSegment({ paths }: Geometry, row: number): [number, number, number, number] | null {
  const path = paths[row] ?? new Float64Array();
  let most = 0;
  let found: [number, number, number, number] | null = null;
  for (let k = 0; k + 3 < path.length; k += 2) {
    const [ax, ay, bx, by] = [path[k] ?? NaN, path[k + 1] ?? NaN, path[k + 2] ?? NaN, path[k + 3] ?? NaN];
    const span = Math.hypot(bx - ax, by - ay);
    if (span > most) {
      most = span;
      found = [ax, ay, bx, by];
    }
  }
  return found;
}

/** The three corners of an arrowhead. */
export function arrowCorners({ x, y, dx, dy }: Arrow, size: number): [x: number, y: number][] {
  return [
    [0.8, 0],
    [-0.6, 0.92],
    [-0.6, -0.92],
  ].map(([along = 0, across = 0]) => [x + size * (along * dx - across * dy), y + size * (along * dy + across * dx)]);
}

function arrows(context: CanvasRenderingContext2D, frame: Frame): void {
  if (frame.branches.directions === null) {
    return;
  }
  const size = arrowSize(frame.camera);
  context.beginPath();
  for (const arrow of arrowsOf(frame)) {
    arrowCorners(arrow, size).forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.closePath();
  }
  context.fillStyle = frame.theme.arrow;
  context.fill();
}
