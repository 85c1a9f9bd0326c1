import { costsNotice } from "../cases/assumedCosts.ts";
import { OpenedCase } from "../cases/openedCase.ts";
import { trans } from "../../text/index.ts";
import { type BatchFiles, coded } from "./batchFiles.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import type { IntakeHost, IntakeTarget } from "./intakeHost.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { Read } from "./intakeReads.ts";

/** A table of costs of a batch. */
export interface CostTable {
  file: IntakeFile;
  bytes: Uint8Array;
}

/**
 * Takes the tables of costs of a batch: for its cases, in whose place come those with costs, or for the case in front. `noCase` says
 * why there is none.
 */
export async function takeCosts(
  tables: readonly CostTable[],
  told: BatchFiles,
  reads: Read[],
  targets: () => Promise<readonly IntakeTarget[]>,
  host: IntakeHost,
  noCase: string,
): Promise<void> {
  for (const { file, bytes } of tables) {
    await told.attemptRead(file, async () => {
      const front = await targets();
      const said = await unlessCancelled(priceCases(bytes, reads, front, host, told.signal), told.signal);
      if (said === null) {
        throw coded("INPUT.NO_CASE", trans.__("A table of costs. %1", noCase));
      }
      told.say(file, "costs", said);
    });
  }
}

/**
 * Assumes the costs of a CSV file for the cases of a batch, which are then opened with them, or without any for the case in front,
 * of which a case of its own is opened. What to say of it; null where there is no case. Rejects with `COST.MALFORMED` and the like:
 * then no case was changed.
 */
async function priceCases(
  table: Uint8Array,
  reads: Read[],
  front: readonly IntakeTarget[],
  host: IntakeHost,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const priced: [row: number, read: Read][] = [];
  for (const [row, read] of reads.entries()) {
    if (read.priced !== undefined) {
      priced.push([row, await read.priced(table, signal)]);
    }
  }
  if (priced.length > 0) {
    for (const [row, read] of priced) {
      reads[row]?.forget();
      reads[row] = read;
    }
    return priced.map(([, { target }]) => said(target)).join(" ");
  }
  const case_ = reads.length === 0 ? front.find((target) => target instanceof OpenedCase) : undefined;
  if (case_ === undefined) {
    return null;
  }
  const { opened } = await host.openPriced(case_, table, { signal });
  return trans.__("Opened %1, a case of its own. %2", opened.name, costsNotice(opened.ingested) ?? "");
}

function said(target: IntakeTarget): string {
  return target instanceof OpenedCase ? (costsNotice(target.ingested) ?? "") : "";
}
