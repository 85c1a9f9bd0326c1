import type { Call } from "./protocol.ts";

/**
 * Whose objects in the engine a call is about: a study, or a run that belongs to none. Calls of one owner go to one worker, in
 * order. Undefined for a call that needs nothing of what the engine keeps.
 */
export function ownerOf(call: Call): string | undefined {
  if ("study" in call && call.study !== undefined) return `study ${call.study}`;
  if ("feeder" in call) return `feeder ${call.feeder}`;
  if ("run" in call) return `run ${call.run}`;
  return "owner" in call ? call.owner : undefined;
}

/** What workers are for: files, modules and layouts; Studies, and work as long; multiconductor feeders. */
export type Purpose = "files" | "studies" | "feeders";

/** The workers that a call goes to. */
export function purposeOf(call: Call): Purpose {
  if (call.op.startsWith("mc")) return "feeders";
  if (call.op === "jobStart" && call.what.kind === "explanationOfModule") return "studies";
  if (call.op === "inspectModule" && call.sha256 !== undefined) return "studies";
  return "study" in call && call.study !== undefined ? "studies" : "files";
}

/** Whether an owner holds nothing in the engine after this call: of a job that belongs to no study, its end. */
export function isLast(call: Call): boolean {
  if (call.op === "jobFinish" || call.op === "jobFree") return call.study === undefined;
  return call.op === "free" || call.op === "mcFree";
}

/** Calls that only give memory back: without an instance there is nothing to do. */
export function onlyFrees({ op }: Call): boolean {
  return op === "free" || op === "mcFree" || op === "jobFree" || op === "seriesFree" || op === "leave";
}

let runs = 0;

/** An id for a job or a series. */
export function nextRun(): number {
  return (runs += 1);
}
