import type { StudyColumns } from "@service/engine";
import { formatMw, formatPrice, formatPriceChange, trans } from "../text/index.ts";
import type { CaseSession } from "../workspace/index.ts";
import { caseTable, type CaseTable, roomFor, type TableColumn, type TableKind } from "./caseTables.ts";

/** What is set side by side for each kind of element. */
const QUANTITIES = {
  buses: {
    field: "lmp",
    name: "price",
    unit: "$/MWh",
    suffix: "usd_per_mwh",
    format: formatPrice,
    small: formatPriceChange,
  },
  branches: { field: "flow_mw", name: "flow", unit: "MW", suffix: "mw", format: formatMw, small: formatMw },
  generators: { field: "dispatch_mw", name: "dispatch", unit: "MW", suffix: "mw", format: formatMw, small: formatMw },
} as const;

/** The table of the differences between two states: prices of buses, flows of lines, dispatch of generators. */
export function compareTable(
  session: CaseSession,
  kind: TableKind,
  before: StudyColumns,
  after: StudyColumns,
): CaseTable {
  const { field, name, unit, suffix, format, small } = QUANTITIES[kind];
  const own = caseTable(session, kind);
  const [from, to] = [before[field], after[field]];
  const column = (key: string, head: string, value: (row: number) => number, signed = false): TableColumn => ({
    key: `${key}_${suffix}`,
    word: key.replace(`${name}_`, ""),
    title: head,
    unit,
    width: roomFor(head, 88),
    value,
    text: (row) => (Number.isFinite(value(row)) ? (signed ? small : format)(value(row), { signed }) : ""),
  });
  const difference = (row: number): number => dusted((to[row] ?? NaN) - (from[row] ?? NaN), to[row] ?? NaN);
  const [identity, ...others] = own.columns;
  const texts = others.filter((one) => ["name", "from", "to", "bus"].includes(one.key));
  return {
    ...own,
    sorting: { key: `change_${suffix}`, descending: true },
    columns: [
      ...(identity === undefined ? [] : [identity]),
      ...texts,
      { ...column("change", trans.__("Change"), difference, true), order: (row) => Math.abs(difference(row)) },
      column(`${name}_before`, trans.__("Before"), (row) => from[row] ?? NaN),
      column(`${name}_after`, trans.__("After"), (row) => to[row] ?? NaN),
    ],
    markOf: () => "",
    leading: texts.length + 2,
  };
}

/** Differences below this, relative to the value, are rounding. */
const DUST = 1e-9;

function dusted(difference: number, value: number): number {
  return Math.abs(difference) <= DUST * Math.max(1, Math.abs(value)) ? 0 : difference;
}
