import { parsed } from "../contract/answers.ts";
import type { Explanation } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { JobSpec } from "../contract/protocol.ts";
import { PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** How far the search for the minimum relaxation is. */
export interface ExplainProgress {
  /** Part of the search that is done, rising from 0 to 1: an estimate. */
  fraction: number;
  /** No relaxation of a smaller sum exists, MW: verified, and rising. */
  at_least_mw: number;
}

/** How the search for the minimum relaxation is followed, ended and stopped. */
export interface ExplainOptions {
  /** Called at most every 50 ms and once at the end. */
  onProgress?: (progress: ExplainProgress) => void;
  /** Stops the search, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal | undefined;
  /** Ends the search with the best relaxation so far: checked like any other, with `is_least` false and its gap. */
  enough?: AbortSignal | undefined;
  /** Ends it in the same way after so much wall time, ms. */
  budgetMs?: number;
}

/**
 * Looks for what contradicts and the minimum relaxation in short steps. `start` sends its first call; `study` is the one whose edits
 * `what` are. Null where there is a solution.
 */
export async function runExplaining(
  transport: Transport,
  what: JobSpec,
  { onProgress, signal, enough, budgetMs }: ExplainOptions = {},
  { study, start }: Pick<JobControl, "study" | "start"> = {},
): Promise<Explanation | null> {
  const tell = follow(onProgress);
  const until = performance.now() + (budgetMs ?? Infinity);
  const answer = await runJob(transport, what, {
    ...(study !== undefined && { study }),
    ...(start && { start }),
    signal,
    onStep: ({ fraction, at_least_mw = 0, done }) => tell({ fraction, at_least_mw }, done),
    isEnough: () => enough?.aborted === true || performance.now() >= until,
  });
  return parsed<Explanation | null>(answer);
}

/** Passes on what rises, not too often; a run that starts over says nothing until it is further than the one before. */
function follow(onProgress: ExplainOptions["onProgress"]): (progress: ExplainProgress, done: boolean) => void {
  const highest = { fraction: 0, at_least_mw: 0 };
  let told = -Infinity;
  return ({ fraction, at_least_mw }, done) => {
    highest.fraction = Math.max(highest.fraction, fraction);
    highest.at_least_mw = Math.max(highest.at_least_mw, at_least_mw);
    const now = performance.now();
    if (!onProgress || (!done && now - told < PROGRESS_MS)) return;
    told = now;
    onProgress({ ...highest });
  };
}
