// Jobs: long work that is started, continued in steps between which other calls run, and then cancelled or finished.
import { parsed } from "../contract/answers.ts";
import type { JobStep } from "../contract.generated.ts";
import { EngineError, JOB_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import type { Answer, Call, JobSpec } from "../contract/protocol.ts";
import { nextBudget } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Options of a job. */
export interface JobControl {
  /** The study of the job. */
  study?: number;
  /** Sends the call that starts the job; by default through the transport. */
  start?: (call: Call) => Promise<unknown>;
  /** Called when the job starts, and again when it restarts. */
  onStart?: () => void;
  onStep?: (step: JobStep) => void;
  /** Cancels the job, which rejects with `ABORTED`, and frees its memory. */
  signal?: AbortSignal | undefined;
  /** Whether the result so far is sufficient. */
  isEnough?: () => boolean;
  /**
   * The result of the job in the engine: the path of a track or the state of a commit, which the study stores, or a new
   * study; by default nothing.
   */
  leaves?: "stored" | "study";
  /** Called before the job is finished. */
  onEnd?: () => void;
}

/**
 * Runs a job in short steps and returns its result with the total time of its calls. A job that was lost because
 * another call crashed the engine restarts.
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
      // The engine may still start or hold the job, which is then freed. The first error is the one to report.
      transport.request({ op: "jobFree", ...ids }).catch(() => undefined);
      throw error;
    }
  }
}

function ending(ids: { run: number; study?: number }, { leaves }: JobControl): Call {
  if (leaves === "study") return { op: "jobOpen", run: ids.run, study: ids.study as number };
  return { op: "jobFinish", ...ids, keep: leaves === "stored" };
}

/** Runs the steps; returns their time, ms. */
async function takeSteps(
  step: (budget: number) => Promise<Answer>,
  { onStep, isEnough }: Pick<JobControl, "onStep" | "isEnough">,
): Promise<number> {
  let [budget, ms] = [1, 0];
  while (!isEnough?.()) {
    const answer = await step(budget);
    const state = parsed<JobStep>(answer);
    ms += answer.ms;
    onStep?.(state);
    if (state.done) break;
    budget = nextBudget(budget, answer.ms);
  }
  return ms;
}
