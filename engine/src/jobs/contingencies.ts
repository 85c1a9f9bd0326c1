import type { ContingencyRow, ScreeningOptions } from "../contract.generated.ts";
import { runJob } from "./job.ts";
import type { Call } from "../contract/protocol.ts";
import { rising } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Options of a screening: the outages, progress and cancellation. */
export interface ContingencyOptions extends ScreeningOptions {
  /** Called with the fraction of outages that are done, from 0 to 1, at most every 50 ms and once at the end. */
  onProgress?: (fraction: number) => void;
  /** Stops the screening, which rejects with `ABORTED`, and frees its memory. */
  signal?: AbortSignal;
}

/** Screens single outages of a study in short steps, in the state at its start. `start` sends the first call. */
export async function runContingencies(
  transport: Transport,
  study: number,
  start: (call: Call) => Promise<unknown>,
  { onProgress, signal, ...options }: ContingencyOptions = {},
): Promise<ContingencyRow[]> {
  const tell = rising(onProgress);
  const rows: ContingencyRow[] = [];
  await runJob(
    transport,
    { kind: "screening", options: JSON.stringify(options) },
    {
      study,
      start,
      signal,
      onStart: () => void (rows.length = 0),
      onStep: ({ rows: more = [], fraction }) => {
        for (const row of more) rows.push(row);
        tell(fraction);
      },
    },
  );
  return rows;
}
