import type { NextFrame } from "../workspace/index.ts";

/** Runs something before the page is painted next. */
export const pageFrame: NextFrame = (run) => {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
};

/** A page that is not seen has no frames: it does not wait for one longer than this, ms. */
const NO_FRAME_MS = 100;

/** Runs something once the next picture is painted. */
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
