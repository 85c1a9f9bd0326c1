// Long work in short steps: how large a step is, and what is told between them.

/** Wall time that a step is meant to take: other calls wait no longer than that, and messages cost little beside it. */
const STEP_MS = 20;
/** Progress is told no more often than this. */
export const PROGRESS_MS = 50;

/** Units of work for a step of {@link STEP_MS} after one of `budget` took `ms`; never more than eightfold, clocks are coarse. */
export function nextBudget(budget: number, ms: number): number {
  const factor = Math.min(8, STEP_MS / Math.max(ms, 0.1));
  return Math.min(1e6, Math.max(1, Math.round(budget * factor)));
}

/** Passes on what rises, not too often; the end always. */
export function rising(onProgress: ((fraction: number) => void) | undefined): (fraction: number) => void {
  let highest = 0;
  let told = -Infinity;
  return (fraction) => {
    const now = performance.now();
    if (!onProgress || fraction <= highest || (fraction < 1 && now - told < PROGRESS_MS)) return;
    highest = fraction;
    told = now;
    onProgress(fraction);
  };
}

/** Passes on one in `ms`, and the last. */
export function atMost<T>(ms: number, pass: ((value: T) => void) | undefined): (value: T, isLast: boolean) => void {
  let told = -Infinity;
  return (value, isLast) => {
    const now = performance.now();
    if (!pass || (!isLast && now - told < ms)) return;
    told = now;
    pass(value);
  };
}
