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
  return ("study" in call && call.study !== undefined) || call.op.startsWith("explain");
}

/** Whether an owner holds nothing in the engine after this call. */
export function isLast(call: Call): boolean {
  return call.op === "free" || call.op === "layoutFinish" || call.op === "layoutFree" || isLastOfRun(call);
}

/** An explanation of a module has its run alone. */
function isLastOfRun(call: Call): boolean {
  return call.op === "explainFree" && call.study === undefined;
}

/** Calls that only give memory back: without an instance there is nothing to do. */
export function onlyFrees({ op }: Call): boolean {
  return op === "free" || op === "layoutFree" || op === "contingenciesFree" || op === "explainFree" || op === "leave";
}

let runs = 0;

/** An id for work in steps, of whatever kind. */
export function nextRun(): number {
  return (runs += 1);
}
