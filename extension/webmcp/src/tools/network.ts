import { type CaseSession, deltaOf, editUnit, PRICE, type Selection } from "@service/widgets/workspace";
import { rounded, ToolError, USUAL_ROWS } from "../answers.ts";
import { type Call, type Done, reading, type ToolContext } from "../call.ts";
import { shownState } from "./cases.ts";
import { feederRows } from "./feeders.ts";
import { listed } from "./lists.ts";
import { named, titleOf } from "./means.ts";
import { elementOf, type ElementId } from "../elements.ts";

type SortBy =
  | "id"
  | "demand_mw"
  | "generation_mw"
  | "price"
  | "voltage_pu"
  | "voltage_v"
  | "loading"
  | "flow_mw"
  | "rating_mw"
  | "shadow_price"
  | "output_mw"
  | "capacity_mw"
  | "cost"
  | "price_difference";

type Kind = Selection["kind"];

interface Query {
  case_id: string;
  element_kind: Kind | "outage" | "area";
  element_ids?: readonly ElementId[];
  search?: string;
  include?: "components";
  sort_by?: SortBy;
  direction?: "ascending" | "descending";
  limit?: number;
}

/** Quantities of each element kind, and how they are read. */
const QUANTITIES: Record<Kind, Partial<Record<SortBy, (session: CaseSession) => (row: number) => number>>> = {
  bus: {
    demand_mw:
      ({ opened, state }) =>
      (row) =>
        (opened.buses[row]?.demand_mw ?? NaN) + deltaOf(state.edits, { kind: "bus", id: opened.busId(row) }),
    generation_mw: (session) => {
      const sums = generation(session);
      return (row) => sums[row] ?? NaN;
    },
    price:
      ({ store }) =>
      (row) =>
        store.columns.at(PRICE, row),
    voltage_pu:
      ({ store }) =>
      (row) =>
        store.columns.at("vm_pu", row),
  },
  branch: {
    loading:
      ({ store }) =>
      (row) =>
        store.columns.at("loading", row),
    flow_mw:
      ({ store }) =>
      (row) =>
        store.columns.at("flow_mw", row),
    rating_mw:
      ({ opened, state }) =>
      (row) => {
        const { id = 0, rate_mw = null } = opened.branches[row] ?? {};
        return (rate_mw ?? NaN) + deltaOf(state.edits, { kind: "branch", id });
      },
    shadow_price:
      ({ store }) =>
      (row) =>
        store.columns.at("shadow", row),
  },
  generator: {
    output_mw:
      ({ store }) =>
      (row) =>
        store.columns.at("dispatch_mw", row),
    capacity_mw:
      ({ opened }) =>
      (row) =>
        opened.generators[row]?.p_max_mw ?? NaN,
    cost:
      ({ opened }) =>
      (row) =>
        opened.generators[row]?.cost_c1 ?? NaN,
  },
  link: {
    flow_mw:
      ({ store }) =>
      (row) =>
        store.columns.at("link_mw", row),
    capacity_mw:
      ({ opened }) =>
      (row) =>
        opened.links[row]?.p_max_mw ?? NaN,
    price_difference:
      ({ store }) =>
      (row) =>
        store.columns.at("link_price_difference", row),
    shadow_price:
      ({ store }) =>
      (row) =>
        store.columns.at("link_shadow", row),
  },
  storage: {
    output_mw:
      ({ store }) =>
      (row) =>
        store.columns.at("storage_mw", row),
    capacity_mw:
      ({ opened }) =>
      (row) =>
        opened.storage[row]?.p_discharge_max_mw ?? NaN,
  },
};

/** The column that a quantity requires, where some formulations lack it. */
const NEEDS: Record<Kind, Partial<Record<SortBy, string>>> = {
  bus: { price: PRICE, voltage_pu: "vm_pu" },
  branch: { loading: "loading", flow_mw: "flow_mw", shadow_price: "shadow" },
  generator: { output_mw: "dispatch_mw" },
  link: { flow_mw: "link_mw", price_difference: "link_price_difference", shadow_price: "link_shadow" },
  storage: { output_mw: "storage_mw" },
};

/** A bounded set of elements, outages or areas. */
export async function queryNetwork(query: Query, call: Call, { ids, workspace }: ToolContext): Promise<Done> {
  const { network } = workspace;
  const { element_kind: kind } = query;
  if (network !== null && network.feeder !== null && ids.of(network) === query.case_id) {
    if (kind !== "bus" && kind !== "branch") {
      throw new ToolError("QUANTITY.UNAVAILABLE", `A feeder has no list of the kind ${kind}.`);
    }
    const rows = feederRows(network, { ...query, element_kind: kind });
    const most = Math.max(query.limit ?? USUAL_ROWS, query.element_ids?.length ?? 0);
    return {
      data: {
        case_id: query.case_id,
        revision: ids.revision(network),
        rows: rows.slice(0, most),
        matched: rows.length,
      },
    };
  }
  const session = ids.displayed(query.case_id);
  if (kind === "area" || kind === "outage") {
    return { data: await listed(session, { ...query, element_kind: kind }, call) };
  }
  const { element_ids: wanted, sort_by: sortBy = "id", limit = USUAL_ROWS } = query;
  const { direction = sortBy === "id" ? "ascending" : "descending" } = query;
  const { opened, store } = session;
  const key = sortBy === "id" ? (row: number) => row : QUANTITIES[kind][sortBy]?.(session);
  const needed = NEEDS[kind][sortBy];
  if (key === undefined || (needed !== undefined && !store.columns.has(needed))) {
    throw new ToolError("QUANTITY.UNAVAILABLE", `${sortBy} is not available for a ${kind} in ${session.formulation}.`);
  }
  const { buses, branches, generators, links, storage } = opened;
  const all = { bus: buses, branch: branches, generator: generators, link: links, storage }[kind];
  const rowOf = (id: ElementId): number => opened.rowOf(selectionOf(session, kind, id));
  const search = query.search?.toLowerCase();
  const rows = (
    wanted === undefined
      ? all.map((_, row) => row).filter((row) => Number.isFinite(key(row)))
      : [...new Set(wanted.map(rowOf))]
  ).filter((row) => search === undefined || titleOf(opened, kind, row).toLowerCase().includes(search));
  const sign = direction === "ascending" ? 1 : -1;
  if (sortBy === "id") {
    const idAt = (row: number): number => all[row]?.id ?? 0;
    rows.sort((a, b) => sign * (idAt(a) - idAt(b)));
  } else {
    const rank = (row: number): number => (Number.isFinite(key(row)) ? sign * key(row) : Infinity);
    rows.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
  }
  const found = rows.slice(0, wanted === undefined ? limit : Math.max(limit, wanted.length));
  const shown: Record<string, unknown>[] = found.map((row) => ROWS[kind](session, row));
  if (kind === "bus" && query.include === "components" && session.capabilities.has("lmp_components")) {
    for (const row of shown) {
      row["components"] = await reading(call, parts(session, Number(row["id"])));
    }
  }
  return {
    data: {
      ...{ case_id: query.case_id, revision: session.proposals.revision, ...shownState(session) },
      ...{ rows: shown, matched: rows.length },
      ...(kind === "branch" && { units: { rating_mw: editUnit(kind, session.formulation) } }),
    },
    optional: ["units"],
  };
}

function busRow(session: CaseSession, row: number) {
  const { opened } = session;
  const bus = opened.buses[row];
  return {
    id: opened.busId(row),
    ...named(opened, "bus", row),
    base_kv: bus?.base_kv,
    ...known("bus", session, row),
    ...(bus?.in_service === false && { in_service: false }),
  };
}

function branchRow(session: CaseSession, row: number) {
  const branch = session.opened.branches[row];
  return {
    ...{ id: branch?.id, ...named(session.opened, "branch", row), from: branch?.from, to: branch?.to },
    ...known("branch", session, row),
    ...(branch?.status === 0 && { in_service: false }),
  };
}

function unitRow(session: CaseSession, row: number) {
  const unit = session.opened.generators[row];
  return {
    ...{
      id: unit?.id,
      ...named(session.opened, "generator", row),
      bus_id: unit?.bus,
      energy_source: unit?.energy_source,
    },
    ...known("generator", session, row),
    ...(unit?.status === 0 && { in_service: false }),
  };
}

function linkRow(session: CaseSession, row: number) {
  const link = session.opened.links[row];
  return {
    ...{ id: link?.id, ...named(session.opened, "link", row), from: link?.from, to: link?.to },
    ...known("link", session, row),
    ...(link?.status === 0 && { in_service: false }),
  };
}

function storageRow(session: CaseSession, row: number) {
  const unit = session.opened.storage[row];
  return {
    ...{ id: unit?.id, ...named(session.opened, "storage", row), bus_id: unit?.bus },
    ...known("storage", session, row),
    ...(unit?.status === 0 && { in_service: false }),
  };
}

const ROWS: Record<Kind, (session: CaseSession, row: number) => Record<string, unknown>> = {
  bus: busRow,
  branch: branchRow,
  generator: unitRow,
  link: linkRow,
  storage: storageRow,
};

/** The element of an id. Throws `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `GENERATOR.UNKNOWN`, `LINK.UNKNOWN`, `STORAGE.UNKNOWN`. */
function selectionOf(session: CaseSession, kind: Kind, key: ElementId): Selection {
  if (kind === "bus" || kind === "branch") {
    return elementOf(session, kind, key);
  }
  const { generators, links, storage } = session.opened;
  const rows: readonly { id: number; uid: string | null }[] = { generator: generators, link: links, storage }[kind];
  const found = rows.find(({ id, uid }) => String(id) === String(key) || uid === key);
  if (found === undefined) {
    throw new ToolError(`${kind.toUpperCase()}.UNKNOWN`, `The case has no ${kind} with id ${JSON.stringify(key)}.`);
  }
  return { kind, id: found.id };
}

/** Energy, and the lines with the largest shares of the congestion in a price. */
async function parts(session: CaseSession, bus: number) {
  const { energy, congestion } = await session.lmpComponents(bus);
  const shares = [...congestion].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return {
    energy: rounded(energy),
    congestion: rounded(shares.reduce((sum, { value }) => sum + value, 0)),
    by_line: shares.slice(0, 3).map(({ branch, value }) => ({ branch_id: branch, share: rounded(value) })),
  };
}

function known(kind: Kind, session: CaseSession, row: number): Record<string, number | null> {
  const values = Object.entries(QUANTITIES[kind]).map(([name, of]) => [name, of(session)(row)] as const);
  return Object.fromEntries(
    values.filter(([, value]) => Number.isFinite(value)).map(([name, value]) => [name, rounded(value)]),
  );
}

/** Generation by dense bus row, MW: the solution's, or the output in the file where there is no dispatch. */
function generation({ opened, store }: CaseSession): Float64Array {
  const output = store.columns.values("dispatch_mw");
  if (output === null) {
    return Float64Array.from(opened.buses, ({ gen_mw }) => gen_mw);
  }
  const sums = new Float64Array(opened.buses.length);
  opened.ingested.topology.generators.forEach(({ bus }, k) => {
    const row = opened.busRow(bus);
    sums[row] = (sums[row] ?? 0) + (Number.isFinite(output[k]) ? (output[k] ?? 0) : 0);
  });
  return sums;
}

/** Selects an element in the interface. */
export async function focusNetwork(
  { case_id, element_kind, element_id }: { case_id: string; element_kind: Kind; element_id: ElementId },
  call: Call,
  { ids }: ToolContext,
): Promise<Done> {
  const session = ids.displayed(case_id);
  const element = selectionOf(session, element_kind, element_id);
  await reading(call, session.select(element));
  return { data: { case_id, revision: session.proposals.revision, selected: element } };
}
