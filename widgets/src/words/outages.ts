/** Sentences about outages of single branches. */

import type { ContingencyRow } from "@service/engine";
import { formatCount, formatLoading, formatMw } from "./numbers.ts";
import type { Namer } from "./sentences.ts";

/** Buses that are named; the rest is counted. */
const NAMED = 3;

/** What an islanding outage cuts off: `cuts off bus 3 (Birch): 45.0 MW of demand`. */
export function cutOffSentence(row: ContingencyRow, namer: Namer): string {
  const { buses_cut_off: buses = [], demand_cut_off_mw: demand = 0, generation_cut_off_mw: generation = 0 } = row;
  const names = buses.slice(0, NAMED).map((id) => namer.nameOf("bus", id));
  const more = buses.length - names.length;
  const list = names.join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : "");
  const power = [
    ...(demand > 0 ? [`${formatMw(demand)} MW of demand`] : []),
    ...(generation > 0 ? [`${formatMw(generation)} MW of generation`] : []),
  ];
  return `cuts off ${list}: ${power.length === 0 ? "no demand, no generation" : power.join(", ")}`;
}

/** What a screening found, in one or two sentences. */
export function outagesSentence(
  counts: { all: number; overloads: number; islanding: number },
  worst: ContingencyRow | null,
  namer: Namer,
): string {
  const split =
    counts.islanding === 0 ? "none splits the network" : `${formatCount(counts.islanding)} split the network`;
  const load =
    counts.overloads === 0 ? "none overloads a line" : `${formatCount(counts.overloads)} overload at least one line`;
  const said = `${formatCount(counts.all)} outages: ${load}, ${split}.`;
  return worst?.worst_branch === undefined
    ? said
    : `${said} The worst is ${namer.nameOf("branch", worst.branch)}, which loads ` +
        `${namer.nameOf("branch", worst.worst_branch)} to ${formatLoading(worst.worst_loading ?? NaN)}.`;
}
