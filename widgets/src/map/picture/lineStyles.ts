import type { BranchLook } from "../colour/branchLook.ts";
import { type Camera, zoomFactor } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import type { LoadingClass } from "../../workspace/index.ts";
import type { Theme } from "../../ui/theme.ts";
import type { Frame } from "./frame.ts";

/** Rows of branches with one stroke style, from the bottom up. */
export interface LineStratum {
  rows: readonly number[];
  colour: string;
  width: number;
  kind: LoadingClass | "casing" | "rim";
}

/** The strokes of the lines of a frame, from the bottom up. */
export function lineStrata(branches: BranchLook, theme: Theme, zoom: number): LineStratum[] {
  const styles = lineStyles(theme, zoom);
  const { classes, places, palette, widths = null } = branches;
  const coloured = (rows: readonly number[], kind: LoadingClass): LineStratum[] => {
    if (places === null && widths === null) {
      return [{ rows, ...styles[kind], kind }];
    }
    const groups = new Map<string, { place: number; factor: number; rows: number[] }>();
    for (const row of rows) {
      const [place, factor] = [places?.[row] ?? -1, Math.round(16 * (widths?.[row] ?? 1)) / 16];
      const group = groups.get(`${place} ${factor}`);
      if (group === undefined) {
        groups.set(`${place} ${factor}`, { place, factor, rows: [row] });
      } else {
        group.rows.push(row);
      }
    }
    return [...groups.values()]
      .sort((a, b) => a.place - b.place || a.factor - b.factor)
      .map(({ place, factor, rows: group }) => {
        const width = place < 0 || kind === "binding" ? styles[kind].width : COLOURED_WIDTH * zoom;
        const colour = place < 0 ? styles[kind].colour : (palette[place] ?? theme.idle);
        return { rows: group, colour, width: factor * width, kind };
      });
  };
  return [
    ...coloured(classes.out, "out"),
    ...coloured(classes.calm, "calm"),
    ...(places === null
      ? [
          {
            rows: classes.warning,
            colour: theme.casing,
            width: styles.warning.width + WARNING_RIM,
            kind: "rim" as const,
          },
        ]
      : []),
    { rows: classes.binding, colour: theme.casing, width: casingWidth(zoom), kind: "casing" },
    ...coloured(classes.warning, "warning"),
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

/** Width of a line coloured by a quantity, pixels in the fitted view. */
export const COLOURED_WIDTH = 1.6;

/** Lines that are emphasised already grow no more than this with the zoom. */
const MOST_GROWN = 1.5;

/** Width that the casing adds to lines near their rating, pixels, so that they are visible on contours. */
export const WARNING_RIM = 2.4;

/** Width of the casing of binding lines, pixels. */
export function casingWidth(zoom: number): number {
  return 7 * Math.min(zoom, MOST_GROWN);
}

/** An arrowhead on the screen: its centre and direction. */
export interface Arrow {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** Half the length of an arrowhead, pixels. */
export function arrowSize(camera: Camera): number {
  return 5.6 * zoomFactor(camera);
}

/** The arrowheads in the middle of the branches that are long enough. */
export function arrowsOf({ geometry, camera, branches }: Pick<Frame, "geometry" | "camera" | "branches">): Arrow[] {
  const least = 5 * arrowSize(camera);
  return [...(branches.directions ?? [])].flatMap((direction, row) => {
    const ends = longestSegment(geometry, row);
    if (direction === 0 || ends === null) {
      return [];
    }
    const [ax, ay, bx, by] = ends;
    const [fromX, fromY, toX, toY] = [
      camera.screenX(ax, ay),
      camera.screenY(ax, ay),
      camera.screenX(bx, by),
      camera.screenY(bx, by),
    ];
    const [dx, dy] = [(toX - fromX) * direction, (toY - fromY) * direction];
    const span = Math.hypot(dx, dy);
    const [x, y] = [(fromX + toX) / 2, (fromY + toY) / 2];
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
    [0.98, 0],
    [-0.82, 0.5],
    [-0.82, -0.5],
  ].map(([along = 0, across = 0]) => [x + size * (along * dx - across * dy), y + size * (along * dy + across * dx)]);
}
