import { type CaseSession, deltaOf, editUnit, PRICE, type NetworkElement } from "@service/widgets/workspace";
import { label, rounded, ToolError } from "../answers.ts";
import { type Call, type Done, reading, type ToolContext } from "../call.ts";
import { shownState } from "./cases.ts";
import { feederRows } from "./feeders.ts";
import { elementOf, type ElementId } from "../elements.ts";

type SortBy =
  "id" | "demand_mw" | "generation_mw" | "price" | "voltage_pu" | "voltage_v" | "loading" | "flow_mw" | "rating_mw";

interface Query {
  case_id: string;
  element_kind: NetworkElement["kind"];
  element_ids?: readonly ElementId[];
  sort_by?: SortBy;
  direction?: "ascending" | "descending";
  limit?: number;
}

/** Rows of an answer that asks for no number. */
const USUAL_ROWS = 5;

/** Quantities of each kind of element, and how they are read. */
const QUANTITIES: Record<
  NetworkElement["kind"],
  Partial<Record<SortBy, (session: CaseSession) => (row: number) => number>>
> = {
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
  },
};

/** The column that a quantity needs, where not every formulation has it. */
const NEEDS: Partial<Record<SortBy, string>> = {
  price: PRICE,
  voltage_pu: "vm_pu",
  loading: "loading",
  flow_mw: "flow_mw",
};

/** A bounded set of buses or branches. */
export async function queryNetwork(query: Query, _call: Call, { ids, workspace }: ToolContext): Promise<Done> {
  const { network } = workspace;
  if (network !== null && network.feeder !== null && ids.of(network) === query.case_id) {
    const rows = feederRows(network, query);
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
  const { element_kind: kind, element_ids: wanted, sort_by: sortBy = "id", limit = USUAL_ROWS } = query;
  const { direction = sortBy === "id" ? "ascending" : "descending" } = query;
  const { opened, store } = session;
  const key = sortBy === "id" ? (row: number) => row : QUANTITIES[kind][sortBy]?.(session);
  const needed = NEEDS[sortBy];
  if (key === undefined || (needed !== undefined && !store.columns.has(needed))) {
    throw new ToolError("QUANTITY.UNAVAILABLE", `${sortBy} is not available for a ${kind} in ${session.formulation}.`);
  }
  const rows =
    wanted === undefined
      ? (kind === "bus" ? opened.buses : opened.branches)
          .map((_, row) => row)
          .filter((row) => Number.isFinite(key(row)))
      : [...new Set(wanted.map((id) => opened.rowOf(elementOf(session, kind, id))))];
  const sign = direction === "ascending" ? 1 : -1;
  if (sortBy === "id") {
    const idAt = (row: number): number => (kind === "bus" ? opened.busId(row) : (opened.branches[row]?.id ?? 0));
    rows.sort((a, b) => sign * (idAt(a) - idAt(b)));
  } else {
    const rank = (row: number): number => (Number.isFinite(key(row)) ? sign * key(row) : Infinity);
    rows.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
  }
  const found = rows.slice(0, wanted === undefined ? limit : Math.max(limit, wanted.length));
  const shown = found.map((row) => (kind === "bus" ? busRow(session, row) : branchRow(session, row)));
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
    ...(bus?.name && { label: label(bus.name) }),
    base_kv: bus?.base_kv,
    ...known("bus", session, row),
    ...(bus?.in_service === false && { in_service: false }),
  };
}

function branchRow(session: CaseSession, row: number) {
  const branch = session.opened.branches[row];
  const shadow = session.store.columns.at("shadow", row);
  return {
    ...{ id: branch?.id, from: branch?.from, to: branch?.to },
    ...known("branch", session, row),
    ...(Number.isFinite(shadow) && { shadow_price: rounded(shadow) }),
    ...(branch?.status === 0 && { in_service: false }),
  };
}

function known(kind: NetworkElement["kind"], session: CaseSession, row: number): Record<string, number | null> {
  const values = Object.entries(QUANTITIES[kind]).map(([name, of]) => [name, of(session)(row)] as const);
  return Object.fromEntries(
    values.filter(([, value]) => Number.isFinite(value)).map(([name, value]) => [name, rounded(value)]),
  );
}

/** Generation by dense bus row, MW: what was solved, or the output in the file where nothing was dispatched. */
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
  {
    case_id,
    element_kind,
    element_id,
  }: { case_id: string; element_kind: NetworkElement["kind"]; element_id: ElementId },
  call: Call,
  { ids }: ToolContext,
): Promise<Done> {
  const session = ids.displayed(case_id);
  const element = elementOf(session, element_kind, element_id);
  await reading(call, session.select(element));
  return { data: { case_id, revision: session.proposals.revision, selected: element } };
}
