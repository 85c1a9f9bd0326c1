/** Sentences about edits that have no solution. */

import type { ContradictingLimit, DemandLimit, Explanation } from "@service/engine";
import { formatMw } from "./numbers.ts";
import type { Namer } from "./sentences.ts";
import { trans } from "./translation.ts";

/** Elements that are named; the rest is counted. */
const NAMED = 4;
/** More generators than this are not the reason but the rest of the balance. */
const FEW_GENERATORS = 2;

/**
 * Why edits have no solution, with the names of the elements and what would help: the engine's explanation in `details`, or its
 * own sentence where none passed its checks.
 */
export function noSolutionSentence(message: string, details: unknown, namer: Namer): string {
  const { explanation } = (details ?? {}) as { explanation?: Explanation };
  if (explanation !== undefined) {
    return explanationSentence(explanation, namer);
  }
  const told = named(message, namer);
  return /^no solution/i.test(told) ? told : trans.__("No solution: %1", told);
}

/** The first sentence of {@link noSolutionSentence}, where the rest stands elsewhere: `No solution: line 12 cannot be held.` */
export function noSolutionHead(message: string, details: unknown, namer: Namer): string {
  const { explanation } = (details ?? {}) as { explanation?: Explanation };
  return explanation === undefined
    ? noSolutionSentence(message.replace(/(?<=\S\.)\s.*$/s, ""), undefined, namer) // before names, which have points of their own
    : trans.__("No solution: %1.", whyNot(explanation, namer));
}

/** An explanation with the names of its elements: what contradicts, and the least relaxation. */
export function explanationSentence(explanation: Explanation, namer: Namer): string {
  return trans.__("No solution: %1. %2", whyNot(explanation, namer), remedySentence(explanation, namer));
}

/** What would help: the relaxation, and how far a demand can go. */
export function remedySentence({ remedy, demand_limit: limit }: Explanation, namer: Namer): string {
  const told = named(remedy, namer);
  return limit === undefined ? told : `${told} ${limitSentence(limit, namer)}`;
}

/** What is certain to be short, MW: rounded down. */
export function shortfallSentence(atLeastMw: number): string {
  const digits = atLeastMw < 1 ? 1000 : 10;
  return trans.__("At least %1 MW short.", formatMw(Math.floor(atLeastMw * digits + 1e-6) / digits));
}

/** What contradicts. */
function whyNot({ kind, elements, reason }: Explanation, namer: Namer): string {
  return kind === "lines" ? linesReason(elements, namer) : named(reason, namer);
}

/** How far the demand of a bus can go: rounded to where there is a solution. */
function limitSentence({ element, demand_mw, is_most }: DemandLimit, namer: Namer): string {
  const name = namer.nameOf("bus", element.id);
  const digits = Math.abs(demand_mw) < 1 ? 1000 : 10;
  const mw = is_most ? Math.floor(demand_mw * digits + 1e-6) / digits : Math.ceil(demand_mw * digits - 1e-6) / digits;
  return is_most
    ? trans.__("With everything else as it is, the most that %1 can take is %2 MW.", name, formatMw(mw))
    : trans.__("With everything else as it is, the least that %1 can take is %2 MW.", name, formatMw(mw));
}

function linesReason(elements: readonly ContradictingLimit[], namer: Namer): string {
  const of = (kind: string): ContradictingLimit[] => elements.filter(({ element }) => element.kind === kind);
  const names = of("branch").map(({ element }) => namer.nameOf("branch", element.id));
  const list = listed(names);
  const held =
    names.length === 1
      ? trans.__("the limit of %1 cannot be met", list)
      : names.length === 2
        ? trans.__("the limits of %1 cannot both be met", list)
        : trans.__("the limits of %1 cannot all be met", list);
  const units = of("generator").map(({ element, limit }) => {
    const name = namer.nameOf("generator", element.id);
    return limit === "minimum"
      ? trans.__("%1 at its minimum output", name)
      : trans.__("%1 at its maximum output", name);
  });
  return units.length > 0 && units.length <= FEW_GENERATORS ? trans.__("%1 with %2", held, listed(units)) : held;
}

/** `a`, `a and b`, `a, b, c, d and 3 more`. */
function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  const shown = more > 1 ? [...names.slice(0, NAMED), trans._n("%1 more", "%1 more", more)] : names;
  return shown.length < 2 ? shown.join("") : trans.__("%1 and %2", shown.slice(0, -1).join(", "), shown.at(-1) ?? "");
}

/** A sentence of the engine with its `line 12`, `lines 12 and 40`, `branch 5`, `bus 7` and `generator 3` by their names. */
export function named(text: string, namer: Namer): string {
  const apart = text.replace(
    /\blines (\d+(?:, \d+)*)(?: and (\d+)\b(?! more))?/g,
    (_, first: string, last?: string) => {
      const list = first.replace(/\d+/g, "line $&");
      return last === undefined ? list : `${list} and line ${last}`;
    },
  );
  return apart.replace(/\b(line|branch|bus|generator) (\d+)\b/g, (_, kind: string, id: string) =>
    namer.nameOf(kind === "line" ? "branch" : kind, Number(id)),
  );
}
