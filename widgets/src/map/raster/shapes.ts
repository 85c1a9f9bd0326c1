import { type Ink, mixed, type Pixels, wordOf } from "./pixels.ts";

/** Shapes with smooth edges, in pixels of the picture: a pixel is covered as its middle lies by the distance to the edge. */

/** A straight line with round ends, of half the given width. */
export function capsule(
  { width, height, words }: Pixels,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  half: number,
  ink: Ink,
): void {
  const reach = half + 0.5;
  if (
    Math.max(ax, bx) < -reach ||
    Math.min(ax, bx) > width + reach ||
    Math.max(ay, by) < -reach ||
    Math.min(ay, by) > height + reach
  ) {
    return;
  }
  const span = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
  // Steps along the major axis m; n is the minor one.
  const steep = Math.abs(by - ay) > Math.abs(bx - ax);
  const back = steep ? by < ay : bx < ax;
  const [fromX, fromY, toX, toY] = back ? [bx, by, ax, ay] : [ax, ay, bx, by];
  const [am, an, bm, bn] = steep ? [fromY, fromX, toY, toX] : [fromX, fromY, toX, toY];
  const [most, mostN] = steep ? [height, width] : [width, height];
  const [stride, strideN] = steep ? [width, 1] : [1, width];
  const um = span > 0 ? (bm - am) / span : 1;
  const un = span > 0 ? (bn - an) / span : 0;
  const slope = un / um;
  const across = reach / um;
  const { rb, g } = ink;
  // A line thinner than a pixel covers only part of it.
  const weight = Math.min(1, 2 * half) * ink.weight;
  const last = Math.min(most - 1, Math.floor(bm + reach - 0.5));
  for (let m = Math.max(0, Math.ceil(am - reach - 0.5)); m <= last; m += 1) {
    const along = m + 0.5 - am;
    const middle = an + along * slope;
    const first = Math.max(0, Math.ceil(middle - across - 0.5));
    const end = Math.min(mostN - 1, Math.floor(middle + across - 0.5));
    let side = (first + 0.5 - middle) * um;
    let way = along * um + (first + 0.5 - an) * un;
    let at = m * stride + first * strideN;
    for (let n = first; n <= end; n += 1) {
      const beyond = way < 0 ? way : way > span ? way - span : 0;
      const away = beyond === 0 ? (side < 0 ? -side : side) : Math.sqrt(side * side + beyond * beyond);
      const cover = reach - away;
      if (cover > 0) {
        words[at] = mixed(words[at] as number, rb, g, (cover < 1 ? cover * weight : weight) + 0.5);
      }
      side += um;
      way += un;
      at += strideN;
    }
  }
}

/** A disc. */
export function disc({ width, height, words }: Pixels, x: number, y: number, radius: number, ink: Ink): void {
  const reach = radius + 0.5;
  const [inner, outer] = [Math.max(0, radius - 0.5) ** 2, reach * reach];
  const { rb, g } = ink;
  const full = wordOf(ink);
  const opaque = ink.weight === 256;
  const [left, right] = [Math.max(0, Math.ceil(x - reach - 0.5)), Math.min(width - 1, Math.floor(x + reach - 0.5))];
  const bottom = Math.min(height - 1, Math.floor(y + reach - 0.5));
  for (let row = Math.max(0, Math.ceil(y - reach - 0.5)); row <= bottom; row += 1) {
    const dy = row + 0.5 - y;
    let at = row * width + left;
    for (let column = left; column <= right; column += 1, at += 1) {
      const dx = column + 0.5 - x;
      const square = dx * dx + dy * dy;
      if (square < inner && opaque) {
        words[at] = full;
      } else if (square < outer) {
        const cover = Math.min(1, reach - Math.sqrt(square));
        words[at] = mixed(words[at] as number, rb, g, cover * ink.weight + 0.5);
      }
    }
  }
}

/** A convex polygon with its corners in either orientation. */
export function convex(
  { width, height, words }: Pixels,
  corners: readonly (readonly [number, number])[],
  ink: Ink,
): void {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const edges = corners.map(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length] ?? [ax, ay];
    const span = Math.hypot(bx - ax, by - ay) || 1;
    return [(by - ay) / span, (ax - bx) / span, (ay * (bx - ax) - ax * (by - ay)) / span] as const;
  });
  const [middleX, middleY] = [xs, ys].map((all) => all.reduce((sum, part) => sum + part, 0) / all.length) as [
    number,
    number,
  ];
  const [first = [0, 0, 0]] = edges;
  const sign = first[0] * middleX + first[1] * middleY + first[2] > 0 ? -1 : 1;
  const right = Math.min(width - 1, Math.floor(Math.max(...xs)));
  const bottom = Math.min(height - 1, Math.floor(Math.max(...ys)));
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      let away = -Infinity;
      for (const [a, b, c] of edges) {
        away = Math.max(away, sign * (a * (column + 0.5) + b * (row + 0.5) + c));
      }
      if (away < 0.5) {
        const at = row * width + column;
        words[at] = mixed(words[at] as number, ink.rb, ink.g, Math.min(1, 0.5 - away) * ink.weight + 0.5);
      }
    }
  }
}
