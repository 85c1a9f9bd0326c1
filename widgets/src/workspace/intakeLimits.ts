import type { FileOutcome } from "./outcomes.ts";

/** A file that is dropped or chosen; a DOM `File` is one. */
export interface IntakeFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Files of one batch. */
export const MOST_FILES = 32;

/** Bytes of one file and of one batch: 128 MiB. */
export const MOST_BYTES = 128 * 1024 * 1024;

const MIB = 1024 * 1024;

/**
 * The outcomes of a batch that is refused before anything of it is read: more than 32 files, a file or a total above 128 MiB.
 * Null for a batch within the limits.
 */
export function refuseBatch(files: readonly IntakeFile[]): FileOutcome[] | null {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const large = files.find(({ size }) => size > MOST_BYTES);
  let why: [code: string, sentence: string];
  if (files.length > MOST_FILES) {
    why = ["INPUT.TOO_MANY", `${files.length} files are more than the ${MOST_FILES} that one batch may have.`];
  } else if (large !== undefined) {
    why = ["INPUT.TOO_LARGE", `${large.name} has ${mib(large.size)}; a file may have ${mib(MOST_BYTES)}.`];
  } else if (total > MOST_BYTES) {
    why = ["INPUT.TOO_LARGE", `Together the files have ${mib(total)}; a batch may have ${mib(MOST_BYTES)}.`];
  } else {
    return null;
  }
  const [code, reason] = why;
  const sentence = `${reason} None of the batch was read.`;
  return files.map(({ name }) => ({ name, outcome: "refused", sentence, code, notes: [] }));
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(bytes % MIB === 0 ? 0 : 1)} MiB`;
}
