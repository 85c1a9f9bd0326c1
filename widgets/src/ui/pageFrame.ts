import type { NextFrame } from "../workspace/index.ts";

/** Runs something before the next paint. */
export const pageFrame: NextFrame = (run) => {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
};

/** Longest time to wait for a frame, ms; hidden pages have no frames. */
const NO_FRAME_MS = 100;

/** Runs something after the next paint. */
export const afterFrame: NextFrame = (run) => {
  let after: ReturnType<typeof setTimeout> | undefined;
  const done = (): void => {
    stop();
    run();
  };
  const frame = requestAnimationFrame(() => {
    after = setTimeout(done);
  });
  const late = setTimeout(done, NO_FRAME_MS);
  const stop = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(after);
    clearTimeout(late);
  };
  return stop;
};
