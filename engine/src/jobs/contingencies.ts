import { parsed } from "../contract/answers.ts";
import type { ContingencyRow, ContingencyStep } from "../contract.generated.ts";
import { CONTINGENCIES_LOST, EngineError } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import { nextBudget, rising } from "./steps.ts";
import type { Answer } from "../contract/protocol.ts";
import type { Transport } from "../transport/transport.ts";

/** How a screening is followed and stopped. */
export interface ContingencyOptions {
  /** Called with the part of the outages that is done, rising from 0 to 1, at most every 50 ms and once at the end. */
  onProgress?: (fraction: number) => void;
  /** Stops the screening, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal;
}

/**
 * Screens every single outage in short steps, between which other calls get their turn. `start` begins a run in
 * the engine; the run keeps the state it was started with. One that was lost with the engine starts over.
 */
export async function runContingencies(
  transport: Transport,
  study: number,
  start: (run: number) => Promise<unknown>,
  { onProgress, signal }: ContingencyOptions = {},
): Promise<ContingencyRow[]> {
  const tell = rising(onProgress);
  for (;;) {
    const run = nextRun();
    const release = () => void transport.request({ op: "contingenciesFree", run, study }).catch(() => undefined);
    try {
      await start(run);
      const step = (budget: number) => transport.request({ op: "contingenciesStep", run, study, budget }, signal);
      const rows = await steps(step, tell);
      release();
      return rows;
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === CONTINGENCIES_LOST) continue;
      release(); // the engine may start or hold the run yet; it is freed after that
      throw error;
    }
  }
}

async function steps(
  step: (budget: number) => Promise<Answer>,
  tell: (fraction: number) => void,
): Promise<ContingencyRow[]> {
  const rows: ContingencyRow[] = [];
  let budget = 1;
  for (;;) {
    const answer = await step(budget);
    const { rows: more, fraction, done } = parsed<ContingencyStep>(answer);
    for (const row of more) rows.push(row);
    tell(fraction);
    if (done) return rows;
    budget = nextBudget(budget, answer.ms);
  }
}
