import { parsed } from "../contract/answers.ts";
import type { LayoutProgress } from "../contract.generated.ts";
import { EngineError, LAYOUT_LOST } from "../contract/errors.ts";
import { nextRun } from "../contract/owners.ts";
import { nextBudget, rising } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** How a layout is followed and stopped. */
export interface LayoutOptions {
  /** Called with the part of the work that is done, rising from 0 to 1, at most every 50 ms and once at the end. */
  onProgress?: (fraction: number) => void;
  /** Stops the layout, which rejects with `ABORTED`, and frees what it holds. */
  signal?: AbortSignal;
}

/** A synthetic drawing of a network, for `applyLayout`. */
export interface LayoutResult {
  /** x0, y0, x1, y1 and so on by row of the module: y upwards, centred at the origin, longer side 1. */
  positions: Float64Array;
  /** Kilometres to one unit that `applyLayout` takes by itself. */
  default_scale_km: number;
}

/**
 * Lays a network out in short steps, between which other calls get their turn. A run that was lost because another call
 * brought the engine down starts over: equal modules give equal positions.
 */
export async function runLayout(
  transport: Transport,
  module: string,
  { onProgress, signal }: LayoutOptions = {},
): Promise<LayoutResult> {
  const tell = rising(onProgress);
  for (;;) {
    const run = nextRun();
    try {
      return await runOnce(transport, run, module, tell, signal);
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === LAYOUT_LOST) continue;
      // The engine may start or hold the run yet; it is freed after that. The first error is the one to tell.
      transport.request({ op: "layoutFree", run }).catch(() => undefined);
      throw error;
    }
  }
}

async function runOnce(
  transport: Transport,
  run: number,
  module: string,
  tell: (fraction: number) => void,
  signal: AbortSignal | undefined,
): Promise<LayoutResult> {
  await transport.request({ op: "layoutStart", run, module }, signal);
  let budget = 1;
  for (let done = false; !done;) {
    const answer = await transport.request({ op: "layoutStep", run, budget }, signal);
    const progress = parsed<LayoutProgress>(answer);
    done = progress.done;
    if (!done) tell(progress.fraction);
    budget = nextBudget(budget, answer.ms);
  }
  const answer = await transport.request({ op: "layoutFinish", run }, signal);
  tell(1);
  return { positions: answer.positions as Float64Array, ...parsed<{ default_scale_km: number }>(answer) };
}
