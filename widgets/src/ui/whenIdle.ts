/** Runs background work when the page is idle, at the latest after `latestMs`. Returns a function that cancels it. */
export function whenIdle(run: () => void, latestMs: number): () => void {
  if (typeof requestIdleCallback === "undefined") {
    // Safari: run after the pending tasks.
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: latestMs });
  return () => cancelIdleCallback(handle);
}
