import { cancelledError, unlessCancelled } from "../concurrency/cancelling.ts";
import { trans } from "../../text/index.ts";

/** Runs the changes of one case strictly in sequence; a failed change does not stop the next. */
export class MutationQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #control = new AbortController();

  /** Runs `task` after all earlier ones and returns its result. The signal fires when it is cancelled. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#control;
    const result = this.#tail.then(() => {
      if (signal.aborted) {
        throw cancelledError();
      }
      return task(signal);
    });
    this.#tail = result.catch(() => undefined);
    return unlessCancelled(result, signal);
  }

  /** Cancels all pending tasks: they reject with `ABORTED` at once. */
  cancel(): void {
    const control = this.#control;
    this.#control = new AbortController();
    control.abort();
  }
}

/** A change expected a revision that is no longer current. */
export class StaleRevisionError extends Error {
  readonly code = "REVISION.STALE";
  readonly expected: number;
  readonly current: number;

  /** `element` is the name of an element changed elsewhere, whose change would have been overwritten. */
  constructor(expected: number, current: number, element?: string) {
    super(
      element === undefined
        ? trans.__(
            "The state moved on to revision %1 before this change of revision %2 was applied.",
            current,
            expected,
          )
        : trans.__(
            "The kernel changed %1 in revision %2, before this change of revision %3 was applied.",
            element,
            current,
            expected,
          ),
    );
    this.name = "StaleRevisionError";
    this.expected = expected;
    this.current = current;
  }
}
