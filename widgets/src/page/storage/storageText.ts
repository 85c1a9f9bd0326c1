import { errorText, trans } from "../../text/index.ts";

/** Why the browser cannot store the Study, in words. */
export function storageProblem(error: unknown): string {
  const name = error instanceof DOMException || error instanceof Error ? error.name : "";
  switch (name) {
    case "QuotaExceededError":
      return trans.__("the storage of this browser is full");
    case "SecurityError":
    case "InvalidStateError":
    case "ReferenceError":
      return trans.__("this browser does not let the page store anything");
    default:
      return errorText(error);
  }
}

/** A number of bytes for display. */
export function sizeText(bytes: number): string {
  return bytes < 1e6
    ? trans.__("%1 kB", Math.max(1, Math.round(bytes / 1e3)))
    : trans.__("%1 MB", (bytes / 1e6).toFixed(1));
}
