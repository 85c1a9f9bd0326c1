import type { StepEvent } from "./stepEvent.ts";

/** A step: a state, and the event that led to it. */
export interface Step {
  readonly id: number;
  readonly event: StepEvent;
}

/**
 * The order in which states became live, for undo and redo. A new step drops the steps that could be redone; their
 * states stay in the history.
 */
export class StepTrail {
  #steps: readonly Step[];
  #at = 0;

  constructor(first: Step) {
    this.#steps = [first];
  }

  /** The present step. */
  get here(): Step {
    return this.#steps[this.#at] ?? { id: 0, event: { kind: "base" } };
  }

  /** The step before; null at the beginning. */
  get before(): Step | null {
    return this.#steps[this.#at - 1] ?? null;
  }

  /** The step undone last; null where there is none. */
  get after(): Step | null {
    return this.#steps[this.#at + 1] ?? null;
  }

  /** Moves on to another state. */
  push(step: Step): void {
    this.#steps = [...this.#steps.slice(0, this.#at + 1), step];
    this.#at += 1;
  }

  /** Restarts at a step, with nothing to undo or redo. */
  restart(first: Step): void {
    this.#steps = [first];
    this.#at = 0;
  }

  /** Goes one step back; stays at the beginning. */
  undo(): void {
    this.#at = Math.max(0, this.#at - 1);
  }

  /** Repeats the step undone last. */
  redo(): void {
    this.#at = Math.min(this.#steps.length - 1, this.#at + 1);
  }

  /** Drops steps to removed states; the present state is never removed. */
  keepOnly(known: ReadonlySet<number>): void {
    const isKnown = this.#steps.map((step) => known.has(step.id));
    this.#at -= isKnown.slice(0, this.#at).filter((here) => !here).length;
    this.#steps = this.#steps.filter((_, k) => isKnown[k]);
  }
}
