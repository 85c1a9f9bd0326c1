import type { NextFrame } from "../workspace/index.ts";

/** Runs something before the page is painted next. */
export const pageFrame: NextFrame = (run) => {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
};
