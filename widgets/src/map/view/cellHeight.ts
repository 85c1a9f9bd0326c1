import { mercator } from "./geometry.ts";

/** Default height of a picture, px. */
const USUAL = 420;
/**
 * In a low window the picture leaves this much room for the edit bar and the cell above, but has at least the smallest
 * height, px.
 */
const BESIDE = 500;
const LEAST = 240;
/** Margin of the map around a network, px. */
const AROUND = 28;

/** The default height of a map, px, reduced in a low window. */
export function usualHeight(windowHeight: number): number {
  return Math.max(LEAST, Math.min(USUAL, windowHeight - BESIDE));
}

/**
 * The height at which a network fills a width, px, from its longitudes and latitudes: at least the default, and at most
 * what the window leaves. The default without positions, or in an output without a width.
 */
export function cellHeight(
  positions: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> } | null,
  width: number,
  windowHeight: number,
): number {
  const usual = usualHeight(windowHeight);
  const [x, y] = [range(), range()];
  for (let row = 0; row < (positions?.x.length ?? 0); row += 1) {
    const [at, up] = mercator([positions?.x[row] ?? NaN, positions?.y[row] ?? NaN]);
    if (Number.isFinite(at + up)) {
      x.take(at);
      y.take(up);
    }
  }
  const filling = (y.size / x.size) * (width - 2 * AROUND) + 2 * AROUND;
  return width > 0 && x.size > 0 ? Math.round(Math.max(usual, Math.min(filling, windowHeight - BESIDE))) : usual;
}

/** Collects the extent of numbers, 0 without any. */
function range(): { take(value: number): void; readonly size: number } {
  let [low, high] = [Infinity, -Infinity];
  return {
    take: (value) => {
      low = Math.min(low, value);
      high = Math.max(high, value);
    },
    get size() {
      return Math.max(0, high - low);
    },
  };
}
