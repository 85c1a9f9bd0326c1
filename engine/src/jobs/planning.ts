import { parsed } from "../contract/answers.ts";
import type { CapacityPlanOutcomeJson, CapacityPlanTrial } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { Transport } from "../transport/transport.ts";

/** How a plan is followed. */
export interface PlanOptions {
  /** Called with each trial once its exact solve is over. */
  onTrial?: (trial: CapacityPlanTrial) => void;
}

/**
 * Plans capacity on the committed state of `study`, a trial at a time; `start` sends the first call. Where `signal` ends it, what is
 * left is the best candidate so far, with the trials that are done.
 */
export async function runPlanning(
  transport: Transport,
  spec: string,
  { onTrial }: PlanOptions,
  signal: AbortSignal | undefined,
  { study, start }: Required<Pick<JobControl, "study" | "start">>,
): Promise<CapacityPlanOutcomeJson> {
  let told = 0;
  let seen = 0;
  const answer = await runJob(
    transport,
    { kind: "plan", spec },
    {
      study,
      start,
      onStart: () => void (seen = 0),
      // A plan that starts over solves the same trials again.
      onStep: ({ trials = [] }) => {
        for (const trial of trials) {
          seen += 1;
          if (seen <= told) continue;
          told = seen;
          onTrial?.(trial);
        }
      },
      isEnough: () => signal?.aborted === true,
    },
  );
  return parsed<CapacityPlanOutcomeJson>(answer);
}
