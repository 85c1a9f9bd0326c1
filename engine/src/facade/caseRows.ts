// Rows of a balanced case. The engine sends numbers as columns and texts as lists; the rows are made when they are
// first read.
import type {
  IngestedCase,
  IngestedCaseHead,
  IngestedNetwork,
  IngestedNetworkHead,
  Network,
  NetworkBranch,
  NetworkBus,
  Topology,
  TopologyBranch,
  TopologyBus,
  TopologyGenerator,
  TopologyHead,
  TopologyLink,
  TopologyStorage,
} from "../contract.generated.ts";
import { lazily, type ColumnsByName } from "./rows.ts";

type Texts = (string | null)[] | undefined;

/** A case of either model, with its rows. */
export function networkOf(head: IngestedNetworkHead, columns: ColumnsByName): IngestedNetwork {
  return head.model === "balanced" ? caseOf(head, columns) : head;
}

/** A balanced case, with its rows. */
export function caseOf(head: IngestedCaseHead, columns: ColumnsByName): IngestedCase {
  const given = columns as Required<ColumnsByName>;
  const texts = head.topology;
  const rows: { [K in keyof Topology]: () => Topology[K] } = {
    buses: () => busRows(given, texts),
    branches: () => branchRows(given, texts),
    generators: () => generatorRows(given, texts),
    ...(columns.link_id && { links: () => linkRows(given, texts) }),
    ...(columns.storage_id && { storage: () => storageRows(given, texts) }),
  };
  const topology: Topology = lazily({}, rows);
  const view: Network | null =
    head.view &&
    lazily(head.view, {
      buses: () => shownBuses(topology.buses, given),
      branches: () => shownBranches(topology.branches, given),
    });
  return { ...head, topology, view };
}

const yes = (value: number | undefined): boolean => value === 1;
const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
const textAt = (texts: Texts, row: number): string | null => texts?.[row] ?? null;

/** One row for each id of a column. */
function rowsOf<Row>(ids: Float64Array, make: (id: number, row: number) => Row): Row[] {
  return Array.from(ids, make);
}

function busRows(columns: Required<ColumnsByName>, texts: TopologyHead): TopologyBus[] {
  const { bus_uids, bus_names, bus_source_indices: indices } = texts;
  const { area, zone, base_kv, demand_mw, gen_mw, bus_in_service, bus_editable } = columns;
  return rowsOf(columns.bus_id, (id, row) => ({
    id,
    uid: textAt(bus_uids, row),
    name: textAt(bus_names, row),
    ...(typeof indices?.[row] === "number" && { source_index: indices[row] }),
    area: orNull(area[row] as number),
    zone: orNull(zone[row] as number),
    base_kv: base_kv[row] as number,
    demand_mw: demand_mw[row] as number,
    gen_mw: gen_mw[row] as number,
    in_service: yes(bus_in_service[row]),
    editable: yes(bus_editable[row]),
  }));
}

function branchRows(
  columns: Required<ColumnsByName>,
  { branch_uids, branch_names, switches }: TopologyHead,
): TopologyBranch[] {
  const switched = new Set(switches);
  const { from_bus, to_bus, rating_mw, rating_is_fallback, branch_in_service, branch_editable } = columns;
  return rowsOf(columns.branch_id, (id, row) => ({
    id,
    uid: textAt(branch_uids, row),
    ...(typeof branch_names?.[row] === "string" && { name: branch_names[row] }),
    from: from_bus[row] as number,
    to: to_bus[row] as number,
    rate_mw: orNull(rating_mw[row] as number),
    rate_is_fallback: yes(rating_is_fallback[row]),
    ...(switched.has(row) && { is_switch: true }),
    status: branch_in_service[row] as number,
    editable: yes(branch_editable[row]),
  }));
}

function generatorRows(
  columns: Required<ColumnsByName>,
  { generator_uids, energy_sources, cost_points = {} }: TopologyHead,
): TopologyGenerator[] {
  const { generator_bus, p_min_mw, p_max_mw, generator_in_service, cost_c2, cost_c1, cost_c0 } = columns;
  return rowsOf(columns.generator_id, (id, row) => ({
    id,
    uid: textAt(generator_uids, row),
    bus: generator_bus[row] as number,
    p_min_mw: orNull(p_min_mw[row] as number),
    p_max_mw: orNull(p_max_mw[row] as number),
    status: generator_in_service[row] as number,
    energy_source: energy_sources?.[row] ?? "other",
    cost_c2: orNull(cost_c2[row] as number),
    cost_c1: orNull(cost_c1[row] as number),
    cost_c0: orNull(cost_c0[row] as number),
    ...(cost_points[row] === undefined ? {} : { cost_points: cost_points[row] }),
  }));
}

function linkRows(columns: Required<ColumnsByName>, { link_uids }: TopologyHead): TopologyLink[] {
  const { link_from_bus, link_to_bus, link_min_mw, link_max_mw, link_in_service } = columns;
  const { link_scheduled_mw, link_loss_mw, link_loss_factor, link_cost } = columns;
  return rowsOf(columns.link_id, (id, row) => ({
    id,
    uid: textAt(link_uids, row),
    from: link_from_bus[row] as number,
    to: link_to_bus[row] as number,
    p_min_mw: orNull(link_min_mw[row] as number),
    p_max_mw: orNull(link_max_mw[row] as number),
    p_mw: link_scheduled_mw[row] as number,
    loss_mw: link_loss_mw[row] as number,
    loss_factor: link_loss_factor[row] as number,
    cost: orNull(link_cost[row] as number),
    status: link_in_service[row] as number,
  }));
}

function storageRows(columns: Required<ColumnsByName>, { storage_uids }: TopologyHead): TopologyStorage[] {
  const { storage_bus, storage_held_mw, storage_held_mvar, storage_in_service, storage_energy_value } = columns;
  const { storage_charge_max_mw, storage_discharge_max_mw } = columns;
  const { storage_charge_efficiency, storage_discharge_efficiency } = columns;
  const { storage_energy_mwh, storage_energy_min_mwh, storage_energy_max_mwh } = columns;
  return rowsOf(columns.storage_id, (id, row) => ({
    id,
    uid: textAt(storage_uids, row),
    bus: storage_bus[row] as number,
    p_mw: storage_held_mw[row] as number,
    q_mvar: storage_held_mvar[row] as number,
    p_charge_max_mw: orNull(storage_charge_max_mw[row] as number),
    p_discharge_max_mw: orNull(storage_discharge_max_mw[row] as number),
    charge_efficiency: storage_charge_efficiency[row] as number,
    discharge_efficiency: storage_discharge_efficiency[row] as number,
    energy_mwh: orNull(storage_energy_mwh[row] as number),
    energy_min_mwh: storage_energy_min_mwh[row] as number,
    energy_max_mwh: orNull(storage_energy_max_mwh[row] as number),
    energy_value: orNull(storage_energy_value[row] as number),
    status: storage_in_service[row] as number,
  }));
}

/** The buses of the map view. */
function shownBuses(
  buses: readonly TopologyBus[],
  { map_longitude, map_latitude }: Required<ColumnsByName>,
): NetworkBus[] {
  const shown: NetworkBus[] = [];
  buses.forEach(({ id, uid, name, area, zone, base_kv, demand_mw, gen_mw, editable }, row) => {
    const [lon, lat] = [map_longitude[row] as number, map_latitude[row] as number];
    if (Number.isNaN(lon)) return;
    shown.push({ id, uid, name, lon, lat, area, zone, base_kv, demand_mw, gen_mw, editable });
  });
  return shown;
}

function shownBranches(
  branches: readonly TopologyBranch[],
  { route_corners, corner_longitude, corner_latitude }: Required<ColumnsByName>,
): NetworkBranch[] {
  let corner = 0;
  return branches.map(({ id, uid, from, to, rate_mw, status, editable }, row) => {
    const branch: NetworkBranch = { id, uid, from, to, rate_mw, status, editable };
    const count = route_corners[row] as number;
    if (Number.isNaN(count)) return branch;
    branch.path = Array.from({ length: count }, () => {
      const at: [number, number] = [corner_longitude[corner] as number, corner_latitude[corner] as number];
      corner += 1;
      return at;
    });
    return branch;
  });
}
