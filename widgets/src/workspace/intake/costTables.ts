import { costsNotice } from "../cases/assumedCosts.ts";
import { OpenedCase } from "../cases/openedCase.ts";
import { trans } from "../../text/index.ts";
import { type BatchFiles, coded } from "./batchFiles.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import type { IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { Read } from "./intakeReads.ts";

/** A cost table in a batch. */
export interface CostTable {
  file: IntakeFile;
  bytes: Uint8Array;
}

/**
 * Applies the cost tables of a batch to its cases, which are replaced by cases with costs, or to the one in front.
 * `noCase` is the reason why there is no case.
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
 * Assumes the costs of a CSV file for the cases of the batch before they are opened; without a case in the batch they are
 * edits of the one in front, or with constant terms those of a new case made from it. Returns a sentence; null where there is no case. Rejects with `COST.MALFORMED` and
 * similar, and then changes no case.
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
  const { opened } = await workspace.giveCosts(case_, table, { signal });
  if (opened.geography === case_.geography) {
    return trans.__("The costs of %1 are those of the file, as one change of the Study.", opened.name);
  }
  return trans.__("Opened %1, a case of its own. %2", opened.name, costsNotice(opened.ingested) ?? "");
}

function noticeOf(target: IntakeTarget): string {
  return target instanceof OpenedCase ? (costsNotice(target.ingested) ?? "") : "";
}
