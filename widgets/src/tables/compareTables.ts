import {
  columnUnit,
  formatMw,
  formatPrice,
  formatPriceChange,
  quantityWords,
  type SignOption,
  trans,
} from "../text/index.ts";
import { type CaseSession, PRICE, type QuantityTable } from "../workspace/index.ts";
import type { CaseTable, TableKind } from "./elements/caseTable.ts";
import { caseTable } from "./elements/caseTables.ts";
import { roomFor, type TableColumn } from "./elements/columns.ts";

/** A compared quantity of both states, with its texts. */
interface Compared {
  readonly quantity: string;
  /** Name in files and filters, and the unit suffix there. */
  readonly name: string;
  readonly suffix: string;
  readonly unit: string;
  format(value: number, options?: SignOption): string;
  /** Format of differences. */
  small(value: number, options?: SignOption): string;
}

/** The quantity compared for each kind of element, where both states have it. */
const COMPARED: Record<TableKind, Compared> = {
  buses: {
    quantity: PRICE,
    name: "price",
    suffix: "usd_per_mwh",
    unit: columnUnit(PRICE),
    format: formatPrice,
    small: formatPriceChange,
  },
  branches: {
    quantity: "flow_mw",
    name: "flow",
    suffix: "mw",
    unit: columnUnit("flow_mw"),
    format: formatMw,
    small: formatMw,
  },
  generators: {
    quantity: "dispatch_mw",
    name: "dispatch",
    suffix: "mw",
    unit: columnUnit("dispatch_mw"),
    format: formatMw,
    small: formatMw,
  },
  storage: {
    quantity: "storage_mw",
    name: "power",
    suffix: "mw",
    unit: columnUnit("storage_mw"),
    format: formatMw,
    small: formatMw,
  },
  links: {
    quantity: "link_mw",
    name: "power",
    suffix: "mw",
    unit: columnUnit("link_mw"),
    format: formatMw,
    small: formatMw,
  },
};

const ELEMENTS = {
  buses: "bus",
  branches: "branch",
  generators: "generator",
  links: "link",
  storage: "storage",
} as const;

/** The default quantity, or else the first quantity of these elements that both states have. */
function comparedOf(kind: TableKind, before: QuantityTable, after: QuantityTable): Compared {
  const usual = COMPARED[kind];
  const both = after.of(ELEMENTS[kind]).filter(({ name }) => before.has(name));
  const [first] = both;
  if (first === undefined || both.some(({ name }) => name === usual.quantity)) {
    return usual;
  }
  const { name, unit } = first;
  const { format, unit: shown } = quantityWords(name, unit);
  return { quantity: name, name, suffix: name.split("_").at(-1) ?? name, unit: shown, format, small: format };
}

/** The table of the differences between two states: prices of buses, flows of lines, dispatch of generators. */
export function compareTable(
  session: CaseSession,
  kind: TableKind,
  before: QuantityTable,
  after: QuantityTable,
): CaseTable {
  const { quantity, name, unit, suffix, format, small } = comparedOf(kind, before, after);
  const own = caseTable(session, kind);
  const column = (key: string, head: string, value: (row: number) => number, signed = false): TableColumn => ({
    key: `${key}_${suffix}`,
    word: key.replace(`${name}_`, ""),
    title: head,
    unit,
    width: roomFor(head, 88),
    value,
    text: (row) => (Number.isFinite(value(row)) ? (signed ? small : format)(value(row), { signed }) : ""),
  });
  const difference = (row: number): number =>
    dusted(after.at(quantity, row) - before.at(quantity, row), after.at(quantity, row));
  const [identity, ...others] = own.columns;
  const texts = others.filter((one) => ["name", "from", "to", "bus"].includes(one.key));
  return {
    ...own,
    sorting: { key: `change_${suffix}`, descending: true },
    columns: [
      ...(identity === undefined ? [] : [identity]),
      ...texts,
      { ...column("change", trans.__("Change"), difference, true), order: (row) => Math.abs(difference(row)) },
      column(`${name}_before`, trans.__("Before"), (row) => before.at(quantity, row)),
      column(`${name}_after`, trans.__("After"), (row) => after.at(quantity, row)),
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
