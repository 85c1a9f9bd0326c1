import type { Call } from "./protocol.ts";

/**
 * The owner of the objects that a call uses: a study, or a run without a study. Calls of one owner go to one worker, in
 * order. Undefined for a call that uses no object of the engine.
 */
export function ownerOf(call: Call): string | undefined {
  if ("study" in call && call.study !== undefined) return `study ${call.study}`;
  if ("feeder" in call) return `feeder ${call.feeder}`;
  if ("run" in call) return `run ${call.run}`;
  return "owner" in call ? call.owner : undefined;
}

/** The purposes of workers: files, modules and layouts; Studies and jobs of their length; multiconductor feeders. */
export type Purpose = "files" | "studies" | "feeders";

/** The purpose of the workers that serve a call. */
export function purposeOf(call: Call): Purpose {
  if (call.op.startsWith("mc")) return "feeders";
  if (call.op === "jobStart" && call.what.kind === "explanationOfModule") return "studies";
  if (call.op === "inspectModule" && call.sha256 !== undefined) return "studies";
  return "study" in call && call.study !== undefined ? "studies" : "files";
}

/** Whether the owner holds nothing in the engine after this call. True for the end of a job without a study. */
export function isLast(call: Call): boolean {
  if (call.op === "jobFinish" || call.op === "jobFree") return call.study === undefined;
  return call.op === "free" || call.op === "mcFree";
}

/** Whether a call only frees memory, so that it has no effect without an instance. */
export function onlyFrees({ op }: Call): boolean {
  return op === "free" || op === "mcFree" || op === "jobFree" || op === "seriesFree" || op === "leave";
}

let runs = 0;

/** An id for a job or a series. */
export function nextRun(): number {
  return (runs += 1);
}
