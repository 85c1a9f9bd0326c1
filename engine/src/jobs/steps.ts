// The size of steps of long work, and the rate of its progress reports.

/** Target wall time of a step: other calls wait at most this long, and the messages cost little in comparison. */
const STEP_MS = 20;
/** Least time between two progress reports, ms. */
export const PROGRESS_MS = 50;

/**
 * Units of work for a step of {@link STEP_MS}, if `budget` units took `ms`; at most eightfold, because clocks are
 * coarse.
 */
export function nextBudget(budget: number, ms: number): number {
  const factor = Math.min(8, STEP_MS / Math.max(ms, 0.1));
  return Math.min(1e6, Math.max(1, Math.round(budget * factor)));
}

/** Passes on rising values at a limited rate, and always the end. */
export function rising(onProgress: ((fraction: number) => void) | undefined): (fraction: number) => void {
  let highest = 0;
  let reportedMs = -Infinity;
  return (fraction) => {
    const now = performance.now();
    if (!onProgress || fraction <= highest || (fraction < 1 && now - reportedMs < PROGRESS_MS)) return;
    highest = fraction;
    reportedMs = now;
    onProgress(fraction);
  };
}

/** Passes on one value in `ms`, and the last. */
export function atMost<T>(ms: number, pass: ((value: T) => void) | undefined): (value: T, isLast: boolean) => void {
  let reportedMs = -Infinity;
  return (value, isLast) => {
    const now = performance.now();
    if (!pass || (!isLast && now - reportedMs < ms)) return;
    reportedMs = now;
    pass(value);
  };
}
