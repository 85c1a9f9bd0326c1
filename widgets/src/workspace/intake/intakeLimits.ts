import type { FileOutcome } from "./fileOutcomes.ts";
import { trans } from "../../text/index.ts";

/** A dropped or chosen file; a DOM `File` is one. */
export interface IntakeFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** True for a file of the server; others are on the user's computer. */
  readonly onServer?: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Maximum number of files in a batch. */
export const MOST_FILES = 32;

/** Maximum size of one file and of one batch: 128 MiB. */
export const MOST_BYTES = 128 * 1024 * 1024;

const MIB = 1024 * 1024;

/**
 * The outcomes of a batch that is refused before anything is read: more than 32 files, or a file or a total above 128
 * MiB. Null for a batch within the limits.
 */
export function refuseBatch(files: readonly IntakeFile[]): FileOutcome[] | null {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const large = files.find(({ size }) => size > MOST_BYTES);
  let why: [code: string, sentence: string];
  if (files.length > MOST_FILES) {
    why = [
      "INPUT.TOO_MANY",
      trans.__("%1 files are more than the %2 that one batch may have.", files.length, MOST_FILES),
    ];
  } else if (large !== undefined) {
    why = ["INPUT.TOO_LARGE", trans.__("%1 has %2; a file may have %3.", large.name, mib(large.size), mib(MOST_BYTES))];
  } else if (total > MOST_BYTES) {
    why = [
      "INPUT.TOO_LARGE",
      trans.__("Together the files have %1; a batch may have %2.", mib(total), mib(MOST_BYTES)),
    ];
  } else {
    return null;
  }
  const [code, reason] = why;
  const sentence = trans.__("%1 None of the batch was read.", reason);
  return files.map(({ name }) => ({ name, outcome: "refused", sentence, code, notes: [] }));
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(bytes % MIB === 0 ? 0 : 1)} MiB`;
}
