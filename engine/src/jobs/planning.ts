import { parsed } from "../contract/answers.ts";
import type {
  CapacityPlanOutcomeJson,
  CapacityPlanTrial,
  DemandPlanOutcomeJson,
  DemandPlanSpecJson,
  DemandPlanTrial,
  PlanSpecJson,
} from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { Transport } from "../transport/transport.ts";

/** The result of a specification: a specification with `kind` is a demand plan. */
export type PlanOutcomeOf<S extends PlanSpecJson> = S extends DemandPlanSpecJson
  ? DemandPlanOutcomeJson
  : CapacityPlanOutcomeJson;

/** The trials of a specification. */
export type PlanTrialOf<S extends PlanSpecJson> = S extends DemandPlanSpecJson ? DemandPlanTrial : CapacityPlanTrial;

/** Options of a plan. */
export interface PlanOptions<S extends PlanSpecJson = PlanSpecJson> {
  /** Called with each trial after its exact solve. */
  onTrial?: (trial: PlanTrialOf<S>) => void;
}

/** The study's side of a plan: `start` sends the first call; `given` cancels the plan, which rejects with `ABORTED`. */
export interface PlanControl extends Required<Pick<JobControl, "study" | "start">> {
  given: AbortSignal;
}

/**
 * Plans on the committed state of `study`, one trial at a time. If `signal` ends the plan, it returns the best
 * candidate so far and the completed trials.
 */
export async function runPlanning<S extends PlanSpecJson>(
  transport: Transport,
  spec: S,
  { onTrial }: PlanOptions<S>,
  signal: AbortSignal | undefined,
  { study, start, given }: PlanControl,
): Promise<PlanOutcomeOf<S>> {
  let reported = 0;
  let seen = 0;
  const answer = await runJob(
    transport,
    { kind: "plan", spec: JSON.stringify(spec) },
    {
      study,
      start,
      signal: given,
      onStart: () => void (seen = 0),
      // A plan that restarts solves the same trials again.
      onStep: ({ trials = [] }) => {
        for (const trial of trials) {
          seen += 1;
          if (seen <= reported) continue;
          reported = seen;
          onTrial?.(trial as PlanTrialOf<S>);
        }
      },
      isEnough: () => signal?.aborted === true,
    },
  );
  return parsed<PlanOutcomeOf<S>>(answer);
}
