// Decides whether memory is flat, by its trend over a run. Memory that a process holds temporarily moves single samples
// by tens of MB, so a trend has an uncertainty, and only a long run with many samples shows a slow leak.
import { percentile } from "../table.mjs";

/** The initial share of a run, in which caches, histories and allocators fill; it is ignored. */
export const WARM_UP = 1 / 4;
/**
 * The same for memory that is never returned, like WebAssembly's: it has the largest need so far, which rises ever more
 * rarely.
 */
export const FILLED = 1 / 2;
/** Maximum growth of a measure over the rest of a run: relative to its median, or in MB where that is more. */
export const TOLERANCE = { share: 0.02, mb: 2 };

/**
 * Growth of a measure over the rest of a run: the least-squares line through its samples, with two standard errors.
 * Points are calls so far and MB, and the last one ends the run: memory leaks by calls, so that a run on shared
 * processors is judged like any other. `most` is the tolerance; memory is flat unless its growth exceeds it by more
 * than the uncertainty.
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
