import type { Diagnostic } from "../contract.generated.ts";
import type { Answer } from "./protocol.ts";

/** A case written as a file of another format. */
export interface ExportedFile {
  bytes: Uint8Array;
  /** File name with the extension of the format. */
  file_name: string;
  /** Data that the format cannot represent. */
  warnings: Diagnostic[];
}

/** The parsed JSON of an answer. */
export function parsed<T>(answer: Answer): T {
  return JSON.parse(answer.json as string) as T;
}

/** The exported file of an answer, with its warnings. */
export function exportedFile(answer: Answer): ExportedFile {
  return { bytes: answer.bytes as Uint8Array, ...parsed<Omit<ExportedFile, "bytes">>(answer) };
}
