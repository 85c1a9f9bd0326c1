// Whether memory is flat: what it falls back to, in the first and in the last part of a run. Allocators keep what was freed for a while,
// so that single samples lie above that by tens of MB, and a leak raises it.
import { percentile } from "../table.mjs";

/** The part of a run in which caches, histories and allocators fill: it is not judged. */
export const WARM_UP = 1 / 4;
/** The same for memory that is never given back, as WebAssembly's: it holds the largest need so far, which rises ever more rarely. */
export const FILLED = 1 / 2;
/** How much a measure may grow over the judged part of a run: of its middle, and in MB where that is more. */
export const TOLERANCE = { share: 0.02, mb: 2 };
/** Parts that the judged samples are divided into, and the share of the samples of one that lies below its floor. */
const PARTS = 3;
const BELOW = 25;

/** What a measure falls back to: its lower quartile. */
const floor = (points) =>
  percentile(
    points.map(([, mb]) => mb),
    BELOW,
  );

/**
 * Growth of a measure over the judged part of a run: points are calls so far and MB, the last ends the run. Memory leaks by calls: a
 * run that has to share its processors is judged like any other. `most` is what the tolerance allows.
 */
export function growth(points, warmUp = WARM_UP) {
  const end = points.at(-1)[0];
  const judged = points.filter(([calls]) => calls >= warmUp * end);
  const span = end - judged[0][0];
  const part = (k) =>
    judged.filter(([calls]) => Math.min(PARTS - 1, Math.floor((PARTS * (calls - judged[0][0])) / span)) === k);
  const [first, last] = [part(0), part(PARTS - 1)];
  const middle = percentile(
    judged.map(([, mb]) => mb),
    50,
  );
  // Between the middles of both parts lie all parts but one.
  const mb = ((floor(last) - floor(first)) * PARTS) / (PARTS - 1);
  const most = Math.max(TOLERANCE.share * middle, TOLERANCE.mb);
  return { first: floor(first), middle, last: floor(last), mb, most, isFlat: mb <= most };
}
