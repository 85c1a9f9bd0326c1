import { parsed } from "../contract/answers.ts";
import type { Loadability } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import { atMost, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Progress of a loadability search. */
export interface LoadabilityProgress {
  /** Estimated fraction of the work that is done, from 0 to 1. */
  fraction: number;
  /** Largest growth so far for which a solution exists, MW. */
  at_mw: number;
}

/** Options of a loadability search. */
export interface LoadabilityOptions {
  /** Called at most every 50 ms and once at the end. */
  onProgress?: (progress: LoadabilityProgress) => void;
  /** Cancels the search, which rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

/** Increases a demand of `study` until voltages collapse; `start` sends the first call. */
export async function runLoadability(
  transport: Transport,
  target: string,
  { onProgress, signal }: LoadabilityOptions,
  { study, start }: Required<Pick<JobControl, "study" | "start">>,
): Promise<Loadability> {
  const tell = atMost(PROGRESS_MS, onProgress);
  const answer = await runJob(
    transport,
    { kind: "loadability", target },
    { study, start, signal, onStep: ({ fraction, at_mw = 0, done }) => tell({ fraction, at_mw }, done) },
  );
  return parsed<Loadability>(answer);
}
