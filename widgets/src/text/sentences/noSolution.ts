/** Sentences about edits that have no solution. */

import type { Explanation, Message } from "@service/engine";
import { messageText, partOf } from "../messages.ts";
import { formatMw } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import { trans } from "../translation.ts";

/** A refusal: the engine's message, and the explanation in its details once it is available. */
export interface Refusal {
  message: string;
  sentence: Message | null;
  details: unknown;
}

/**
 * Why edits have no solution, with the names of the elements: the explanation with its remedy, or else the refusal's
 * message.
 */
export function noSolutionSentence({ message, sentence, details }: Refusal, namer: Namer): string {
  const explained = explanationOf(details)?.sentence ?? sentence;
  return explained === null ? message : messageText(explained, namer);
}

/**
 * The first sentence of {@link noSolutionSentence}, for places that show the rest elsewhere: `No solution: the limit of
 * line 12 cannot be met.`
 */
export function noSolutionHead(refusal: Refusal, namer: Namer): string {
  return explanationOf(refusal.details) === undefined
    ? noSolutionSentence(refusal, namer)
    : noSolutionReason(refusal, namer);
}

/** {@link noSolutionSentence} with the limit before the relaxation, for a place where a number was typed. */
export function refusalSentence(refusal: Refusal, namer: Namer): string {
  const explained = explanationOf(refusal.details)?.sentence ?? null;
  const parts =
    explained === null ? [] : [partOf(explained, "limit"), partOf(explained, "remedy"), partOf(explained, "assumed")];
  const [limit = null, remedy = null, assumed = null] = parts;
  if (limit === null || remedy === null) {
    return noSolutionSentence(refusal, namer);
  }
  const behind = [limit, remedy, ...(assumed === null ? [] : [assumed])].map((part) => messageText(part, namer));
  return [noSolutionReason(refusal, namer), ...behind].join(" ");
}

/** The contradiction alone, for places that show the shortfall elsewhere, such as beside a search that increases it. */
export function noSolutionReason(refusal: Refusal, namer: Namer): string {
  const explained = explanationOf(refusal.details)?.sentence ?? refusal.sentence;
  const reason = explained === null ? null : partOf(explained, "reason");
  return reason === null
    ? noSolutionSentence(refusal, namer)
    : messageText({ key: "no_solution", values: { reason: { message: reason } } }, namer);
}

/** The remedy: the relaxation, a note on assumed ratings, and the limit of a demand. */
export function remedySentence({ sentence }: Explanation, namer: Namer): string {
  const parts = [partOf(sentence, "remedy"), partOf(sentence, "assumed"), partOf(sentence, "limit")];
  return parts.flatMap((part) => (part === null ? [] : [messageText(part, namer)])).join(" ");
}

/** The shortfall that is certain, MW, rounded down. */
export function shortfallSentence(atLeastMw: number): string {
  const digits = atLeastMw < 1 ? 1000 : 10;
  return trans.__("At least %1 MW short.", formatMw(Math.floor(atLeastMw * digits + 1e-6) / digits));
}

function explanationOf(details: unknown): Explanation | undefined {
  return ((details ?? {}) as { explanation?: Explanation }).explanation;
}
