import type { AddedBranch, AddedElements, AddedGenerator, AddedLink, AddedLoad, AddedStorage } from "@service/engine";
import { formatMw, formatPower, type Namer, trans, visibleText } from "../../text/index.ts";

/** An element that edits add to the case, with its place in its table. */
export type AddedElement =
  | { readonly table: "branches"; readonly place: number; readonly row: AddedBranch }
  | { readonly table: "generators"; readonly place: number; readonly row: AddedGenerator }
  | { readonly table: "links"; readonly place: number; readonly row: AddedLink }
  | { readonly table: "storage"; readonly place: number; readonly row: AddedStorage }
  | { readonly table: "loads"; readonly place: number; readonly row: AddedLoad };

/** The added elements: branches, generators, links, storage units, loads, in the order of their ids. */
export function listAdded({
  branches = [],
  generators = [],
  links = [],
  storage = [],
  loads = [],
}: AddedElements = {}): AddedElement[] {
  return [
    ...branches.map((row, place) => ({ table: "branches", place, row }) as const),
    ...generators.map((row, place) => ({ table: "generators", place, row }) as const),
    ...links.map((row, place) => ({ table: "links", place, row }) as const),
    ...storage.map((row, place) => ({ table: "storage", place, row }) as const),
    ...loads.map((row, place) => ({ table: "loads", place, row }) as const),
  ];
}

/** Added elements as text: equal for equal elements, empty without any. */
export function addedKey(added: AddedElements = {}): string {
  const parts = listAdded(added).map(({ table, row }) => {
    const fields = Object.entries(row).filter(([, value]) => value !== undefined);
    return [table, fields.sort(([a], [b]) => (a < b ? -1 : 1))];
  });
  return parts.length === 0 ? "" : JSON.stringify(parts);
}

/** Numbers of branches, generators, links and storage units of a case without added elements. */
export interface CaseCounts {
  readonly branches: readonly unknown[];
  readonly generators: readonly unknown[];
  readonly links: readonly unknown[];
  readonly storage: readonly unknown[];
}

/** The id of an added branch, generator, link or storage unit; null for a load, which is part of the demand of its bus. */
export function addedId({ table, place }: AddedElement, ofCase: CaseCounts): number | null {
  return table === "loads" ? null : ofCase[table].length + 1 + place;
}

/** The ids that mean different added elements in two states. */
export function otherIds(
  table: "branches" | "generators",
  ofCase: CaseCounts,
  before: AddedElements = {},
  after: AddedElements = {},
): ReadonlySet<number> {
  const keys = (added: AddedElements): string[] =>
    (added[table] ?? []).map((row: object) => addedKey({ [table]: [row] }));
  const [was, is] = [keys(before), keys(after)];
  const places = [...was.keys()].filter((place) => place < is.length && was[place] !== is[place]);
  return new Set(places.map((place) => ofCase[table].length + 1 + place));
}

/** `line "tie" from bus 3 to bus 4`, `second circuit of line 12 (1 to 4)`, `generator at bus 3, 200.0 MW`, `HVDC link from bus 3 to bus 4, 200.0 MW`, `storage at bus 3`, `load of 10.0 MW at bus 3`. */
export function addedName({ table, row }: AddedElement, opened: Namer): string {
  const bus = (key: number | string | undefined): string => opened.nameOf("bus", Number(key));
  const named = row.name === undefined ? "" : ` \u201c${visibleText(row.name)}\u201d`;
  switch (table) {
    case "branches":
      return row.copy_of === undefined
        ? trans.__("line%1 from %2 to %3", named, bus(row.from), bus(row.to))
        : trans.__("parallel circuit%1 of %2", named, opened.nameOf("branch", Number(row.copy_of)));
    case "generators":
      return trans.__("generator%1 at %2, %3", named, bus(row.bus), formatPower(row.p_max, "MW"));
    case "links":
      return trans.__("HVDC link%1 from %2 to %3, %4", named, bus(row.from), bus(row.to), formatPower(row.p_max, "MW"));
    case "storage":
      return trans.__("storage%1 at %2", named, bus(row.bus));
    case "loads":
      return trans.__("load%1 of %2 MW at %3", named, formatMw(row.p), bus(row.bus));
  }
}
