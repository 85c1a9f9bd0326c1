import type { Call } from "./protocol.ts";

/**
 * Whose objects in the engine a call is about: a study, or a run that belongs to none. Calls of one owner go to one worker, in
 * order. Undefined for a call that needs nothing of what the engine keeps.
 */
export function ownerOf(call: Call): string | undefined {
  if ("study" in call && call.study !== undefined) return `study ${call.study}`;
  if ("run" in call) return `run ${call.run}`;
  return "owner" in call ? call.owner : undefined;
}

/** Whether a call is of a Study, or of work as long: it goes to a worker apart from files and layouts. */
export function worksApart(call: Call): boolean {
  if (call.op === "jobStart" && call.what.kind === "explanationOfModule") return true;
  return "study" in call && call.study !== undefined;
}

/** Whether an owner holds nothing in the engine after this call: of a job that belongs to no study, its end. */
export function isLast(call: Call): boolean {
  if (call.op === "jobFinish" || call.op === "jobFree") return call.study === undefined;
  return call.op === "free";
}

/** Calls that only give memory back: without an instance there is nothing to do. */
export function onlyFrees({ op }: Call): boolean {
  return op === "free" || op === "jobFree" || op === "leave";
}

let runs = 0;

/** An id for a job. */
export function nextRun(): number {
  return (runs += 1);
}
