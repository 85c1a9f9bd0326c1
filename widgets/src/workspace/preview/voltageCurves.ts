import { isCancelled } from "../concurrency/cancelling.ts";
import { deltaOf } from "../edits/edits.ts";
import type { MutationQueue } from "../mutations/mutationQueue.ts";
import type { ExactSolver } from "../solving/exactSolver.ts";
import { sameCourse } from "./elementPath.ts";
import { type CurveRequest, VoltageCurve } from "./voltageCurve.ts";

/**
 * Holds the PV curve of the selected bus: computed when the bus is selected, again when other edits change or the
 * published state lies before its beginning, and cancelled when another element is selected first.
 */
export class VoltageCurves {
  readonly #solver: ExactSolver;
  readonly #queue: MutationQueue;
  readonly #onChange: () => void;
  #wanted: CurveRequest | null = null;
  #curve: VoltageCurve | null = null;
  #running: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();

  /** `changed` is called when a curve is known. */
  constructor(solver: ExactSolver, queue: MutationQueue, changed: () => void) {
    this.#solver = solver;
    this.#queue = queue;
    this.#onChange = changed;
  }

  /** The curve of the latest bus, once it is known. */
  get curve(): VoltageCurve | null {
    return this.#curve;
  }

  /** Resolves when no curve is under way. */
  get settled(): Promise<void> {
    return this.#running === null ? Promise.resolve() : this.#work;
  }

  /** Requests a curve unless the known or pending one includes the published state. */
  follow(request: CurveRequest): void {
    const at = deltaOf(request.edits, request.selection);
    const wanted = this.#wanted;
    if (wanted !== null && sameCourse(request, wanted)) {
      const coming = this.#running !== null && deltaOf(wanted.edits, wanted.selection) <= at;
      if (coming || this.#curve?.covers(at) === true) {
        return;
      }
    }
    this.forget();
    this.#wanted = request;
    this.#running = new AbortController();
    this.#work = this.#run(request, this.#running);
  }

  /** Drops a curve that no longer belongs to a course. */
  keepOnly(course: CurveRequest): void {
    if (this.#wanted !== null && !sameCourse(course, this.#wanted)) {
      this.forget();
    }
  }

  /** Drops the curve and cancels the work on it. */
  forget(): void {
    this.#running?.abort();
    this.#running = null;
    this.#wanted = this.#curve = null;
  }

  async #run(request: CurveRequest, control: AbortController): Promise<void> {
    const { edits, selection } = request;
    const current = (): boolean => this.#running === control;
    try {
      const { signal } = control;
      const begun = await this.#queue.run(async () =>
        signal.aborted ? null : this.#solver.beginLoadability(edits, { bus: selection.id }, { signal }),
      );
      const found = await begun?.curve;
      if (found !== undefined && current()) {
        this.#curve = new VoltageCurve(request, found);
      }
    } catch (error) {
      if (current() && !isCancelled(error)) {
        this.#curve = null; // views fall back to the power series
      }
    }
    if (current()) {
      this.#running = null;
      this.#onChange();
    }
  }
}
