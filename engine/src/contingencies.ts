import { parsed } from "./answers.ts";
import type { ContingencyRow, ContingencyStep } from "./contract.generated.ts";
import { CONTINGENCIES_LOST, EngineError } from "./errors.ts";
import { nextBudget, rising } from "./steps.ts";
import type { Transport } from "./transport.ts";

/** How a screening is followed and stopped. */
export interface ContingencyOptions {
  /** Called with the part of the outages that is done, rising from 0 to 1, at most every 50 ms and once at the end. */
  onProgress?: (fraction: number) => void;
  /** Stops the screening, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal;
}

let lastRun = 0;

/**
 * Screens every single outage in short steps, between which other calls get their turn. `start` begins a run in
 * the engine; the run keeps the state it was started with. One that was lost with the engine starts over.
 */
export async function runContingencies(
  transport: Transport,
  start: (run: number) => Promise<unknown>,
  { onProgress, signal }: ContingencyOptions = {},
): Promise<ContingencyRow[]> {
  const tell = rising(onProgress);
  for (;;) {
    const run = ++lastRun;
    const release = () => void transport.request({ op: "contingenciesFree", run }).catch(() => undefined);
    try {
      await start(run);
      const rows = await steps(transport, run, tell, signal);
      release();
      return rows;
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === CONTINGENCIES_LOST) continue;
      // An engine that failed holds nothing any more. Otherwise it may start or hold the run yet; it is freed after that.
      if (code !== "INTERNAL") release();
      throw error;
    }
  }
}

async function steps(
  transport: Transport,
  run: number,
  tell: (fraction: number) => void,
  signal: AbortSignal | undefined,
): Promise<ContingencyRow[]> {
  const rows: ContingencyRow[] = [];
  let budget = 1;
  for (;;) {
    const answer = await transport.request({ op: "contingenciesStep", run, budget }, signal);
    const step = parsed<ContingencyStep>(answer);
    for (const row of step.rows) rows.push(row);
    tell(step.fraction);
    if (step.done) return rows;
    budget = nextBudget(budget, answer.ms);
  }
}
