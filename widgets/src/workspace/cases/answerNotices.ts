/** Notices about what the reader left out of a case, and what it assumed where the file is silent. */

import type { IngestedCase } from "@service/engine";
import { formatCount, messageText, numbered, trans } from "../../text/index.ts";
import type { CaseEdits } from "../edits/edits.ts";
import { costsMark, costsNotice } from "./assumedCosts.ts";

/** The parts of a read case that the notices are made from. */
type ReadCase = Pick<IngestedCase, "topology" | "warnings">;

/** Demand, generation, limits and costs of the file that are not in the network, a sentence each. */
export function leftOutNotices({ warnings }: Pick<ReadCase, "warnings">): string[] {
  return warnings
    .filter(({ code }) => code === "INPUT.LEFT_OUT")
    .map(({ sentence }) => messageText(sentence, numbered));
}

/**
 * The notices of an answer at some edits: what the reader left out and, where the answer has prices, what is assumed of
 * costs.
 */
export function answerNotices(read: ReadCase, priced: boolean, edits: CaseEdits): string[] {
  const costs = priced ? costsNotice(read, edits) : null;
  return [...leftOutNotices(read), ...(costs === null ? [] : [costs])];
}

/** The same notices in a few words, for the corner of a picture; null where there are none. */
export function answerMark(read: ReadCase, priced: boolean, edits: CaseEdits): string | null {
  const parts = [
    ...(leftOutNotices(read).length > 0 ? [trans.__("Parts of the file left out")] : []),
    ...(priced ? [costsMark(read, edits)] : []),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

/** Lines in service whose rating the reader assumed. */
export function assumedRatings({ topology }: Pick<ReadCase, "topology">): number {
  return topology.branches.filter((branch) => branch.status === 1 && isAssumed(branch)).length;
}

/** Whether the reader assumed the rating of a line because the file has none. */
export function isAssumed({
  rate_is_fallback,
  rate_mw,
}: Pick<IngestedCase["topology"]["branches"][number], "rate_is_fallback" | "rate_mw">): boolean {
  return rate_is_fallback && rate_mw !== null;
}

/** The notice that ratings are assumed, or that the solve leaves them out; null where the file has them all. */
export function ratingsNotice(read: Pick<ReadCase, "topology">, without: boolean): string | null {
  const count = assumedRatings(read);
  if (count === 0) {
    return null;
  }
  return without
    ? trans._n(
        "Solved without assumed ratings: the file has none of %2 line, which has no limit here.",
        "Solved without assumed ratings: the file has none of %2 lines, which have no limit here.",
        count,
        formatCount(count),
      )
    : trans._n(
        "The file has no rating of %2 line: it is assumed from the angle-difference limit and the voltage limits.",
        "The file has no ratings of %2 lines: they are assumed from the angle-difference limits and the voltage limits.",
        count,
        formatCount(count),
      );
}
