import { mercator } from "./geometry.ts";

/** Height of a picture for which none was asked, px. */
const USUAL = 420;
/** In a low window it leaves so much for the edit bar below it and for what is above the notebook, but keeps the least, px. */
const BESIDE = 500;
const LEAST = 240;
/** What the map leaves free around a network, px. */
const AROUND = 28;

/** The height of a map without one of its own, px: the usual one, or less in a low window. */
export function usualHeight(windowHeight: number): number {
  return Math.max(LEAST, Math.min(USUAL, windowHeight - BESIDE));
}

/**
 * The height at which a network fills a width, px, from its longitudes and latitudes: not less than the usual one, and not more
 * than the window leaves. Without positions, or in an output without a width, the usual one.
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

/** How far numbers lie apart; 0 for none. */
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
