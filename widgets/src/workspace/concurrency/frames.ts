/** Runs a callback before or after the next picture; the returned function cancels it. */
export type NextFrame = (run: () => void) => () => void;

/** Runs a callback after the present task, where nothing is drawn and there is no picture to wait for. */
export const nextTask: NextFrame = (run) => {
  const task = setTimeout(run);
  return () => clearTimeout(task);
};
