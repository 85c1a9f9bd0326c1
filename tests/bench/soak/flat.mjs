// Whether memory is flat: its trend over a run. What a process keeps for a while moves single samples by tens of MB, so that a trend has
// an uncertainty, and only a long run with many samples shows a slow leak.
import { percentile } from "../table.mjs";

/** The part of a run in which caches, histories and allocators fill: it is not judged. */
export const WARM_UP = 1 / 4;
/** The same for memory that is never given back, as WebAssembly's: it holds the largest need so far, which rises ever more rarely. */
export const FILLED = 1 / 2;
/** How much a measure may grow over the judged part of a run: of its middle, and in MB where that is more. */
export const TOLERANCE = { share: 0.02, mb: 2 };

/**
 * Growth of a measure over the judged part of a run: the straight line through its samples by least squares, with two standard errors.
 * Points are calls so far and MB, the last ends the run: memory leaks by calls, and a run that has to share its processors is judged
 * like any other. `most` is what the tolerance allows; flat is what is not above it by more than the uncertainty.
 */
export function growth(points, warmUp = WARM_UP) {
  const end = points.at(-1)[0];
  const judged = points.filter(([calls]) => calls >= warmUp * end);
  const mean = (of) => judged.reduce((sum, point) => sum + of(point), 0) / judged.length;
  const [calls, size] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = judged.reduce((sum, [x]) => sum + (x - calls) ** 2, 0);
  const slope = judged.reduce((sum, [x, y]) => sum + (x - calls) * (y - size), 0) / spread;
  const beside = judged.reduce((sum, [x, y]) => sum + (y - size - slope * (x - calls)) ** 2, 0);
  const error = Math.sqrt(beside / (judged.length - 2) / spread);
  const span = end - judged[0][0];
  const middle = percentile(
    judged.map(([, mb]) => mb),
    50,
  );
  const most = Math.max(TOLERANCE.share * middle, TOLERANCE.mb);
  const [mb, uncertainty] = [slope * span, 2 * error * span];
  return { middle, mb, uncertainty, most, isFlat: mb - uncertainty <= most };
}
