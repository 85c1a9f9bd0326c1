/**
 * Runs a piece of work that nobody waits for when the page has nothing to draw and nothing to answer, after `latestMs` in any case.
 * Returns a function that calls it off.
 */
export function whenIdle(run: () => void, latestMs: number): () => void {
  if (typeof requestIdleCallback === "undefined") {
    // Safari: after what is waiting already.
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: latestMs });
  return () => cancelIdleCallback(handle);
}
