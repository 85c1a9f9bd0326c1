import { parsed } from "../contract/answers.ts";
import type { LayoutHead } from "../contract.generated.ts";
import { runJob } from "./job.ts";
import { rising } from "./steps.ts";
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

/** Lays a network out in short steps. Equal modules give equal positions. */
export async function runLayout(
  transport: Transport,
  module: string,
  { onProgress, signal }: LayoutOptions = {},
): Promise<LayoutResult> {
  const tell = rising(onProgress);
  const onStep = ({ done, fraction }: { done: boolean; fraction: number }) => {
    if (!done) tell(fraction);
  };
  const answer = await runJob(transport, { kind: "layout", module }, { signal, onStep });
  tell(1);
  const [x = new Float64Array(), y = x] = (answer.columns ?? []).map(({ values }) => values);
  const positions = new Float64Array(2 * x.length);
  x.forEach((value, row) => {
    positions[2 * row] = value;
    positions[2 * row + 1] = y[row] as number;
  });
  return { positions, ...parsed<LayoutHead>(answer) };
}
