import { parsed } from "../contract/answers.ts";
import type { Explanation } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { JobSpec } from "../contract/protocol.ts";
import { PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Progress of the search for the minimum relaxation. */
export interface ExplainProgress {
  /** Estimated fraction of the search that is done, from 0 to 1, never falling. */
  fraction: number;
  /** Verified lower bound of the minimum relaxation, MW, never falling. */
  at_least_mw: number;
}

/** Options of the search for the minimum relaxation. */
export interface ExplainOptions {
  /** Called at most every 50 ms and once at the end. */
  onProgress?: (progress: ExplainProgress) => void;
  /** Stops the search, which rejects with `ABORTED`, and frees its memory. */
  signal?: AbortSignal | undefined;
  /**
   * Ends the search with the best relaxation so far, which is checked like any other: `is_least` is false, and its gap
   * is given.
   */
  enough?: AbortSignal | undefined;
  /** Ends the search in the same way after this wall time, ms. */
  budgetMs?: number;
}

/**
 * Searches for conflicting limits and the minimum relaxation in short steps. `start` sends the first call; `study` is
 * the study to which the edits in `what` belong. Null if a solution exists.
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

/**
 * Passes on rising progress, at a limited rate. After a restart nothing is passed on until the new run is further than
 * the old one.
 */
function follow(onProgress: ExplainOptions["onProgress"]): (progress: ExplainProgress, done: boolean) => void {
  const highest = { fraction: 0, at_least_mw: 0 };
  let reportedMs = -Infinity;
  return ({ fraction, at_least_mw }, done) => {
    highest.fraction = Math.max(highest.fraction, fraction);
    highest.at_least_mw = Math.max(highest.at_least_mw, at_least_mw);
    const now = performance.now();
    if (!onProgress || (!done && now - reportedMs < PROGRESS_MS)) return;
    reportedMs = now;
    onProgress({ ...highest });
  };
}
