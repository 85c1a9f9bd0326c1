import { parsed } from "../contract/answers.ts";
import type { Explanation, ExplainStep } from "../contract.generated.ts";
import { EngineError, EXPLANATION_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import { nextBudget, PROGRESS_MS } from "./steps.ts";
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

/** Steps of a run; `study` is the one that it belongs to, whose worker it is in. */
interface Run {
  start: Call;
  run: number;
  study?: number;
}

/**
 * Looks for what contradicts and the minimum relaxation in short steps, between which other calls get their turn. `begin` makes the
 * call that starts a run, `send` sends it. A run that was lost with the engine starts over. Null where there is a solution.
 */
export async function runExplaining(
  transport: Transport,
  begin: (run: number) => { start: Call; study?: number },
  send: (start: Call, signal: AbortSignal | undefined) => Promise<unknown>,
  options: ExplainOptions = {},
): Promise<Explanation | null> {
  const tell = follow(options.onProgress);
  const until = performance.now() + (options.budgetMs ?? Infinity);
  for (;;) {
    const run = nextRun();
    const { start, study } = begin(run);
    const made: Run = { start, run, ...(study !== undefined && { study }) };
    try {
      await send(start, options.signal);
      return await steps(transport, made, options, until, tell);
    } catch (error) {
      if (error instanceof EngineError && error.code === EXPLANATION_LOST) continue;
      throw error;
    } finally {
      // The engine may start or hold the run yet; it is freed after that.
      transport.request({ op: "explainFree", ...idOf(made) }).catch(() => undefined);
    }
  }
}

async function steps(
  transport: Transport,
  run: Run,
  { signal, enough }: ExplainOptions,
  until: number,
  tell: (progress: ExplainProgress, done: boolean) => void,
): Promise<Explanation | null> {
  let budget = 1;
  for (;;) {
    if (enough?.aborted || performance.now() >= until) {
      return parsed<Explanation | null>(await transport.request({ op: "explainStop", ...idOf(run) }, signal));
    }
    const answer: Answer = await transport.request({ op: "explainStep", ...idOf(run), budget }, signal);
    const { done, fraction, at_least_mw, explanation } = parsed<ExplainStep>(answer);
    tell({ fraction, at_least_mw }, done);
    if (done) return explanation;
    budget = nextBudget(budget, answer.ms);
  }
}

function idOf({ run, study }: Run): { run: number; study?: number } {
  return study === undefined ? { run } : { run, study };
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
