/** Sentences about outages of single branches. */

import type { ContingencyRow } from "@service/engine";
import { formatCount, formatLoading, formatMw } from "./numbers.ts";
import type { Namer } from "./sentences.ts";
import { trans } from "./translation.ts";

/** Buses that are named; the rest is counted. */
const NAMED = 3;

/** What an islanding outage cuts off: `cuts off bus 3 (Birch): 45.0 MW of demand`. */
export function cutOffSentence(row: ContingencyRow, namer: Namer): string {
  const { buses_cut_off: buses = [], demand_cut_off_mw: demand = 0, generation_cut_off_mw: generation = 0 } = row;
  const names = buses.slice(0, NAMED).map((id) => namer.nameOf("bus", id));
  const more = buses.length - names.length;
  const list =
    more > 0
      ? trans._n("%2 and %3 more", "%2 and %3 more", more, names.join(", "), formatCount(more))
      : names.join(", ");
  const power = [
    ...(demand > 0 ? [trans.__("%1 MW of demand", formatMw(demand))] : []),
    ...(generation > 0 ? [trans.__("%1 MW of generation", formatMw(generation))] : []),
  ];
  return trans.__(
    "cuts off %1: %2",
    list,
    power.length === 0 ? trans.__("no demand, no generation") : power.join(", "),
  );
}

/** What a screening found, in one or two sentences. */
export function outagesSentence(
  counts: { all: number; overloads: number; islanding: number },
  worst: (ContingencyRow & { worst_base_loading?: number }) | null,
  namer: Namer,
): string {
  const split =
    counts.islanding === 0
      ? trans.__("none splits the network")
      : trans._n("%2 split the network", "%2 split the network", counts.islanding, formatCount(counts.islanding));
  const load =
    counts.overloads === 0
      ? trans.__("none overloads a line")
      : trans._n(
          "%2 overload at least one line",
          "%2 overload at least one line",
          counts.overloads,
          formatCount(counts.overloads),
        );
  const said = trans._n("%2 outages: %3, %4.", "%2 outages: %3, %4.", counts.all, formatCount(counts.all), load, split);
  if (worst?.worst_branch === undefined) {
    return said;
  }
  const names = [namer.nameOf("branch", worst.branch), namer.nameOf("branch", worst.worst_branch)] as const;
  const [before, after] = [worst.worst_base_loading, formatLoading(worst.worst_loading ?? NaN)];
  const told =
    before === undefined
      ? trans.__("The worst is %1, which loads %2 to %3.", ...names, after)
      : trans.__("The worst is %1, which loads %2 from %3 to %4.", ...names, formatLoading(before), after);
  return `${said} ${told}`;
}
