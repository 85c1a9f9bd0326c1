import type { ContingencyRow } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";

/** An outage with the loadings before it. */
export interface Outage extends ContingencyRow {
  /** Loading before the outage of the branch that is most loaded after it. */
  worst_base_loading?: number;
  /** Increase due to the outage: `worst_loading` - `worst_base_loading`. */
  loading_rise?: number;
}

/** The outages with the loading before them; `loadingOf` returns that of a branch. */
export function besideBase(rows: readonly ContingencyRow[], loadingOf: (branch: number) => number): Outage[] {
  return rows.map((row) => {
    const before = row.worst_branch === undefined ? NaN : loadingOf(row.worst_branch);
    return row.worst_loading === undefined || !Number.isFinite(before)
      ? row
      : { ...row, worst_base_loading: before, loading_rise: row.worst_loading - before };
  });
}

/** The sort keys of outages. */
export type OutageKey =
  | "outage"
  | "worst"
  | "new"
  | "flow"
  | "loading"
  | "estimate"
  | "before"
  | "rise"
  | "overloads"
  | "lowest"
  | "highest"
  | "newViolations"
  | "violations";

/** The filter of listed outages. */
export type OutageFilter = "all" | "loading" | "overloads" | "voltages" | "islanding" | "not_converged";

/** Number of outages of each kind. */
export interface OutageCounts {
  all: number;
  /** Outages with flows. */
  loading: number;
  overloads: number;
  /** Outages after which a bus is beyond a voltage limit. */
  voltages: number;
  /** Outages that overload a branch that was below its rating before. */
  newOverloads: number;
  islanding: number;
  /** Outages without an AC power flow. */
  not_converged: number;
}

/**
 * Counts the outages that overload a branch, those that overload a branch neither overloaded nor binding before, those
 * after which a voltage is beyond its limits, those that split the network, and those without a power flow.
 */
export function countOutages(rows: readonly ContingencyRow[]): OutageCounts {
  return {
    all: rows.length,
    loading: rows.filter(({ kind }) => kind === "loading").length,
    overloads: rows.filter(({ overloads = 0 }) => overloads > 0).length,
    newOverloads: rows.filter(({ new_overloads = 0 }) => new_overloads > 0).length,
    voltages: rows.filter(({ voltage_violations = 0 }) => voltage_violations > 0).length,
    islanding: rows.filter(({ kind }) => kind === "islanding").length,
    not_converged: rows.filter(({ kind }) => kind === "not_converged").length,
  };
}

/** The outage with the highest loading afterwards; null where every outage splits the network. */
export function worstOutage(rows: readonly Outage[]): Outage | null {
  return rows.reduce<Outage | null>(
    (worst, row) => ((row.worst_loading ?? -1) > (worst?.worst_loading ?? -1) ? row : worst),
    null,
  );
}

/** A branch with this loading or more is at its limit. */
const AT_LIMIT = 1 - 1e-6;

/** Whether the most loaded branch after an outage was at its limit before. */
export function wasAtLimit({ worst_base_loading: before = 0 }: Outage): boolean {
  return before >= AT_LIMIT;
}

/**
 * The listed outages in order. Outages that split the network or have no power flow have no flows to compare and follow
 * the others, the most disconnected demand first. By new overloads, the highest one decides, and among outages without any the increase;
 * ties are in the order of the case.
 */
export function sortedOutages(
  rows: readonly Outage[],
  key: OutageKey,
  descending: boolean,
  filter: OutageFilter = "all",
): Outage[] {
  const sign = descending ? -1 : 1;
  const value = (row: Outage): number => {
    switch (key) {
      case "outage":
        return row.branch;
      case "worst":
        return row.worst_branch ?? NaN;
      case "new":
        return row.kind === "loading" ? (row.worst_new_overload?.loading_after ?? 0) : NaN;
      case "flow":
        return row.worst_mva ?? Math.abs(row.worst_mw ?? NaN);
      case "loading":
        return row.worst_loading ?? NaN;
      case "before":
        return row.worst_base_loading ?? NaN;
      case "rise":
        return row.loading_rise ?? NaN;
      case "overloads":
        return row.overloads ?? NaN;
      case "estimate":
        return row.kind === "loading" ? (row.estimated_loading ?? NaN) : NaN;
      case "lowest":
        return row.lowest_voltage_pu ?? NaN;
      case "highest":
        return row.highest_voltage_pu ?? NaN;
      case "newViolations":
        return row.new_voltage_violations ?? NaN;
      case "violations":
        return row.voltage_violations ?? NaN;
    }
  };
  const listed = rows.filter(({ kind, overloads = 0, voltage_violations: violations = 0 }) => {
    switch (filter) {
      case "all":
        return true;
      case "overloads":
        return overloads > 0;
      case "voltages":
        return violations > 0;
      default:
        return kind === filter;
    }
  });
  const place = new Map(rows.map((row, k) => [row, k]));
  return listed.sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    const missing = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    const apart = key === "new" && left === right ? (a.loading_rise ?? 0) - (b.loading_rise ?? 0) : left - right;
    const order = missing !== 0 ? missing : Number.isNaN(left) ? cutOff(b) - cutOff(a) : sign * apart;
    return order !== 0 ? order : (place.get(a) ?? 0) - (place.get(b) ?? 0);
  });
}

/** The outages as comma-separated values with plain numbers, a full stop and no thousands separators. */
export function outagesCsv(rows: readonly Outage[], opened: OpenedCase): string {
  const isAc = rows.some(isOfAc);
  const head = [
    "outage_branch",
    "from_bus",
    "to_bus",
    "kind",
    "worst_branch",
    "worst_mw",
    "worst_loading",
    "worst_base_loading",
    "loading_rise",
    "overloads",
    "new_overloads",
    "new_overload_branch",
    "new_overload_from_bus",
    "new_overload_to_bus",
    "new_overload_mw",
    "new_overload_loading",
    "new_overload_base_loading",
    "buses_cut_off",
    "demand_cut_off_mw",
    "generation_cut_off_mw",
    ...(isAc ? AC_HEAD : []),
  ];
  const line = (row: Outage): string => {
    const branch = opened.branches[opened.branchRow(row.branch)];
    const added = row.worst_new_overload;
    const cells = [
      row.branch,
      branch?.from,
      branch?.to,
      row.kind,
      row.worst_branch,
      row.worst_mw,
      row.worst_loading,
      row.worst_base_loading,
      row.loading_rise,
      row.overloads,
      row.new_overloads,
      added?.branch,
      added?.from_bus,
      added?.to_bus,
      added?.mw,
      added?.loading_after,
      added?.loading_before,
      row.buses_cut_off?.join(" "),
      row.demand_cut_off_mw,
      row.generation_cut_off_mw,
      ...(isAc ? acCells(row) : []),
    ];
    return cells.map((cell) => String(cell ?? "")).join(",");
  };
  return [head.join(","), ...rows.map(line)].join("\r\n") + "\r\n";
}

/** Whether an outage was solved as an AC power flow, so that it has voltages. */
export function isOfAc({ lowest_voltage_pu: lowest }: ContingencyRow): boolean {
  return lowest !== undefined;
}

const AC_HEAD = [
  "worst_mva",
  "new_overload_mva",
  "lowest_voltage_bus",
  "lowest_voltage_pu",
  "highest_voltage_bus",
  "highest_voltage_pu",
  "voltage_violations",
  "new_voltage_violations",
  "reactive_limits",
  "estimated_branch",
  "estimated_loading",
];

function acCells(row: Outage): unknown[] {
  return [
    row.worst_mva,
    row.worst_new_overload?.mva,
    row.lowest_voltage_bus,
    row.lowest_voltage_pu,
    row.highest_voltage_bus,
    row.highest_voltage_pu,
    row.voltage_violations,
    row.new_voltage_violations,
    row.reactive_limits,
    row.estimated_branch,
    row.estimated_loading,
  ];
}

function cutOff(row: Outage): number {
  return row.demand_cut_off_mw ?? 0;
}
