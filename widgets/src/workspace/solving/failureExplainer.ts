import { explanationIn } from "../cases/explanations.ts";
import { RelaxationSearch } from "../cases/relaxationSearch.ts";
import { does } from "../session/capabilities.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { isNoSolution, type TriedChange } from "../session/sessionStatus.ts";

/**
 * Searches for the minimum relaxation of a failed change while the status shows the failure, and adds it to the
 * details.
 */
export class FailureExplainer {
  readonly #core: SessionCore;
  #search: RelaxationSearch | null = null;
  #tried: TriedChange | null = null;

  constructor(core: SessionCore) {
    this.#core = core;
    core.signals.changed.connect(() => this.#follow());
  }

  /** The search for the failure that the status shows; null without one. */
  get search(): RelaxationSearch | null {
    return this.#search;
  }

  dispose(): void {
    this.#search?.dispose();
    this.#search = null;
  }

  #follow(): void {
    const { solver, signals } = this.#core;
    const { status } = signals;
    // A preview passes many positions without solution, which are not searched.
    const tried =
      status.kind === "failed" && isNoSolution(status.code) && status.tried?.ms != null
        ? explained(status.tried)
        : null;
    if (tried === this.#tried) {
      return;
    }
    this.#search?.dispose();
    this.#search = null;
    this.#tried = tried;
    if (tried !== null && status.kind === "failed") {
      const search = new RelaxationSearch(
        (options) => solver.explain(tried.edits, tried.formulation, options),
        status.details,
      );
      this.#search = search;
      search.changed.connect(() => this.#searched(search));
    }
  }

  #searched({ explanation }: RelaxationSearch): void {
    const { signals } = this.#core;
    const { status } = signals;
    if (explanation !== null && status.kind === "failed" && explanationIn(status.details) !== explanation) {
      signals.setStatus({ ...status, details: { ...(status.details as object | undefined), explanation } });
    }
  }
}

/** The failed change where its formulation has explanations; null otherwise. */
function explained(tried: TriedChange): TriedChange | null {
  return does(tried.formulation, "explanations") ? tried : null;
}
