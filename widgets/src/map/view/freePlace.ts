import type { LabelBox } from "../picture/labels.ts";

/** Distance between a position and overlays, pixels: the ring around a selected bus. */
const GAP = 18;

/**
 * The position nearest to a point that is inside the picture, `margin` pixels from its edges, and outside the boxes
 * that cover it; the nearest one in the picture if the boxes leave nothing free.
 */
export function freePlace(
  point: { x: number; y: number },
  size: { width: number; height: number },
  margin: number,
  covered: readonly LabelBox[],
): { x: number; y: number } {
  const within = (value: number, most: number): number => Math.max(margin, Math.min(most - margin, value));
  const start = { x: within(point.x, size.width), y: within(point.y, size.height) };
  const boxes = covered.map(({ x0, y0, x1, y1 }) => ({ x0: x0 - GAP, y0: y0 - GAP, x1: x1 + GAP, y1: y1 + GAP }));
  const isFree = ({ x, y }: { x: number; y: number }): boolean =>
    boxes.every((box) => x <= box.x0 || x >= box.x1 || y <= box.y0 || y >= box.y1);
  if (isFree(start)) {
    return start;
  }
  // The nearest free position is beside a box, or in the corner between two.
  const xs = [start.x, ...boxes.flatMap(({ x0, x1 }) => [x0, x1])].filter((x) => x >= 0 && x <= size.width);
  const ys = [start.y, ...boxes.flatMap(({ y0, y1 }) => [y0, y1])].filter((y) => y >= 0 && y <= size.height);
  const free = xs.flatMap((x) => ys.map((y) => ({ x, y }))).filter(isFree);
  const far = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - start.x, y - start.y);
  return free.sort((a, b) => far(a) - far(b))[0] ?? start;
}
