// Series: many exact solves of a study, a few steps per call, so that other calls run in between.
import { parsed } from "../contract/answers.ts";
import type { Column, ColumnName, ElementKey, SeriesHead, SeriesSpec, SeriesStep } from "../contract.generated.ts";
import { EngineError, JOB_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import { atMost, nextBudget, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** The steps of a series. All other edits are as committed. */
export interface SeriesRequest {
  /** Buses whose demand changes, by id or uid. */
  buses?: readonly ElementKey[];
  /** Branches whose rating changes, by id or uid. */
  branches?: readonly ElementKey[];
  /**
   * Changes from the base case of each element, buses first, step by step: MW, or MVA for ratings of the relaxation.
   */
  changesMw: Float64Array;
  /** Columns to return for each step. */
  columns: readonly ColumnName[];
}

/** Progress of a series. */
export interface SeriesProgress {
  /** Number of completed steps, failed ones included. */
  solved: number;
  total: number;
}

/** Options of a series. */
export interface SeriesOptions {
  /** Called at most every 50 ms and once at the end, with the result so far; completed steps do not change. */
  onProgress?: (progress: SeriesProgress, sofar: SeriesResult) => void;
  /** Stops the series, which rejects with `ABORTED`, and frees its memory. */
  signal?: AbortSignal | undefined;
  /** Ends the series after the completed steps. */
  enough?: AbortSignal | undefined;
}

/** Steps of a series, in order. */
export interface SeriesResult {
  /**
   * For each step objective, hash and certificate, or its error. A series that ended early has the first steps only.
   */
  steps: readonly SeriesStep[];
  /**
   * Columns of all steps: the rows of the first step, then those of the second, and so on; NaN in steps that failed or
   * are not solved yet.
   */
  columns: readonly Column[];
}

/**
 * The study's side of a series: `start` sends the first call; `changes` counts commits, after which a lost series
 * cannot continue.
 */
export interface SeriesControl {
  study: number;
  start: (call: Call) => Promise<unknown>;
  changes: () => number;
}

/**
 * Solves all steps in order, in calls of a few milliseconds. A series that was lost because another call crashed the
 * engine continues after its last completed step.
 */
export async function runSeries(
  transport: Transport,
  { buses = [], branches = [], changesMw, columns }: SeriesRequest,
  { onProgress, signal, enough }: SeriesOptions,
  { study, start, changes }: SeriesControl,
): Promise<SeriesResult> {
  const spec: SeriesSpec = { buses: [...buses], branches: [...branches], columns: [...columns] };
  const width = Math.max(1, buses.length + branches.length);
  const ids = { run: nextRun(), study };
  const begin = () => start({ op: "seriesStart", ...ids, spec: JSON.stringify(spec) });
  const found = new GatheredSteps(Math.ceil(changesMw.length / width));
  const tell = atMost<SeriesProgress>(PROGRESS_MS, (progress) => onProgress?.(progress, found.result));
  const begun = changes();
  try {
    await begin();
    let budget = 1;
    while (found.solved < found.total && enough?.aborted !== true) {
      // Posting a part of an array would copy the whole array.
      const block = changesMw.slice(found.solved * width, (found.solved + budget) * width);
      const answer = await transport
        .request({ op: "seriesSolve", ...ids, changes: block }, signal)
        .catch(async (error: unknown) => {
          if (!(error instanceof EngineError) || error.code !== JOB_LOST || changes() !== begun) throw error;
          await begin();
          return null;
        });
      if (answer === null) continue;
      found.add(answer);
      tell({ solved: found.solved, total: found.total }, found.solved === found.total);
      budget = nextBudget(budget, answer.ms);
    }
  } finally {
    transport.request({ op: "seriesFree", ...ids }).catch(() => undefined); // the first error is the one to report
  }
  return found.result;
}

/** Joins the blocks of consecutive steps. */
class GatheredSteps {
  readonly total: number;
  readonly #steps: SeriesStep[] = [];
  #columns: Column[] | undefined;

  constructor(total: number) {
    this.total = total;
  }

  get solved(): number {
    return this.#steps.length;
  }

  get result(): SeriesResult {
    return { steps: [...this.#steps], columns: this.#columns ?? [] };
  }

  add(answer: Answer): void {
    const { steps } = parsed<SeriesHead>(answer);
    const block = answer.columns ?? [];
    this.#columns ??= block.map((column) => ({
      ...column,
      values: new Float64Array((column.values.length / steps.length) * this.total).fill(NaN),
    }));
    block.forEach(({ values }, k) => {
      this.#columns?.[k]?.values.set(values, (values.length / steps.length) * this.solved);
    });
    this.#steps.push(...steps);
  }
}
