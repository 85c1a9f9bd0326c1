import type { Activity } from "../history/activityEvent.ts";
import type { CommittedState } from "../history/committedState.ts";
import type { PlanGoal } from "../planning/plans.ts";

/** The parts of a Study that a session restores. */
export interface TakenStudy {
  readonly states: readonly CommittedState[];
  /** Id of the live state, which the session has published. */
  readonly live: number;
  readonly recommended: number | null;
  readonly goals: readonly PlanGoal[];
  readonly activeGoal: number | null;
  readonly entries: readonly Activity[];
  /** False where the base input was not saved. */
  readonly hasBase: boolean;
}
