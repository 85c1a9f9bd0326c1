import { pointsOf } from "./proposedChanges.ts";
import { busRadius } from "./busMarks.ts";
import type { Frame } from "./frame.ts";

/** Distance of the ring from the mark of the generator's bus, pixels. */
const RING = 5;
/** Widths of a ring, of a flashing line at its brightest, and of the outline of both, pixels. */
const WIDTHS = { ring: 2.5, flash: 12, rim: 2.5 } as const;

/**
 * Draws the events that a move has passed: a ring around the bus of each generator that has reached a limit, and a
 * fading halo over each line that has just begun or ceased to bind.
 */
export function drawEventMarks(
  context: CanvasRenderingContext2D,
  frame: Pick<Frame, "geometry" | "camera" | "sizes" | "theme" | "events">,
): void {
  const { geometry, camera, sizes, theme, events = [] } = frame;
  context.save();
  for (const { kind, row, strength } of events) {
    context.globalAlpha = strength;
    context.beginPath();
    if (kind === "branch") {
      pointsOf(geometry.paths[row] ?? [], camera).forEach(([x, y], k) =>
        k === 0 ? context.moveTo(x, y) : context.lineTo(x, y),
      );
      stroke(context, theme.binding, WIDTHS.flash * strength);
      stroke(context, theme.ground, 2);
      continue;
    }
    const radius = busRadius({ camera, geometry }) * (sizes[row] || 1) + RING;
    for (const [x, y] of pointsOf([geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN], camera)) {
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    stroke(context, theme.casing, WIDTHS.ring + WIDTHS.rim);
    stroke(context, theme.warning, WIDTHS.ring);
  }
  context.restore();
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
