import { ElementPath, type PathRequest, sameCourse } from "./elementPath.ts";
import type { ExactSolver } from "../solving/exactSolver.ts";
import type { MutationQueue } from "../mutations/mutationQueue.ts";

/**
 * Holds the exact path of the selected element: requested when the element is selected, again when other edits or the
 * range change, and cancelled when another element is selected first.
 */
export class PathKeeper {
  readonly #solver: ExactSolver;
  readonly #queue: MutationQueue;
  readonly #onChange: () => void;
  #wanted: PathRequest | null = null;
  #path: ElementPath | null = null;
  #problem: unknown = null;
  #running: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();

  /** `changed` is called when a path is known, or the reason why there is none. */
  constructor(solver: ExactSolver, queue: MutationQueue, changed: () => void) {
    this.#solver = solver;
    this.#queue = queue;
    this.#onChange = changed;
  }

  /** The path of the latest element, once it is known. */
  get path(): ElementPath | null {
    return this.#path;
  }

  /** The error instead of a path; null without one. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Whether a path is under way. */
  get pending(): boolean {
    return this.#running !== null;
  }

  /** Resolves when no path is under way. */
  get settled(): Promise<void> {
    return this.#running === null ? Promise.resolve() : this.#work;
  }

  /**
   * Requests a path unless the known or pending one includes the request. A path that ended before the published state,
   * at a change of `committedMw`, because of too many breakpoints is requested again from there.
   */
  follow(request: PathRequest, committedMw: number): void {
    const { range } = request;
    const known = this.#wanted !== null && sameCourse(this.#wanted, request) ? this.#wanted.range : null;
    const ended = this.#path !== null && !this.#path.covers(committedMw);
    if (known !== null && known.min <= range.min && known.max >= range.max && this.#problem === null && !ended) {
      return;
    }
    const usable = known === null ? null : this.#path; // part of the same course, used until the rest is known
    this.forget();
    this.#path = usable;
    this.#wanted = ended ? { ...request, fromHere: true } : request;
    this.#running = new AbortController();
    this.#work = this.#run(this.#wanted, this.#running);
  }

  /** Drops a path that no longer belongs to a course. */
  keepOnly(course: Pick<PathRequest, "edits" | "selection">): void {
    if (this.#wanted !== null && !sameCourse(course, this.#wanted)) {
      this.forget();
    }
  }

  /** Drops the path and cancels the work on it. */
  forget(): void {
    this.#running?.abort();
    this.#running = null;
    this.#wanted = null;
    this.#path = null;
    this.#problem = null;
  }

  async #run(request: PathRequest, control: AbortController): Promise<void> {
    const current = (): boolean => this.#running === control;
    try {
      const track = await this.#queue.run(async () =>
        control.signal.aborted ? null : this.#solver.track(request, control.signal),
      );
      if (track === null || !current()) {
        return;
      }
      this.#path = new ElementPath(request, track);
    } catch (error) {
      if (!current()) {
        return; // cancelled
      }
      this.#path = null;
      this.#problem = error;
    }
    this.#running = null;
    this.#onChange();
  }
}
