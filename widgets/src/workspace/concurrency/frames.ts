/** Runs something before or after the next picture; the returned function cancels it. */
export type NextFrame = (run: () => void) => () => void;

/** Runs something once the present task has ended: where nothing is drawn, there is no picture to wait for. */
export const nextTask: NextFrame = (run) => {
  const task = setTimeout(run);
  return () => clearTimeout(task);
};
