import { costsNotice } from "../cases/assumedCosts.ts";
import { OpenedCase } from "../cases/openedCase.ts";
import { trans } from "../../text/index.ts";
import { type BatchFiles, coded } from "./batchFiles.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import type { IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { Read } from "./intakeReads.ts";

/** A table of costs of a batch. */
export interface CostTable {
  file: IntakeFile;
  bytes: Uint8Array;
}

/**
 * Takes the tables of costs of a batch: for its cases, which are replaced by cases with costs, or for the case in front. `noCase` is
 * the reason in words where there is no case.
 */
export async function takeCosts(
  tables: readonly CostTable[],
  batch: BatchFiles,
  reads: Read[],
  targets: () => Promise<readonly IntakeTarget[]>,
  workspace: IntakeWorkspace,
  noCase: string,
): Promise<void> {
  for (const { file, bytes } of tables) {
    await batch.attemptRead(file, async () => {
      const front = await targets();
      const sentence = await unlessCancelled(priceCases(bytes, reads, front, workspace, batch.signal), batch.signal);
      if (sentence === null) {
        throw coded("INPUT.NO_CASE", trans.__("A table of costs. %1", noCase));
      }
      batch.say(file, "costs", sentence);
    });
  }
}

/**
 * Assumes the costs of a CSV file for the cases of a batch, which are then opened with them, or without any for the case in front,
 * of which a new case is opened. Gives a sentence about it; null where there is no case. Rejects with `COST.MALFORMED` and the like:
 * then no case was changed.
 */
async function priceCases(
  table: Uint8Array,
  reads: Read[],
  front: readonly IntakeTarget[],
  workspace: IntakeWorkspace,
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
    return priced.map(([, { target }]) => noticeOf(target)).join(" ");
  }
  const case_ = reads.length === 0 ? front.find((target) => target instanceof OpenedCase) : undefined;
  if (case_ === undefined) {
    return null;
  }
  const { opened } = await workspace.openPriced(case_, table, { signal });
  return trans.__("Opened %1, a case of its own. %2", opened.name, costsNotice(opened.ingested) ?? "");
}

function noticeOf(target: IntakeTarget): string {
  return target instanceof OpenedCase ? (costsNotice(target.ingested) ?? "") : "";
}
