import type { AddedElements, BranchEdit, GeneratorEdit, InterfaceEdit, LinkEdit, StorageEdit } from "@service/engine";
import {
  addedId,
  type CaseEdits,
  type CaseSession,
  type ElementMove,
  listAdded,
  type MoveMode,
  type NetworkElement,
  withAdded,
  withBranchEdit,
  withGeneratorEdit,
  withInterfaceEdit,
  withLinkEdit,
  withMoves,
  withoutAdded,
  withStorageEdit,
} from "@service/widgets/workspace";
import { ToolError } from "./answers.ts";

/** An element as named by an agent: by original id or row uid. */
export type ElementId = string | number;

/** The element of an id. Throws `BUS.UNKNOWN`, `BRANCH.UNKNOWN`. */
export function elementOf({ opened }: CaseSession, kind: NetworkElement["kind"], id: ElementId): NetworkElement {
  const row = opened.keyRow(kind, String(id));
  const element = (kind === "bus" ? opened.buses : opened.branches)[row];
  if (element === undefined) {
    const code = kind === "bus" ? "BUS.UNKNOWN" : "BRANCH.UNKNOWN";
    throw new ToolError(code, `The case has no ${kind} with id ${JSON.stringify(id)}.`);
  }
  return { kind, id: element.id };
}

/** Values of elements by the name of the contract, each with the id of its element. */
type Updates<Id extends string, Edit> = readonly (Readonly<Record<Id, ElementId>> & Edit)[];

/** The edits that an agent requests. */
export interface RequestedEdits {
  demand?: readonly { bus_id: ElementId; delta_mw: number }[];
  ratings?: readonly { branch_id: ElementId; delta_mw: number }[];
  generators?: Updates<"generator_id", GeneratorEdit>;
  branches?: Updates<"branch_id", BranchEdit>;
  links?: Updates<"link_id", LinkEdit>;
  storage?: Updates<"storage_id", StorageEdit>;
  interfaces?: Updates<"interface_id", InterfaceEdit>;
  add?: AddedElements;
  /** Names of added elements. */
  remove?: readonly string[];
  mode?: MoveMode;
}

/**
 * A batch of edits: whether it names no element, and the resulting absolute edits of a state. Elements are removed first,
 * then added, then edited. Throws where an element is unknown or named twice.
 */
export function editBatch(session: CaseSession, requested: RequestedEdits) {
  const { demand = [], ratings = [], add = {}, remove = [], mode = "set" } = requested;
  const moves: ElementMove<NetworkElement>[] = [
    ...demand.map(({ bus_id, delta_mw: mw }) => ({ element: elementOf(session, "bus", bus_id), mw })),
    ...ratings.map(({ branch_id, delta_mw: mw }) => ({ element: elementOf(session, "branch", branch_id), mw })),
  ];
  const { generators = [], branches = [], links = [], storage = [], interfaces = [] } = requested;
  const updates: readonly Update[] = [
    ...generators.map(({ generator_id: key, ...values }) => ({ table: "generators", key, values }) as const),
    ...branches.map(({ branch_id: key, ...values }) => ({ table: "branches", key, values }) as const),
    ...links.map(({ link_id: key, ...values }) => ({ table: "links", key, values }) as const),
    ...storage.map(({ storage_id: key, ...values }) => ({ table: "storage", key, values }) as const),
    ...interfaces.map(({ interface_id: key, ...values }) => ({ table: "interfaces", key, values }) as const),
  ];
  const seen = new Set<string>();
  const names = [
    ...moves.map(({ element }) => `${element.kind} ${element.id}`),
    ...updates.map(({ table, key }) => `value of ${NOUNS[table]} ${key}`),
    ...remove.map((name) => `added element ${name}`),
  ];
  for (const key of names) {
    if (seen.has(key)) {
      throw new ToolError("DELTA.DUPLICATE", `The batch names ${key} twice.`);
    }
    seen.add(key);
  }
  const added = byId(session, add);
  const edits = (before: CaseEdits): CaseEdits => {
    const left = remove.reduce((edits, name) => withoutNamed(session, edits, name), before);
    const grown = withAdded(withMoves(left, moves, mode), added);
    return updates.reduce((edits, update) => withUpdate(session, edits, update), grown);
  };
  // Unknown names are refused at once.
  edits(session.state.edits);
  return { isEmpty: names.length === 0 && listAdded(added).length === 0, edits };
}

type Update =
  | { readonly table: "generators"; readonly key: ElementId; readonly values: GeneratorEdit }
  | { readonly table: "branches"; readonly key: ElementId; readonly values: BranchEdit }
  | { readonly table: "links"; readonly key: ElementId; readonly values: LinkEdit }
  | { readonly table: "storage"; readonly key: ElementId; readonly values: StorageEdit }
  | { readonly table: "interfaces"; readonly key: ElementId; readonly values: InterfaceEdit };

/** Tables of elements that the case has. */
type ElementTable = Exclude<Update["table"], "interfaces">;

const NOUNS = {
  ...({ generators: "generator", branches: "branch", links: "link" } as const),
  ...({ storage: "storage unit", interfaces: "interface" } as const),
} as const;
const UNKNOWN = {
  generators: "GENERATOR.UNKNOWN",
  branches: "BRANCH.UNKNOWN",
  links: "LINK.UNKNOWN",
  storage: "STORAGE.UNKNOWN",
} as const;

function withUpdate(session: CaseSession, edits: CaseEdits, { table, key, values }: Update): CaseEdits {
  if (table === "interfaces") {
    return withInterfaceEdit(edits, String(key), values); // the engine knows the names
  }
  const id = idIn(session, edits, table, key);
  switch (table) {
    case "generators":
      return withGeneratorEdit(edits, id, values);
    case "branches":
      return withBranchEdit(edits, id, values);
    case "links":
      return withLinkEdit(edits, id, values);
    case "storage":
      return withStorageEdit(edits, id, values);
  }
}

/** The id of an element of the case, or of one that the edits add. Throws `GENERATOR.UNKNOWN`, `BRANCH.UNKNOWN`, `LINK.UNKNOWN`,
 * `STORAGE.UNKNOWN`. */
function idIn({ opened }: CaseSession, edits: CaseEdits, table: ElementTable, key: ElementId): number {
  const ofCase: readonly { readonly id: number; readonly uid: string | null }[] = opened.rowsOfCase[table];
  const added = listAdded(edits.added).filter((element) => element.table === table);
  const text = String(key);
  if (/^[0-9]+$/.test(text)) {
    const id = Number(text);
    if (id >= 1 && id <= ofCase.length + added.length) return id;
  } else {
    const own = ofCase.find(({ uid }) => uid === text)?.id;
    const named = added.find(({ row }) => row.name === text);
    const id = own ?? (named && addedId(named, opened.rowsOfCase));
    if (id !== undefined && id !== null) return id;
  }
  throw new ToolError(UNKNOWN[table], `The case has no ${NOUNS[table]} with id ${JSON.stringify(key)}.`);
}

/** Added elements with the ids of buses and branches of the case. Throws `BUS.UNKNOWN`, `BRANCH.UNKNOWN`. */
function byId(session: CaseSession, added: AddedElements) {
  const { branches = [], generators = [], links = [], storage = [], loads = [] } = added;
  const bus = (key: ElementId): number => elementOf(session, "bus", key).id;
  const at = <Row extends { bus: ElementId }>(row: Row) => ({ ...row, bus: bus(row.bus) });
  return {
    branches: branches.map(({ from, to, copy_of: copied, ...row }) => ({
      ...row,
      ...(from !== undefined && { from: bus(from) }),
      ...(to !== undefined && { to: bus(to) }),
      ...(copied !== undefined && { copy_of: elementOf(session, "branch", copied).id }),
    })),
    generators: generators.map(at),
    links: links.map((row) => ({ ...row, from: bus(row.from), to: bus(row.to) })),
    storage: storage.map(at),
    loads: loads.map(at),
  };
}

/** The edits without an added element. Throws `ADDED.UNKNOWN`. */
function withoutNamed({ opened }: CaseSession, edits: CaseEdits, name: string): CaseEdits {
  const named = listAdded(edits.added).filter(({ row }) => row.name === name);
  const [element] = named;
  if (element === undefined || named.length > 1) {
    throw new ToolError("ADDED.UNKNOWN", `The Study has added no element named ${JSON.stringify(name)}.`);
  }
  return withoutAdded(edits, element, opened.rowsOfCase);
}
