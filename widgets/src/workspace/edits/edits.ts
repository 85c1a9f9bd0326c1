import type {
  AddedElements,
  BranchEdit,
  BranchEdits,
  DemandDeltas,
  GeneratorEdit,
  GeneratorEdits,
  InterfaceEdit,
  InterfaceEdits,
  LinkEdit,
  LinkEdits,
  StorageEdit,
  StorageEdits,
} from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import {
  changesNetwork,
  isBranchValue,
  type NetworkElement,
  type SelectableKind,
  type Selection,
} from "../cases/selection.ts";
import { type AddedElement, addedId, addedKey, type CaseCounts, listAdded } from "./added.ts";

/**
 * Edits of a case, with the names of the contract: `deltas` are changes of demand by bus id and `rates` changes of
 * ratings by branch id, MW from the base case, without zeros; `reactive` are changes of reactive demand, MVAr, at buses
 * that do not follow their power factor, including zeros; `generators`, `branches`, `links` and `storage` replace values
 * of the case, and `interfaces` limits of the option `limits`, by name; `added` are elements that the case does not have.
 * All but `deltas` and `rates` are absent when empty.
 */
export interface CaseEdits {
  readonly deltas: Readonly<DemandDeltas>;
  readonly rates: Readonly<DemandDeltas>;
  readonly reactive?: Readonly<DemandDeltas>;
  readonly generators?: Readonly<GeneratorEdits>;
  readonly branches?: Readonly<BranchEdits>;
  readonly links?: Readonly<LinkEdits>;
  readonly storage?: Readonly<StorageEdits>;
  readonly interfaces?: Readonly<InterfaceEdits>;
  readonly added?: Readonly<AddedElements>;
}

/** Values of an edit; `undefined` gives one back to the case. */
export type Values<Edit> = { readonly [Field in keyof Edit]?: Edit[Field] | undefined };

/**
 * Values of a generator, a branch, an HVDC link, a storage unit and an interface that an edit replaces, in the order in which they
 * are listed.
 */
export const GENERATOR_FIELDS = ["p_min", "p_max", "cost", "c2", "status"] as const satisfies (keyof GeneratorEdit)[];
export const BRANCH_FIELDS = ["status", "rating", "x", "tap", "shift"] as const satisfies (keyof BranchEdit)[];
export const LINK_FIELDS = [
  ...(["status", "p_min", "p_max", "p"] as const),
  ...(["loss", "loss_factor", "cost"] as const),
] as const satisfies (keyof LinkEdit)[];
export const STORAGE_FIELDS = [
  ...(["status", "p", "q", "p_charge_max", "p_discharge_max", "charge_efficiency", "discharge_efficiency"] as const),
  ...(["energy", "energy_min", "energy_max", "energy_value"] as const),
] as const satisfies (keyof StorageEdit)[];
export const INTERFACE_FIELDS = ["min_mw", "max_mw"] as const satisfies (keyof InterfaceEdit)[];

/** The base case. */
export const NO_EDITS: CaseEdits = { deltas: {}, rates: {} };

/** The accumulated change of one element. */
export interface ElementChange {
  kind: SelectableKind;
  id: number;
  baseMw: number;
  deltaMw: number;
}

/** The values of elements in the base case, MW or $/MWh. */
export type BaseValues = Pick<OpenedCase, "baseMw">;

/** Digits after the point of a sum: 0.1 and 0.2 make 0.3. */
const DIGITS = 9;
/** The same of reactances, tap ratios and phase shifts, which are smaller numbers. */
const VALUE_DIGITS = 12;

/** A number without the rounding error of sums, and without a negative zero; by default a power or a cost. */
export function plainSum(value: number, element?: Selection): number {
  return Number(value.toFixed(element !== undefined && isBranchValue(element) ? VALUE_DIGITS : DIGITS)) + 0;
}

/** The value that an edit gives an element in place of that of the case; undefined without one. */
export function replacedValue(edits: CaseEdits, element: Selection): number | undefined {
  if (element.kind === "generator") {
    const edit = edits.generators?.[String(element.id)];
    return edit?.[element.value ?? "p_max"];
  }
  if (element.kind === "link") {
    return edits.links?.[String(element.id)]?.[element.value ?? "p_max"];
  }
  if (element.kind === "storage") {
    return edits.storage?.[String(element.id)]?.[element.value ?? "p"];
  }
  return isBranchValue(element) ? edits.branches?.[String(element.id)]?.[element.value] : undefined;
}

/**
 * The change of one element from the base case, in the unit of the edited value. Only values that an edit replaces need
 * `base`.
 */
export function deltaOf(edits: CaseEdits, selection: NetworkElement): number;
export function deltaOf(edits: CaseEdits, selection: Selection, base: BaseValues): number;
export function deltaOf(edits: CaseEdits, selection: Selection, base?: BaseValues): number {
  if (selection.kind === "generator" || changesNetwork(selection)) {
    const value = replacedValue(edits, selection);
    return value === undefined || base === undefined ? 0 : plainSum(value - base.baseMw(selection), selection);
  }
  const table = selection.kind === "bus" ? edits.deltas : edits.rates;
  return table[String(selection.id)] ?? 0;
}

/**
 * The edits with one element set to a change from the base case, in the unit of the edited value. Only values that an
 * edit replaces need `base`.
 */
export function withDelta(edits: CaseEdits, selection: NetworkElement, deltaMw: number): CaseEdits;
export function withDelta(edits: CaseEdits, selection: Selection, deltaMw: 0): CaseEdits;
export function withDelta(edits: CaseEdits, selection: Selection, deltaMw: number, base: BaseValues): CaseEdits;
export function withDelta(edits: CaseEdits, selection: Selection, deltaMw: number, base?: BaseValues): CaseEdits {
  if (selection.kind === "generator" || changesNetwork(selection)) {
    const baseMw = base?.baseMw(selection);
    const value = deltaMw === 0 || baseMw === undefined ? undefined : plainSum(baseMw + deltaMw, selection);
    if (selection.kind === "branch") {
      return withBranchEdit(edits, selection.id, { [selection.value]: value });
    }
    if (selection.kind === "storage") {
      return withStorageEdit(edits, selection.id, { [selection.value ?? "p"]: value });
    }
    const values = { [selection.value ?? "p_max"]: value };
    return selection.kind === "link"
      ? withLinkEdit(edits, selection.id, values)
      : withGeneratorEdit(edits, selection.id, values);
  }
  const field = selection.kind === "bus" ? "deltas" : "rates";
  const { [String(selection.id)]: _replaced, ...rest } = edits[field];
  return { ...edits, [field]: deltaMw === 0 ? rest : { ...rest, [String(selection.id)]: deltaMw } };
}

/**
 * Edits from outside with original ids as keys: two spellings of one element add up, zeros are dropped. Unknown keys
 * stay, so that the engine refuses them by name.
 */
export function canonicalEdits(edits: CaseEdits, opened: OpenedCase): CaseEdits {
  return {
    deltas: canonicalTable(edits.deltas, (key) => idOf(opened, "bus", key)),
    rates: canonicalTable(edits.rates, (key) => idOf(opened, "branch", key)),
    ...furtherEdits({ ...edits, reactive: totals(edits.reactive ?? {}, (key) => idOf(opened, "bus", key)) }),
  };
}

/** Whether the MW of a move are the new change from the base case, or are added to the present one. */
export type MoveMode = "set" | "increment";

/** A requested change of one element, in the unit of the edited value. */
export interface ElementMove<Element extends Selection = Selection> {
  element: Element;
  mw: number;
}

/** The edits with some elements moved and all others unchanged. Only values that an edit replaces need `base`. */
export function withMoves(edits: CaseEdits, moves: readonly ElementMove<NetworkElement>[], mode: MoveMode): CaseEdits;
export function withMoves(edits: CaseEdits, moves: readonly ElementMove[], mode: MoveMode, base: BaseValues): CaseEdits;
export function withMoves(
  edits: CaseEdits,
  moves: readonly ElementMove[],
  mode: MoveMode,
  base: BaseValues = { baseMw: () => 0 },
): CaseEdits {
  return moves.reduce((moved, { element, mw }) => {
    const sum = mode === "set" ? mw + 0 : plainSum(deltaOf(moved, element, base) + mw, element);
    return withDelta(moved, element, sum, base);
  }, edits);
}

/** The change from the base case that brings an element of `baseMw` to `valueMw`; by default of a power or a cost. */
export function changeTo(valueMw: number, baseMw: number, element?: Selection): number {
  return plainSum(valueMw - baseMw, element);
}

/** The non-empty fields besides demand and ratings. */
export function furtherEdits({
  reactive = {},
  generators = {},
  branches = {},
  links = {},
  storage = {},
  interfaces = {},
  added = {},
}: Partial<CaseEdits>): Omit<CaseEdits, "deltas" | "rates"> {
  const given = Object.entries({ reactive, generators, branches, links, storage, interfaces, added });
  return Object.fromEntries(given.filter(([, table]) => Object.keys(table).length > 0));
}

/** The edits of a record that has them beside other fields, without empty tables. */
export function editsOf(record: CaseEdits): CaseEdits {
  const { deltas, rates } = record;
  return { deltas, rates, ...furtherEdits(record) };
}

/** The edits with a separate change of a bus's reactive demand, MVAr; null lets it follow the power factor. */
export function withReactive(edits: CaseEdits, bus: number, mvar: number | null): CaseEdits {
  const { [String(bus)]: _replaced, ...others } = edits.reactive ?? {};
  return withFurther(edits, { reactive: mvar === null ? others : { ...others, [String(bus)]: mvar } });
}

/** The edits with other values for one generator; a cost without `c2` replaces the whole curve. */
export function withGeneratorEdit(edits: CaseEdits, id: number, values: Values<GeneratorEdits[string]>): CaseEdits {
  const given = "cost" in values ? { c2: undefined, ...values } : values;
  return withFurther(edits, { generators: withValues(edits.generators ?? {}, id, given) });
}

/** The edits with other values for one branch. */
export function withBranchEdit(edits: CaseEdits, id: number, values: Values<BranchEdits[string]>): CaseEdits {
  return withFurther(edits, { branches: withValues(edits.branches ?? {}, id, values) });
}

/** The edits with other values for one HVDC link. */
export function withLinkEdit(edits: CaseEdits, id: number, values: Values<LinkEdit>): CaseEdits {
  return withFurther(edits, { links: withValues(edits.links ?? {}, id, values) });
}

/** The edits with other values for one storage unit. */
export function withStorageEdit(edits: CaseEdits, id: number, values: Values<StorageEdit>): CaseEdits {
  return withFurther(edits, { storage: withValues(edits.storage ?? {}, id, values) });
}

/** The edits with other limits of one interface. */
export function withInterfaceEdit(edits: CaseEdits, name: string, limits: Values<InterfaceEdit>): CaseEdits {
  return withFurther(edits, { interfaces: withValues(edits.interfaces ?? {}, name, limits) });
}

/** The edits with an element in or out of service; undefined gives it the status of the case. */
export function withStatus(edits: CaseEdits, { kind, id }: Selection, status: boolean | undefined): CaseEdits {
  switch (kind) {
    case "generator":
      return withGeneratorEdit(edits, id, { status });
    case "branch":
      return withBranchEdit(edits, id, { status });
    case "link":
      return withLinkEdit(edits, id, { status });
    case "storage":
      return withStorageEdit(edits, id, { status });
    case "bus":
      return edits;
  }
}

/** The edits with further elements. */
export function withAdded(
  edits: CaseEdits,
  { branches = [], generators = [], links = [], storage = [], loads = [] }: AddedElements,
): CaseEdits {
  const { added = {} } = edits;
  return withElements(edits, {
    branches: [...(added.branches ?? []), ...branches],
    generators: [...(added.generators ?? []), ...generators],
    links: [...(added.links ?? []), ...links],
    storage: [...(added.storage ?? []), ...storage],
    loads: [...(added.loads ?? []), ...loads],
  });
}

/**
 * The edits without an added element. Ids of later elements of its table move down, and edits follow them; edits of the
 * element itself go. `ofCase` is the case as it was read.
 */
export function withoutAdded(edits: CaseEdits, element: AddedElement, ofCase: CaseCounts): CaseEdits {
  const { table, place } = element;
  const rows: readonly object[] = edits.added?.[table] ?? [];
  const left = withElements(edits, { ...edits.added, [table]: rows.filter((_, at) => at !== place) });
  const gone = addedId(element, ofCase);
  if (gone === null || table === "loads") {
    return left;
  }
  const followed = <Edit>(edited: Readonly<Record<string, Edit>> = {}): Record<string, Edit> =>
    Object.fromEntries(
      Object.entries(edited).flatMap(([key, edit]): [string, Edit][] => {
        const id = Number(key);
        return id === gone ? [] : [[id > gone ? String(id - 1) : key, edit]];
      }),
    );
  const changed =
    table === "branches"
      ? { rates: followed(edits.rates), branches: followed(edits.branches) }
      : { [table]: followed(edits[table]) };
  return { ...NO_EDITS, ...withFurther({ ...left, ...changed }, {}) };
}

function withElements({ added: _replaced, ...edits }: CaseEdits, elements: AddedElements): CaseEdits {
  const tables = Object.entries(elements).filter(([, rows]: [string, readonly object[]]) => rows.length > 0);
  return tables.length === 0 ? edits : { ...edits, added: Object.fromEntries(tables) };
}

function withFurther({ deltas, rates, ...further }: CaseEdits, changed: Partial<CaseEdits>): CaseEdits {
  return { deltas, rates, ...furtherEdits({ ...further, ...changed }) };
}

function withValues<Edit extends object>(
  edits: Readonly<Record<string, Edit>>,
  id: number | string,
  values: Values<Edit>,
): Record<string, Edit> {
  const merged = { ...edits[String(id)], ...values };
  const given = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Edit;
  const { [String(id)]: _replaced, ...others } = edits;
  return Object.keys(given).length === 0 ? others : { ...others, [String(id)]: given };
}

/** Whether a state differs from the base case. */
export function isEdited(edits: CaseEdits): boolean {
  return !sameEdits(edits, NO_EDITS);
}

/** Whether two sets of canonical edits are the same. */
export function sameEdits(a: CaseEdits, b: CaseEdits): boolean {
  return (
    sameTable(a.deltas, b.deltas) &&
    sameTable(a.rates, b.rates) &&
    sameTable(a.reactive ?? {}, b.reactive ?? {}) &&
    changedGenerators(a, b).length === 0 &&
    changedBranches(a, b).length === 0 &&
    changedLinks(a, b).length === 0 &&
    changedStorage(a, b).length === 0 &&
    changedInterfaces(a, b).length === 0 &&
    addedKey(a.added) === addedKey(b.added)
  );
}

/** Ids of the generators whose values differ between two sets of canonical edits. */
export function changedGenerators({ generators: a = {} }: CaseEdits, { generators: b = {} }: CaseEdits): string[] {
  return changedElements(GENERATOR_FIELDS, a, b);
}

/** Ids of the branches whose values differ between two sets of canonical edits. */
export function changedBranches({ branches: a = {} }: CaseEdits, { branches: b = {} }: CaseEdits): string[] {
  return changedElements(BRANCH_FIELDS, a, b);
}

/** Ids of the HVDC links whose values differ between two sets of canonical edits. */
export function changedLinks({ links: a = {} }: CaseEdits, { links: b = {} }: CaseEdits): string[] {
  return changedElements(LINK_FIELDS, a, b);
}

/** Ids of the storage units whose values differ between two sets of canonical edits. */
export function changedStorage({ storage: a = {} }: CaseEdits, { storage: b = {} }: CaseEdits): string[] {
  return changedElements(STORAGE_FIELDS, a, b);
}

/** Names of the interfaces whose limits differ between two sets of canonical edits. */
export function changedInterfaces({ interfaces: a = {} }: CaseEdits, { interfaces: b = {} }: CaseEdits): string[] {
  return changedElements(INTERFACE_FIELDS, a, b);
}

function changedElements<Field extends string>(
  fields: readonly Field[],
  a: Readonly<Record<string, { [Name in Field]?: unknown }>>,
  b: Readonly<Record<string, { [Name in Field]?: unknown }>>,
): string[] {
  return Object.keys({ ...a, ...b }).filter((id) => fields.some((field) => a[id]?.[field] !== b[id]?.[field]));
}

/** Number of changed elements: demands, ratings, separate reactive demands, and elements and interfaces with other values; and of added ones. */
export function countChanges(edits: CaseEdits): number {
  // The record may have other fields.
  const { added, ...further } = furtherEdits(edits);
  const tables: object[] = [edits.deltas, edits.rates, ...Object.values(further), listAdded(added)];
  return tables.reduce<number>((count, changed) => count + Object.keys(changed).length, 0);
}

/** The accumulated changes of demands and ratings, buses first, each by ascending id. */
export function listChanges(edits: CaseEdits, opened: OpenedCase): ElementChange[] {
  const list = (kind: SelectableKind, table: Readonly<DemandDeltas>): ElementChange[] =>
    Object.entries(table)
      .map(([key, deltaMw]) => {
        const id = Number(key);
        return { kind, id, baseMw: opened.baseMw({ kind, id }, edits), deltaMw };
      })
      .sort((a, b) => a.id - b.id);
  return [...list("bus", edits.deltas), ...list("branch", edits.rates)];
}

function idOf(opened: OpenedCase, kind: SelectableKind, key: string): string {
  const row = opened.keyRow(kind, key);
  const element = kind === "bus" ? opened.buses[row] : opened.branches[row];
  return element ? String(element.id) : key;
}

function canonicalTable(table: Readonly<DemandDeltas>, idOfKey: (key: string) => string): DemandDeltas {
  return Object.fromEntries(Object.entries(totals(table, idOfKey)).filter(([, mw]) => mw !== 0));
}

function totals(table: Readonly<DemandDeltas>, idOfKey: (key: string) => string): DemandDeltas {
  const sums = new Map<string, number>();
  for (const [key, amount] of Object.entries(table)) {
    const id = idOfKey(key);
    sums.set(id, (sums.get(id) ?? 0) + (amount ?? 0));
  }
  return Object.fromEntries(sums);
}

function sameTable(a: Readonly<DemandDeltas>, b: Readonly<DemandDeltas>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
