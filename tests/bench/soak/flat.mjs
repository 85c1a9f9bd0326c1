// Whether memory is flat: the slope of a measure after the warm-up, by pairs of samples (Theil and Sen), which single peaks do not bend.
import { percentile } from "../table.mjs";

/** The part of a run in which caches, histories and allocators fill: it is not judged. */
export const WARM_UP = 1 / 4;
/** How much a measure may grow over the judged part of a run: of its middle, and in MB where that is more. */
export const TOLERANCE = { share: 0.02, mb: 2 };

/** Middle slope of all pairs of points `[x, y]`; undefined of fewer than two. */
export function slope(points) {
  const slopes = points.flatMap(([x, y], k) => points.slice(k + 1).map(([u, v]) => (v - y) / (u - x)));
  return percentile(slopes, 50);
}

/**
 * Growth of a measure over the judged part of a run: points are calls so far and MB, the last ends the run. Memory leaks by calls: a
 * run that has to share its processors is judged like any other. `most` is what the tolerance allows.
 */
export function growth(points) {
  const end = points.at(-1)[0];
  const judged = points.filter(([calls]) => calls >= WARM_UP * end);
  const middle = percentile(
    judged.map(([, mb]) => mb),
    50,
  );
  const mb = slope(judged) * (end - judged[0][0]);
  const most = Math.max(TOLERANCE.share * middle, TOLERANCE.mb);
  return { first: points[0][1], middle, last: points.at(-1)[1], mb, most, isFlat: mb <= most };
}
