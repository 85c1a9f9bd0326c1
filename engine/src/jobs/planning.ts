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

/** What comes of a specification: one with a `kind` is of demand. */
export type PlanOutcomeOf<S extends PlanSpecJson> = S extends DemandPlanSpecJson
  ? DemandPlanOutcomeJson
  : CapacityPlanOutcomeJson;

/** The trials of a specification. */
export type PlanTrialOf<S extends PlanSpecJson> = S extends DemandPlanSpecJson ? DemandPlanTrial : CapacityPlanTrial;

/** How a plan is followed. */
export interface PlanOptions<S extends PlanSpecJson = PlanSpecJson> {
  /** Called with each trial once its exact solve is over. */
  onTrial?: (trial: PlanTrialOf<S>) => void;
}

/** What a plan needs of its study: `start` sends the first call; `given` gives the plan up, which rejects with `ABORTED`. */
export interface PlanControl extends Required<Pick<JobControl, "study" | "start">> {
  given: AbortSignal;
}

/**
 * Plans on the committed state of `study`, a trial at a time. Where `signal` ends it, what is left is the best candidate so far,
 * with the trials that are done.
 */
export async function runPlanning<S extends PlanSpecJson>(
  transport: Transport,
  spec: S,
  { onTrial }: PlanOptions<S>,
  signal: AbortSignal | undefined,
  { study, start, given }: PlanControl,
): Promise<PlanOutcomeOf<S>> {
  let told = 0;
  let seen = 0;
  const answer = await runJob(
    transport,
    { kind: "plan", spec: JSON.stringify(spec) },
    {
      study,
      start,
      signal: given,
      onStart: () => void (seen = 0),
      // A plan that starts over solves the same trials again.
      onStep: ({ trials = [] }) => {
        for (const trial of trials) {
          seen += 1;
          if (seen <= told) continue;
          told = seen;
          onTrial?.(trial as PlanTrialOf<S>);
        }
      },
      isEnough: () => signal?.aborted === true,
    },
  );
  return parsed<PlanOutcomeOf<S>>(answer);
}
