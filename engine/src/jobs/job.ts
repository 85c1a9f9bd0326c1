// Long work as jobs: started, taken on in steps between which other calls get their turn, cancelled or finished.
import { parsed } from "../contract/answers.ts";
import type { JobStep } from "../contract.generated.ts";
import { EngineError, JOB_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import type { Answer, Call, JobSpec } from "../contract/protocol.ts";
import { nextBudget } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** How a job is followed and ended. */
export interface JobControl {
  /** The study that it is of. */
  study?: number;
  /** Sends the call that starts it; by itself the transport does. */
  start?: (call: Call) => Promise<unknown>;
  /** Called when it starts, and again when it starts over. */
  onStart?: () => void;
  onStep?: (step: JobStep) => void;
  /** Cancels the job, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal | undefined;
  /** Whether what there is of it is enough. */
  isEnough?: () => boolean;
  /** What becomes of it: nothing, or what the study keeps of a track or a commit, or the study itself. */
  leaves?: "kept" | "study";
  /** Called before its end is asked for. */
  onEnd?: () => void;
}

/**
 * Runs a job in short steps to its end and gives its result, with the time of all its calls. One that was lost because another call
 * brought the engine down starts over.
 */
export async function runJob(transport: Transport, what: JobSpec, control: JobControl): Promise<Answer> {
  const { study, signal, start = (call) => transport.request(call, signal) } = control;
  for (;;) {
    const ids = { run: nextRun(), ...(study !== undefined && { study }) };
    try {
      await start({ op: "jobStart", ...ids, what });
      control.onStart?.();
      const ms = await takeSteps((budget) => transport.request({ op: "jobStep", ...ids, budget }, signal), control);
      control.onEnd?.();
      const answer = await transport.request(ending(ids, control), signal);
      return { ...answer, ms: ms + answer.ms };
    } catch (error) {
      if (error instanceof EngineError && error.code === JOB_LOST) continue;
      // The engine may start or hold the job yet; it is freed after that. The first error is the one to tell.
      transport.request({ op: "jobFree", ...ids }).catch(() => undefined);
      throw error;
    }
  }
}

function ending(ids: { run: number; study?: number }, { leaves }: JobControl): Call {
  if (leaves === "study") return { op: "jobOpen", run: ids.run, study: ids.study as number };
  return { op: "jobFinish", ...ids, keep: leaves === "kept" };
}

/** Takes the steps, and gives the time that they took, ms. */
async function takeSteps(
  step: (budget: number) => Promise<Answer>,
  { onStep, isEnough }: Pick<JobControl, "onStep" | "isEnough">,
): Promise<number> {
  let [budget, ms] = [1, 0];
  while (!isEnough?.()) {
    const answer = await step(budget);
    const told = parsed<JobStep>(answer);
    ms += answer.ms;
    onStep?.(told);
    if (told.done) break;
    budget = nextBudget(budget, answer.ms);
  }
  return ms;
}
