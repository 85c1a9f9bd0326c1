import { waysOf } from "../perspective/screenPicker.ts";
import { zoomFactor } from "../view/camera.ts";
import { busRadius } from "./busMarks.ts";
import type { Frame } from "./frame.ts";

/** Half the side of a mark, and the width of its outline, pixels at the zoom of the whole network. */
const SIZES = { half: 3, outline: 1.4 } as const;
/** Most by which marks grow with the zoom. */
const MOST_GROWTH = 2;
/** A mark needs this many times its size between the marks of its buses. */
const ROOM = 1.5;

/**
 * A switch on the screen, in pixels: a square on its line, filled where it is closed and hollow where it is open, as circuit breakers
 * are drawn in one-line diagrams.
 */
export interface SwitchMark {
  readonly row: number;
  readonly open: boolean;
  readonly corners: readonly (readonly [x: number, y: number])[];
  /** Width of the outline. */
  readonly outline: number;
}

type SwitchFrame = Pick<Frame, "geometry" | "camera" | "sizes" | "switches">;

/** The switches of a frame that have room for their mark. */
export function switchMarks({ geometry, camera, sizes, switches = [] }: SwitchFrame): SwitchMark[] {
  if (switches.length === 0) {
    return [];
  }
  const growth = Math.min(MOST_GROWTH, zoomFactor(camera));
  const [half, outline] = [SIZES.half * growth, SIZES.outline * growth];
  const radius = busRadius({ camera, geometry }) * Math.max(...new Set(sizes), 0);
  return switches.flatMap(({ row, open }): SwitchMark[] => {
    const middle = middleOf(waysOf(geometry.paths[row] ?? new Float64Array(), camera));
    if (middle === null || middle.length < 2 * radius + ROOM * 2 * half) {
      return [];
    }
    const { x, y, dx, dy } = middle;
    const corners = [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ].map(([a = 0, b = 0]) => [x + half * (a * dx - b * dy), y + half * (a * dy + b * dx)] as const);
    return [{ row, open, corners, outline }];
  });
}

/** Draws the switches over their lines. */
export function drawSwitches(context: CanvasRenderingContext2D, frame: SwitchFrame & Pick<Frame, "theme">): void {
  const marks = switchMarks(frame);
  if (marks.length === 0) {
    return;
  }
  const { theme } = frame;
  context.save();
  context.lineJoin = "miter";
  for (const { open, corners, outline } of marks) {
    context.beginPath();
    corners.forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.closePath();
    context.strokeStyle = theme.casing;
    context.lineWidth = 3 * outline;
    context.stroke();
    context.fillStyle = open ? theme.ground : theme.text;
    context.fill();
    context.strokeStyle = theme.text;
    context.lineWidth = outline;
    context.stroke();
  }
  context.restore();
}

/** The middle of the longest visible segment, its direction, and its length in pixels; null where nothing is visible. */
function middleOf(
  ways: readonly (readonly number[])[],
): { x: number; y: number; dx: number; dy: number; length: number } | null {
  let found = null;
  let most = 0;
  for (const way of ways) {
    for (let k = 0; k + 3 < way.length; k += 2) {
      const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = way.slice(k, k + 4);
      const length = Math.hypot(bx - ax, by - ay);
      if (length > most) {
        most = length;
        found = { x: (ax + bx) / 2, y: (ay + by) / 2, dx: (bx - ax) / length, dy: (by - ay) / length, length };
      }
    }
  }
  return found;
}
