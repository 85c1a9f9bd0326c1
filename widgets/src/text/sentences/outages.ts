/** Sentences about outages of single branches. */

import type { ContingencyRow, NewOverload } from "@service/engine";
import { capitalised, formatCount, formatLoading, formatMw } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import { trans } from "../translation.ts";

/** Number of buses named; the others are counted. */
const NAMED = 3;

/** The part that an islanding outage cuts off: `cuts off bus 3 (Birch): 45.0 MW of demand`. */
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

/** The new overload of an outage: `overloads line 3 (1 to 3), from 20.0 % to 120.0 %; 2 new overloads in total`. */
export function newOverloadSentence(row: ContingencyRow, namer: Namer): string {
  const { worst_new_overload: added, new_overloads: count = 0 } = row;
  if (added === undefined) {
    return trans.__("causes no new overload");
  }
  const named = [namer.nameOf("branch", added.branch), ...fromTo(added)] as const;
  return count <= 1
    ? trans.__("overloads %1, from %2 to %3", ...named)
    : trans._n(
        "overloads %2, from %3 to %4; %5 new overload in total",
        "overloads %2, from %3 to %4; %5 new overloads in total",
        count,
        ...named,
        formatCount(count),
      );
}

function fromTo({ loading_before, loading_after }: NewOverload): [before: string, after: string] {
  return [formatLoading(loading_before), formatLoading(loading_after)];
}

/**
 * A summary of the flows after one outage: `Line 3 (1 to 3) is out: 2 lines overloaded, line 7 (4 to 5) most, at 131.0
 * %`.
 */
export function shownOutageSentence(
  shown: { branch: number; overloads: number; worst: { branch: number; loading: number } | null },
  namer: Namer,
): string {
  const out = capitalised(namer.nameOf("branch", shown.branch));
  if (shown.worst === null) {
    return trans.__("%1 is out", out);
  }
  const most = [namer.nameOf("branch", shown.worst.branch), formatLoading(shown.worst.loading)] as const;
  return shown.overloads === 0
    ? trans.__("%1 is out: no line overloaded, %2 most loaded, at %3", out, ...most)
    : trans._n(
        "%2 is out: %5 line overloaded, %3 most, at %4",
        "%2 is out: %5 lines overloaded, %3 most, at %4",
        shown.overloads,
        out,
        ...most,
        formatCount(shown.overloads),
      );
}

/** A summary of a screening in one or two sentences. */
export function outagesSentence(
  counts: {
    all: number;
    overloads: number;
    newOverloads: number;
    islanding: number;
    voltages?: number;
    not_converged?: number;
  },
  worst: (ContingencyRow & { worst_base_loading?: number }) | null,
  namer: Namer,
): string {
  const split =
    counts.islanding === 0
      ? trans.__("none splits the network")
      : trans._n("%2 split the network", "%2 split the network", counts.islanding, formatCount(counts.islanding));
  const found = trans._n(
    "%2 outages: %3, %4.",
    "%2 outages: %3, %4.",
    counts.all,
    formatCount(counts.all),
    loadWords(counts),
    split,
  );
  const summary = [found, ...acWords(counts)].join(" ");
  if (worst?.worst_branch === undefined) {
    return summary;
  }
  const out = namer.nameOf("branch", worst.branch);
  const added = worst.worst_new_overload;
  if (added?.branch === worst.worst_branch) {
    const named = [out, namer.nameOf("branch", added.branch), ...fromTo(added)] as const;
    return `${summary} ${trans.__("The worst is %1, which newly overloads %2, from %3 to %4.", ...named)}`;
  }
  const names = [out, namer.nameOf("branch", worst.worst_branch)] as const;
  const [before, after] = [worst.worst_base_loading, formatLoading(worst.worst_loading ?? NaN)];
  const worstSentence =
    before === undefined
      ? trans.__("The worst is %1, which loads %2 to %3.", ...names, after)
      : trans.__("The worst is %1, which loads %2 from %3 to %4.", ...names, formatLoading(before), after);
  return `${summary} ${worstSentence}`;
}

/** What only AC power flows tell: voltages beyond their limits, and outages without a power flow. */
function acWords({ voltages = 0, not_converged: failed = 0 }: { voltages?: number; not_converged?: number }): string[] {
  return [
    ...(voltages === 0
      ? []
      : [
          trans._n(
            "%2 leaves a voltage beyond its limits.",
            "%2 leave a voltage beyond its limits.",
            voltages,
            formatCount(voltages),
          ),
        ]),
    ...(failed === 0
      ? []
      : [trans._n("%2 has no AC power flow.", "%2 have no AC power flow.", failed, formatCount(failed))]),
  ];
}

function loadWords({ overloads, newOverloads }: { overloads: number; newOverloads: number }): string {
  if (overloads === 0) {
    return trans.__("none overloads a line");
  }
  const load = trans._n(
    "%2 overload at least one line",
    "%2 overload at least one line",
    overloads,
    formatCount(overloads),
  );
  return newOverloads === 0
    ? trans.__("%1, none with a new overload", load)
    : trans._n(
        "%2, %3 with a new overload",
        "%2, %3 with a new overload",
        newOverloads,
        load,
        formatCount(newOverloads),
      );
}
