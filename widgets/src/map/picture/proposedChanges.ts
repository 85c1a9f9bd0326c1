import type { Camera } from "../view/camera.ts";
import { busRadius } from "./busMarks.ts";
import type { Frame } from "./frame.ts";

/** Colours of proposals, with a hue that prices and loading do not use. */
const COLOURS = { light: "#0a7d5a", dark: "#5fe0b0" };
/** Style of a proposed line and its label, pixels. */
export const PROPOSED = { width: 4, rim: 3, dashes: [9, 6], letters: 12, padding: 5 } as const;
/** Distance between an element and its label, pixels. */
const GAP = 6;
/** Distance between two labels, pixels. */
const APART = 3;
/** Distance of the ring from the mark of a bus, pixels. */
const RING = 7;

/**
 * The mark of a proposed change, in pixels: the polyline of a line or the ring around a bus, and the label beside it.
 */
export interface ProposedMark {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Radius of the ring around the single point; 0 for a line. */
  readonly radius: number;
  readonly text: string;
  readonly label: { readonly x: number; readonly y: number; readonly beside: boolean };
}

/** The colour of proposals. */
export function proposedColour({ theme }: Pick<Frame, "theme">): string {
  return theme.dark ? COLOURS.dark : COLOURS.light;
}

/** The marks of a proposal. */
export function proposedMarks(frame: Pick<Frame, "geometry" | "camera" | "sizes" | "proposed">): ProposedMark[] {
  const { geometry, camera, sizes, proposed = [] } = frame;
  return proposed.flatMap(({ kind, row, text }): ProposedMark[] => {
    if (kind === "branch") {
      const points = pointsOf(geometry.paths[row] ?? [], camera);
      return points.length > 1 ? [{ points, radius: 0, text, label: besideMiddle(points) }] : [];
    }
    const points = pointsOf([geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN], camera);
    const radius = busRadius({ camera, geometry }) * (sizes[row] || 1) + RING;
    return points.map(([x, y]) => ({ points, radius, text, label: { x: x + radius, y, beside: true } }));
  });
}

/** The box of a label: its centre and size, pixels. */
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Label boxes without overlap: a box that would cover earlier ones moves up or down to the next free position. Letters
 * are `magnified` relative to the screen.
 */
export function labelPlaces(
  marks: readonly ProposedMark[],
  widthOf: (text: string) => number,
  magnified = 1,
): LabelPlace[] {
  const { letters, padding } = PROPOSED;
  const height = magnified * letters + 2 * padding;
  const placed: LabelPlace[] = [];
  for (const { label, text } of marks) {
    const width = widthOf(text) + 2 * padding;
    const [x, top] = label.beside ? [label.x + width / 2 + GAP, label.y] : [label.x, label.y - height / 2 - GAP];
    const free = (y: number): boolean =>
      placed.every(
        (one) => Math.abs(one.x - x) >= (one.width + width) / 2 + APART || Math.abs(one.y - y) >= height + APART,
      );
    let y = top;
    for (let step = 1; !free(y); step += 1) {
      const side = step % 2 === 1 ? -1 : 1;
      y = top + side * Math.ceil(step / 2) * (height + APART);
    }
    placed.push({ x, y, width, height });
  }
  return placed;
}

/** Draws a proposal over the network: dashed lines, buses in dashed rings, each with its change. */
export function drawProposedChanges(
  context: CanvasRenderingContext2D,
  frame: Pick<Frame, "geometry" | "camera" | "sizes" | "theme" | "proposed">,
): void {
  const marks = proposedMarks(frame);
  if (marks.length === 0) {
    return;
  }
  const { theme } = frame;
  const colour = proposedColour(frame);
  const { width, rim, dashes, letters } = PROPOSED;
  context.save();
  for (const { points, radius } of marks) {
    context.beginPath();
    points.forEach(([x, y], k) => {
      if (radius > 0) {
        context.arc(x, y, radius, 0, 2 * Math.PI);
      } else if (k === 0) {
        context.moveTo(x, y);
      } else {
        context.lineTo(x, y);
      }
    });
    context.setLineDash([]);
    stroke(context, theme.casing, width + rim);
    context.setLineDash(dashes);
    stroke(context, colour, width);
  }
  context.setLineDash([]);
  context.font = `600 ${letters}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const places = labelPlaces(marks, (text) => context.measureText(text).width);
  for (const [k, { x, y, width: wide, height: tall }] of places.entries()) {
    context.fillStyle = theme.ground;
    context.beginPath();
    context.roundRect(x - wide / 2, y - tall / 2, wide, tall, 4);
    context.fill();
    stroke(context, colour, 1.5);
    context.fillStyle = theme.text;
    context.fillText(marks[k]?.text ?? "", x, y + 0.5);
  }
  context.restore();
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** The visible vertices of a path on the screen. */
export function pointsOf(path: ArrayLike<number>, camera: Camera): [number, number][] {
  const points: [number, number][] = [];
  for (let k = 0; k + 1 < path.length; k += 2) {
    const [wx, wy] = [path[k] ?? NaN, path[k + 1] ?? NaN];
    const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
    if (Number.isFinite(x + y)) {
      points.push([x, y]);
    }
  }
  return points;
}

/** The midpoint of a path, and whether its label is beside it, for a steep line, or above it. */
function besideMiddle(points: readonly [number, number][]): ProposedMark["label"] {
  const steps = points.slice(1).map(([x, y], k) => {
    const [fromX, fromY] = points[k] ?? [x, y];
    return Math.hypot(x - fromX, y - fromY);
  });
  let left = steps.reduce((sum, step) => sum + step, 0) / 2;
  for (const [k, step] of steps.entries()) {
    const [a, b] = [points[k], points[k + 1]];
    if (a !== undefined && b !== undefined && left <= step) {
      const share = step === 0 ? 0 : left / step;
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      return { x: a[0] + share * dx, y: a[1] + share * dy, beside: Math.abs(dy) > 0.5 * Math.abs(dx) };
    }
    left -= step;
  }
  const [x, y] = points[0] ?? [NaN, NaN];
  return { x, y, beside: false };
}
