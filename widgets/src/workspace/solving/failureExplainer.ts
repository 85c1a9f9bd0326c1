import { explanationIn } from "../cases/explanations.ts";
import { type AskExplanation, RelaxationSearch } from "../cases/relaxationSearch.ts";
import { does } from "../session/capabilities.ts";
import { isNoSolution, type SessionStatus, type TriedChange } from "../session/sessionStatus.ts";

/** What the explainer needs of its session. */
export interface FailureHost {
  status(): SessionStatus;
  setStatus(status: SessionStatus): void;
  /** Asks why edits have no solution. */
  explain(tried: TriedChange, ...options: Parameters<AskExplanation>): ReturnType<AskExplanation>;
}

/**
 * Looks for the minimum relaxation of the change that failed, as long as its failure is told. What it finds is added to the details
 * of the status.
 */
export class FailureExplainer {
  readonly #host: FailureHost;
  #search: RelaxationSearch | null = null;
  #tried: TriedChange | null = null;

  constructor(host: FailureHost) {
    this.#host = host;
  }

  /** The search for the failure that is told; null without one. */
  get search(): RelaxationSearch | null {
    return this.#search;
  }

  /** To be called when the status is another. */
  follow(): void {
    const status = this.#host.status();
    // A preview passes many positions without solution.
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
      const search = new RelaxationSearch((options) => this.#host.explain(tried, options), status.details);
      this.#search = search;
      search.changed.connect(() => this.#searched(search));
    }
  }

  dispose(): void {
    this.#search?.dispose();
    this.#search = null;
  }

  #searched({ explanation }: RelaxationSearch): void {
    const status = this.#host.status();
    if (explanation !== null && status.kind === "failed" && explanationIn(status.details) !== explanation) {
      this.#host.setStatus({ ...status, details: { ...(status.details as object | undefined), explanation } });
    }
  }
}

/** A change whose failure its formulation explains; null for one of another formulation. */
function explained(tried: TriedChange): TriedChange | null {
  return does(tried.formulation, "explanations") ? tried : null;
}
