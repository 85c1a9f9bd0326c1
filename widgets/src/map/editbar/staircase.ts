import type { EditRange, ElementPath } from "../../workspace/index.ts";

/** Size of the drawing's own units; it is stretched to the room there is. */
export const WIDTH = 1000;
export const HEIGHT = 100;

/** A path of prices as a drawing: the prices at its ends and the line between them. */
export interface Staircase {
  /** Prices at the bottom and the top of the drawing, $/MWh. */
  low: number;
  high: number;
  /** Path data: affine stretches, upright where the price jumps. */
  line: string;
  /** Share of the height from the top, 0 to 1, of a price. */
  heightOf(usdPerMwh: number): number;
}

/** Least difference of the prices at bottom and top, $/MWh: less would draw rounding. */
const LEAST_SPAN = 0.5;

/** The staircase of a path over a range. */
export function staircase(path: ElementPath, range: EditRange): Staircase {
  const ends = path.segments.flatMap(({ price, slope, from_mw, to_mw }) => [price, price + slope * (to_mw - from_mw)]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const pad = Math.max(0, LEAST_SPAN - (most - least)) / 2;
  const [low, high] = [least - pad, most + pad];
  const heightOf = (price: number): number => Math.max(0, Math.min(1, (high - price) / (high - low)));
  const x = (mw: number): string => coordinate((WIDTH * (mw - range.min)) / (range.max - range.min));
  const y = (price: number): string => coordinate(HEIGHT * heightOf(price));
  const points = path.segments.flatMap(({ price, slope, from_mw, to_mw }) => [
    `${x(from_mw)} ${y(price)}`,
    `${x(to_mw)} ${y(price + slope * (to_mw - from_mw))}`,
  ]);
  return { low, high, line: points.length === 0 ? "" : `M${points.join("L")}`, heightOf };
}

function coordinate(value: number): string {
  return String(Number(value.toFixed(2)));
}
