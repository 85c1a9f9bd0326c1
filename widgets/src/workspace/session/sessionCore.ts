import type { OpenedCase } from "../cases/openedCase.ts";
import type { PublishedStates } from "../history/publishedStates.ts";
import type { MutationQueue } from "../mutations/mutationQueue.ts";
import type { ExactSolver } from "../solving/exactSolver.ts";
import type { SessionSignals } from "./sessionStatus.ts";

/** The shared parts of a session: the case, its solver, the queue of its calls, its states and its status. */
export interface SessionCore {
  readonly opened: OpenedCase;
  readonly solver: ExactSolver;
  /** Calls to the solver run in sequence: each depends on the state in which the previous one leaves its Study. */
  readonly queue: MutationQueue;
  readonly states: PublishedStates;
  readonly signals: SessionSignals<unknown>;
}
