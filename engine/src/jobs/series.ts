// Series: many exact solves of a study, a few steps a call, so that other calls get their turn between them.
import { parsed } from "../contract/answers.ts";
import type { Column, ColumnName, ElementKey, SeriesHead, SeriesSpec, SeriesStep } from "../contract.generated.ts";
import { EngineError, JOB_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import { atMost, nextBudget, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** What a series is over; all other edits are those committed. */
export interface SeriesRequest {
  /** Whose demand each step gives, by id or uid. */
  buses?: readonly ElementKey[];
  /** Whose rating each step gives. */
  branches?: readonly ElementKey[];
  /** Changes from the base case of each element, buses first, step by step: MW, of ratings of the relaxation MVA. */
  changesMw: Float64Array;
  /** Columns wanted of each step. */
  columns: readonly ColumnName[];
}

/** How far a series is. */
export interface SeriesProgress {
  /** Steps that are solved, those that failed among them. */
  solved: number;
  total: number;
}

/** How a series is followed, ended and stopped. */
export interface SeriesOptions {
  /** Called at most every 50 ms and once at the end, with what there is so far: its numbers stay what they are. */
  onProgress?: (progress: SeriesProgress, sofar: SeriesResult) => void;
  /** Stops the series, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal | undefined;
  /** Ends it with the steps that are solved. */
  enough?: AbortSignal | undefined;
}

/** Steps of a series, in order. */
export interface SeriesResult {
  /** Of each step objective, hash and certificate, or its error. A series that was ended early has the first steps. */
  steps: readonly SeriesStep[];
  /** Their numbers, the rows of the first step, then those of the second, and so on; NaN in steps that failed and are not solved yet. */
  columns: readonly Column[];
}

/** What a series needs of its study: `start` sends the first call, `changes` counts commits, after which a lost series cannot go on. */
export interface SeriesControl {
  study: number;
  start: (call: Call) => Promise<unknown>;
  changes: () => number;
}

/** Solves all steps in order, in calls of some milliseconds. One that was lost because another call brought the engine down goes on where it was. */
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
      // Posting part of an array would copy all of it.
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
    transport.request({ op: "seriesFree", ...ids }).catch(() => undefined); // the first error is the one to tell
  }
  return found.result;
}

/** Blocks of steps put one after the other. */
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
