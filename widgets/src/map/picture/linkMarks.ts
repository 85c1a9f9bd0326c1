import type { Theme } from "../../ui/theme.ts";
import type { LinkState } from "../colour/linkLook.ts";
import { waysOf } from "../perspective/screenPicker.ts";
import { zoomFactor } from "../view/camera.ts";
import { busRadius, marked } from "./busMarks.ts";
import type { Frame } from "./frame.ts";
import { type Arrow, arrowCorners, lineStyles } from "./lineStyles.ts";

/** Dash and gap, long and short, by which links differ from lines whatever their colour, pixels. */
export const LINK_DASHES = [11, 4, 2.5, 4] as const;
/** Width that the casing adds, and that of the halo of a marked link, pixels. */
export const LINK_RIMS = { casing: 3, halo: 8 } as const;
/** Smallest width of a link, and half the length of its arrowhead relative to its width. */
const WIDTHS = { least: 2.2, arrow: 3.2 } as const;

/** A link on the screen, in pixels. */
export interface LinkMark {
  readonly row: number;
  /** Its visible parts between the marks of its buses, as x, y pairs. */
  readonly ways: readonly (readonly number[])[];
  readonly colour: string;
  readonly width: number;
  /** Corners of the arrowhead in the direction of its power; null without a power, and on a short link. */
  readonly arrow: readonly (readonly [x: number, y: number])[] | null;
}

type LinkFrame = Pick<Frame, "geometry" | "camera" | "theme" | "sizes" | "links">;

/** The links of a frame. */
export function linkMarks({ geometry, camera, theme, sizes, links = [] }: LinkFrame): LinkMark[] {
  const zoom = zoomFactor(camera);
  const radius = busRadius({ camera, geometry }) * Math.max(...new Set(sizes), 0);
  return (geometry.links ?? []).flatMap((path, row): LinkMark[] => {
    const ways = waysOf(path, camera)
      .map((way) => shortened(way, radius))
      .filter((way) => way.length > 2);
    if (ways.length === 0) {
      return [];
    }
    const { state, direction } = links[row] ?? { state: "between", direction: 0 };
    const { colour, width } = linkStyle(state, theme, zoom);
    const size = WIDTHS.arrow * width;
    const middle = arrowOf(ways, direction, 5 * size);
    return [{ row, ways, colour, width, arrow: middle === null ? null : arrowCorners(middle, size) }];
  });
}

/** Colour and width of a link, pixels; a link at a limit is as thick as a binding line. */
export function linkStyle(state: LinkState, theme: Theme, zoom = 1): { colour: string; width: number } {
  const { out, warning, binding } = lineStyles(theme, zoom);
  const width = Math.max(WIDTHS.least, warning.width);
  switch (state) {
    case "out":
      return { colour: out.colour, width };
    case "between":
      return { colour: warning.colour, width };
    case "limit":
      return binding;
  }
}

/** Draws the links over the lines: dashed on a casing, with an arrowhead in the direction of their power. */
export function drawLinks(
  context: CanvasRenderingContext2D,
  frame: LinkFrame & Pick<Frame, "hovered" | "selection">,
): void {
  const halos = new Map(marked(frame, "link"));
  const { theme } = frame;
  context.save();
  context.lineCap = "butt";
  for (const { row, ways, colour, width, arrow } of linkMarks(frame)) {
    context.beginPath();
    for (const way of ways) {
      for (let k = 0; k < way.length; k += 2) {
        const [x, y] = [way[k] ?? NaN, way[k + 1] ?? NaN];
        if (k === 0) {
          context.moveTo(x, y);
        } else {
          context.lineTo(x, y);
        }
      }
    }
    if (halos.has(row)) {
      stroke(context, theme.text, width + LINK_RIMS.halo);
    }
    stroke(context, theme.casing, width + LINK_RIMS.casing);
    context.setLineDash(LINK_DASHES);
    stroke(context, colour, width);
    context.setLineDash([]);
    if (arrow !== null) {
      context.beginPath();
      arrow.forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.closePath();
      stroke(context, theme.casing, LINK_RIMS.casing);
      context.fillStyle = colour;
      context.fill();
    }
  }
  context.restore();
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** A polyline without what lies within `radius` pixels of its ends; empty where nothing is left or an end is unknown. */
function shortened(way: readonly number[], radius: number): number[] {
  const points = Array.from({ length: way.length / 2 }, (_, k) => [way[2 * k] ?? NaN, way[2 * k + 1] ?? NaN] as const);
  const cut = (ordered: (readonly [number, number])[]): (readonly [number, number])[] => {
    const [end] = ordered;
    const first = ordered.findIndex(([x, y]) => end !== undefined && Math.hypot(x - end[0], y - end[1]) > radius);
    const [a, b] = [ordered[first - 1], ordered[first]];
    if (end === undefined || a === undefined || b === undefined) {
      return [];
    }
    const [near, far] = [a, b].map(([x, y]) => Math.hypot(x - end[0], y - end[1])) as [number, number];
    const share = (radius - near) / (far - near);
    return [[a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])], ...ordered.slice(first)];
  };
  return cut(cut(points).reverse()).reverse().flat();
}

/** An arrowhead in the middle of the longest visible segment; null where that is shorter than `least` pixels. */
function arrowOf(ways: LinkMark["ways"], direction: number, least: number): Arrow | null {
  let found: Arrow | null = null;
  let [whole, most] = [0, 0];
  for (const way of ways) {
    for (let k = 0; k + 3 < way.length; k += 2) {
      const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = way.slice(k, k + 4);
      const span = Math.hypot(bx - ax, by - ay);
      whole += span;
      if (span > most) {
        most = span;
        found = {
          ...{ x: (ax + bx) / 2, y: (ay + by) / 2 },
          ...{ dx: (direction * (bx - ax)) / span, dy: (direction * (by - ay)) / span },
        };
      }
    }
  }
  return direction === 0 || whole < least ? null : found;
}
