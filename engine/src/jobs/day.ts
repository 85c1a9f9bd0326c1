// Days: many hours of a study as one program.
import { parsed } from "../contract/answers.ts";
import type { Column, DayHead, DaySpec } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import { atMost, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** The elements of a day, and their values. All other edits are as committed. */
export interface DayRequest extends Partial<DaySpec> {
  steps: number;
  /**
   * One value for each element and step, step by step: changes of demand of `buses` and of ratings of `branches` from the
   * base case, MW; availability of `generators`, 0 to 1; inflow of the storage units of `inflow`, MW.
   */
  values: Float64Array;
}

/** Progress of a day. */
export interface DayProgress {
  /** Estimated fraction of the work that is done, from 0 to 1. */
  fraction: number;
}

/** Options of a day. */
export interface DayOptions {
  /** Called at most every 50 ms and once at the end. */
  onProgress?: (progress: DayProgress) => void;
  /** Cancels the solve, which rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

/** A solved day. */
export interface DayResult extends DayHead {
  /** Columns of all steps: the rows of the first step, then those of the second, and so on. */
  columns: readonly Column[];
}

/** Solves a day of `study`; `start` sends the first call. */
export async function runDay(
  transport: Transport,
  { values, ...spec }: DayRequest,
  { onProgress, signal }: DayOptions,
  { study, start }: Required<Pick<JobControl, "study" | "start">>,
): Promise<DayResult> {
  const tell = atMost(PROGRESS_MS, onProgress);
  const answer = await runJob(
    transport,
    { kind: "day", spec: JSON.stringify(spec), values },
    { study, start, signal, onStep: ({ fraction, done }) => tell({ fraction }, done) },
  );
  return { ...parsed<DayHead>(answer), columns: answer.columns ?? [] };
}
