import { parsed } from "../contract/answers.ts";
import type { LayoutHead } from "../contract.generated.ts";
import { runJob } from "./job.ts";
import { rising } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Options of a layout. */
export interface LayoutOptions {
  /** Called with the fraction that is done, from 0 to 1, at most every 50 ms and once at the end. */
  onProgress?: (fraction: number) => void;
  /** Stops the layout, which rejects with `ABORTED`, and frees its memory. */
  signal?: AbortSignal;
}

/** A synthetic layout of a network, for `applyLayout`. */
export interface LayoutResult {
  /** x0, y0, x1, y1 and so on by row of the module: y upwards, centred at the origin, with a longer side of 1. */
  positions: Float64Array;
  /** Kilometres per unit that `applyLayout` uses by default. */
  default_scale_km: number;
}

/** Computes a layout in short steps. Equal modules give equal positions. */
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
