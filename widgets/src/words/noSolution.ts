/** Sentences about edits that have no solution. */

import { formatMw } from "./numbers.ts";
import type { Namer } from "./sentences.ts";

/** Elements that are named; the rest is counted. */
const NAMED = 4;

/** What the engine's proof says: the lines that cannot all be held, the heaviest first, and by how much it falls short. */
interface Contradiction {
  shortfall_mw: number;
  lines: { branch: number; weight: number }[];
}

/**
 * Why edits have no solution, with the names of the elements and what would help: the engine's own sentence where its proof
 * names no lines.
 */
export function noSolutionSentence(message: string, details: unknown, namer: Namer): string {
  const found = contradictionOf(details);
  const plain = message.replace(/\d+\.\d{3}(?= MW)/g, (mw) => formatMw(Number(mw)));
  const own = /^no solution/i.test(plain) ? plain : `No solution: ${plain}`;
  if (found === null || found.lines.length === 0) {
    return own;
  }
  const names = found.lines.slice(0, NAMED).map(({ branch }) => namer.nameOf("branch", branch));
  const more = found.lines.length - names.length;
  const need = `${formatMw(found.shortfall_mw)} MW`;
  if (found.lines.length === 1) {
    return `No solution: the limit of ${names[0]} cannot be held. Relaxing it by ${need} would restore one.`;
  }
  const list =
    more > 0 ? `${names.join(", ")} and ${more} more` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `No solution: ${list} cannot all be held. Relaxing ${names[0]} alone would take ${need}.`;
}

function contradictionOf(details: unknown): Contradiction | null {
  const { kind, shortfall_mw, lines } = (details ?? {}) as Partial<Contradiction> & { kind?: string };
  return kind === "lines" && typeof shortfall_mw === "number" && Array.isArray(lines) ? { shortfall_mw, lines } : null;
}
