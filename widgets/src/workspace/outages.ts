import type { ContingencyRow } from "@service/engine";
import type { OpenedCase } from "./openedCase.ts";

/** What the outages can be sorted by. */
export type OutageKey = "outage" | "worst" | "flow" | "loading" | "overloads";

/** Which of them are listed. */
export type OutageFilter = "all" | "overloads" | "islanding";

/** How many outages there are of each kind. */
export interface OutageCounts {
  all: number;
  overloads: number;
  islanding: number;
}

/** Counts the outages that overload something, and those that split the network. */
export function countOutages(rows: readonly ContingencyRow[]): OutageCounts {
  return {
    all: rows.length,
    overloads: rows.filter(({ overloads = 0 }) => overloads > 0).length,
    islanding: rows.filter(({ kind }) => kind === "islanding").length,
  };
}

/** The outage after which a branch is loaded most; null without one. */
export function worstOutage(rows: readonly ContingencyRow[]): ContingencyRow | null {
  const loading = ({ worst_loading = -1 }: ContingencyRow): number => worst_loading;
  return rows.reduce<ContingencyRow | null>(
    (worst, row) => (loading(row) > (worst === null ? -1 : loading(worst)) ? row : worst),
    null,
  );
}

/**
 * The listed outages in order. Those that split the network have no flows to compare: they follow the others, the most
 * demand cut off first; equal ones keep the order of the case.
 */
export function sortedOutages(
  rows: readonly ContingencyRow[],
  key: OutageKey,
  descending: boolean,
  filter: OutageFilter = "all",
): ContingencyRow[] {
  const sign = descending ? -1 : 1;
  const value = (row: ContingencyRow): number => {
    switch (key) {
      case "outage":
        return row.branch;
      case "worst":
        return row.worst_branch ?? NaN;
      case "flow":
        return Math.abs(row.worst_mw ?? NaN);
      case "loading":
        return row.worst_loading ?? NaN;
      case "overloads":
        return row.overloads ?? NaN;
    }
  };
  const listed = rows.filter(
    ({ kind, overloads = 0 }) =>
      filter === "all" || (filter === "islanding" ? kind === "islanding" : kind === "loading" && overloads > 0),
  );
  const place = new Map(rows.map((row, k) => [row, k]));
  return listed.sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    const missing = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    const order = missing !== 0 ? missing : Number.isNaN(left) ? cutOff(b) - cutOff(a) : sign * (left - right);
    return order !== 0 ? order : (place.get(a) ?? 0) - (place.get(b) ?? 0);
  });
}

/** The outages as a table of comma-separated values with plain numbers, a full stop and no thousands separators. */
export function outagesCsv(rows: readonly ContingencyRow[], opened: OpenedCase): string {
  const head = [
    "outage_branch",
    "from_bus",
    "to_bus",
    "kind",
    "worst_branch",
    "worst_mw",
    "worst_loading",
    "overloads",
    "buses_cut_off",
    "demand_cut_off_mw",
    "generation_cut_off_mw",
  ];
  const line = (row: ContingencyRow): string => {
    const branch = opened.branches[opened.branchRow(row.branch)];
    const cells = [
      row.branch,
      branch?.from,
      branch?.to,
      row.kind,
      row.worst_branch,
      row.worst_mw,
      row.worst_loading,
      row.overloads,
      row.buses_cut_off?.join(" "),
      row.demand_cut_off_mw,
      row.generation_cut_off_mw,
    ];
    return cells.map((cell) => String(cell ?? "")).join(",");
  };
  return [head.join(","), ...rows.map(line)].join("\r\n") + "\r\n";
}

function cutOff(row: ContingencyRow): number {
  return row.demand_cut_off_mw ?? 0;
}
