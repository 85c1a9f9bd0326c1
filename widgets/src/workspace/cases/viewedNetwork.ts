import type {
  Diagnostic,
  DistributionDevice,
  DistributionDeviceKind,
  IngestedDistribution,
  McReplayed,
} from "@service/engine";
import { capitalised, formatCount, formatMw, trans } from "../../text/index.ts";
import { Geography, type GeographyEngine } from "../geography/geography.ts";
import { type FeederEngine, FeederStudy } from "../feeder/feederStudy.ts";
import type { NetworkGraph } from "./networkGraph.ts";
import type { OpenedCase } from "./openedCase.ts";
import { FEEDER_CAPABILITIES, NO_CAPABILITIES } from "../session/capabilities.ts";
import type { ShownCase } from "./shownCase.ts";
import type { RelaxationSearch } from "./relaxationSearch.ts";

/** A bus as the viewer shows it. */
export interface ViewedBus {
  id: number | string;
  name: string | null;
  /** Its properties besides the name: terms and values with units. */
  facts: [string, string][];
  load: number;
  source: boolean;
  /** Rank of its voltage level; equal numbers are drawn alike. */
  level: number;
  /** Equipment connected to it; empty where the case does not list equipment by conductor. */
  devices: readonly ViewedDevice[];
}

/** Equipment at a bus. */
export interface ViewedDevice {
  kind: DistributionDeviceKind;
  id: string;
  /** Terminals of the bus that it is connected to. */
  terminals: readonly string[];
  inService: boolean;
}

/** A line, switch or transformer as the viewer shows it. */
export interface ViewedEdge {
  kind: string;
  id: string;
  from: number | string;
  to: number | string;
  closed: boolean;
  /** Terminals that its conductors join, at both ends. */
  conductors: readonly (readonly [string, string])[];
  /** A transformer with a regulator control. */
  regulated: boolean;
  facts: [string, string][];
}

/**
 * A network shown without a Study: a multiconductor case, which has no prices, or a balanced case whose base problem
 * has no solution.
 */
export interface ViewedNetwork extends ShownCase {
  /** The kind of model, in a word or two. */
  readonly model: string;
  /** Elements by kind, and totals with units. */
  readonly counts: readonly [string, string][];
  readonly buses: readonly ViewedBus[];
  readonly edges: readonly ViewedEdge[];
  /** Titles and properties of the HVDC links; absent where the model has none. */
  readonly links?: readonly {
    readonly title: string;
    readonly inService: boolean;
    readonly rows: [string, string][];
  }[];
  /** Unit of the loads. */
  readonly unit: "kW" | "MW";
  /** The reason why there is no Study, where the user needs one. */
  readonly problem: string | null;
  /** The case, and the search for a relaxation that makes it solvable. */
  readonly unsolved: {
    readonly opened: OpenedCase;
    readonly search: RelaxationSearch;
    /** The engine's details of the failure. */
    readonly details: unknown;
  } | null;
  readonly warnings: readonly Diagnostic[];
  /** The power flow of a multiconductor case. */
  readonly feeder: FeederStudy | null;
}

/** A multiconductor case as it was read; `replayed` is the power flow saved with it. */
export function viewDistribution(
  read: IngestedDistribution,
  engine: GeographyEngine & FeederEngine,
  name: string,
  replayed?: McReplayed,
): ViewedNetwork {
  const { buses, edges } = read.graph;
  const rows = new Map(buses.map((bus, row) => [bus.id.toLowerCase(), row]));
  const edgeRows = new Map(edges.map((edge, row) => [edge.id.toLowerCase(), row]).reverse() as [string, number][]);
  const rowOf = (key: number | string): number => rows.get(String(key).toLowerCase()) ?? -1;
  const graph: NetworkGraph = {
    busCount: buses.length,
    moduleBuses: buses.length,
    fromRow: Int32Array.from(edges, (edge) => rowOf(edge.from)),
    toRow: Int32Array.from(edges, (edge) => rowOf(edge.to)),
    busId: (row) => buses[row]?.id ?? "",
    busName: (row) => buses[row]?.id ?? null,
    busKeyRow: rowOf,
    branchKeyRow: (key) => edgeRows.get(String(key).toLowerCase()) ?? -1,
  };
  const frequency: [string, string][] =
    read.base_frequency === null ? [] : [[trans.__("Base frequency"), `${read.base_frequency} Hz`]];
  return {
    name,
    sha256: read.sha256,
    model: trans.__("Multiconductor network"),
    graph,
    geography: new Geography(engine, graph, read),
    counts: [
      ...Object.entries(read.counts)
        .filter(([, count]) => count > 0)
        .map(([kind, count]): [string, string] => [plain(kind), formatCount(count)]),
      [trans.__("Load"), `${formatMw(read.load_kw)} kW`],
      [trans.__("Generation"), `${formatMw(read.gen_kw)} kW`],
      ...frequency,
    ],
    buses: buses.map((bus) => ({
      id: bus.id,
      name: null,
      facts: [
        [trans.__("Terminals"), bus.terminals.join(", ") || trans.__("none")],
        ...(bus.grounded.length === 0
          ? []
          : [[trans.__("Grounded"), bus.grounded.join(", ")] satisfies [string, string]]),
        [trans.__("Load"), `${formatMw(bus.load_kw)} kW`],
        ...deviceFacts(bus.devices),
      ],
      load: bus.load_kw,
      source: bus.has_source,
      level: 0,
      devices: bus.devices.map(({ kind, id, terminals, in_service: inService }) => ({
        kind,
        id,
        terminals,
        inService,
      })),
    })),
    edges: edges.map((edge) => ({
      kind: edge.kind,
      id: edge.id,
      from: edge.from,
      to: edge.to,
      closed: edge.closed,
      conductors: edge.conductors,
      regulated: edge.regulated,
      facts: [
        [trans.__("Phases"), String(edge.n_phases)],
        [
          trans.__("Conductors"),
          edge.conductors.map(([a, b]) => (a === b ? a : trans.__("%1 to %2", a, b))).join(", ") || trans.__("none"),
        ],
        ...(edge.kind === "switch" || !edge.closed
          ? [[trans.__("State"), edge.closed ? trans.__("closed") : trans.__("open")] satisfies [string, string]]
          : []),
        ...(edge.regulated
          ? [[trans.__("Control"), trans.__("taps by a regulator control")] satisfies [string, string]]
          : []),
      ],
    })),
    unit: "kW",
    problem: null,
    unsolved: null,
    warnings: read.warnings,
    capabilities: FEEDER_CAPABILITIES,
    feeder: new FeederStudy(engine, read.module_json, replayed),
  };
}

/** A balanced case without a Study; `problem` is the reason, `search` looks for a relaxation. */
export function viewUnsolved(
  opened: OpenedCase,
  problem: string,
  search: RelaxationSearch | null = null,
  details: unknown = undefined,
): ViewedNetwork {
  const { ingested } = opened;
  const sources = new Set(ingested.topology.generators.filter(({ status }) => status === 1).map(({ bus }) => bus));
  return {
    name: opened.name,
    sha256: opened.sha256,
    model: trans.__("Balanced network"),
    graph: opened,
    geography: opened.geography,
    counts: [
      [trans.__("Buses"), formatCount(ingested.n_bus)],
      [trans.__("Lines"), formatCount(ingested.n_branch)],
      [trans.__("Generators"), formatCount(ingested.n_gen)],
      [trans.__("Load"), `${formatMw(ingested.load_mw)} MW`],
      [trans.__("Generation"), `${formatMw(ingested.gen_mw)} MW`],
    ],
    buses: opened.buses.map((bus) => ({
      id: bus.id,
      name: bus.name,
      facts: [
        [trans.__("Voltage level"), `${bus.base_kv} kV`],
        [trans.__("Demand"), `${formatMw(bus.demand_mw)} MW`],
        [trans.__("Generation"), `${formatMw(bus.gen_mw)} MW`],
      ],
      load: bus.demand_mw,
      source: sources.has(bus.id),
      level: bus.base_kv,
      devices: [],
    })),
    edges: opened.branches.map((branch) => ({
      kind: "line",
      id: String(branch.id),
      from: branch.from,
      to: branch.to,
      closed: branch.status === 1,
      conductors: [],
      regulated: false,
      facts: [
        [trans.__("Rating"), ratingText(branch)],
        ...(branch.status === 1 ? [] : [[trans.__("State"), trans.__("out of service")] satisfies [string, string]]),
      ],
    })),
    links: opened.links.map(({ id, p_min_mw, p_max_mw, status }) => {
      const limits = [p_min_mw, p_max_mw].map((limit) => (limit === null ? trans.__("no limit") : formatMw(limit)));
      return {
        title: capitalised(opened.nameOf("link", id)),
        inService: status === 1,
        rows: [
          [trans.__("Limits"), trans.__("%1 to %2 MW", ...limits)],
          ...(status === 1 ? [] : [[trans.__("State"), trans.__("out of service")] satisfies [string, string]]),
        ],
      };
    }),
    unit: "MW",
    problem,
    unsolved: search === null ? null : { opened, search, details },
    warnings: ingested.warnings,
    capabilities: NO_CAPABILITIES,
    feeder: null,
  };
}

function ratingText({ rate_mw, rate_is_fallback }: OpenedCase["branches"][number]): string {
  if (rate_mw === null) {
    return trans.__("none");
  }
  return rate_is_fallback ? trans.__("%1, assumed", `${formatMw(rate_mw)} MW`) : `${formatMw(rate_mw)} MW`;
}

/** The equipment at a bus besides its loads, and the loads by name. */
function deviceFacts(devices: readonly DistributionDevice[]): [string, string][] {
  const kinds = [...new Set(devices.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = devices.filter((device) => device.kind === kind);
    const named = own.slice(0, NAMED_DEVICES).map(({ id, terminals, in_service }) => {
      const at = terminals.length === 0 ? id : `${id} (${terminals.join(", ")})`;
      return in_service ? at : trans.__("%1, out of service", at);
    });
    const more = own.length - named.length;
    const rest = more > 0 ? [trans._n("and %1 more", "and %1 more", more)] : [];
    return [deviceName(kind), [...named, ...rest].join("; ")];
  });
}

/** Number of devices of one kind at a bus that are listed by name. */
const NAMED_DEVICES = 4;

/** A kind of equipment in words. */
export function deviceName(kind: DistributionDeviceKind): string {
  switch (kind) {
    case "source":
      return trans.__("Voltage source");
    case "load":
      return trans.__("Connected loads");
    case "generator":
      return trans.__("Generator");
    case "inverter":
      return trans.__("Inverter");
    case "storage":
      return trans.__("Storage unit");
    case "capacitor":
      return trans.__("Capacitor");
    case "reactor":
      return trans.__("Reactor");
    case "shunt":
      return trans.__("Shunt");
  }
}

/** Display name of a kind of element. */
function plain(kind: string): string {
  switch (kind) {
    case "buses":
      return trans.__("Buses");
    case "lines":
      return trans.__("Lines");
    case "switches":
      return trans.__("Switches");
    case "transformers":
      return trans.__("Transformers");
    case "loads":
      return trans.__("Loads");
    case "generators":
      return trans.__("Generators");
    case "inverters":
      return trans.__("Inverters");
    case "storage":
      return trans.__("Storage");
    case "capacitors":
      return trans.__("Capacitors");
    case "shunts":
      return trans.__("Shunts");
    case "reactors":
      return trans.__("Reactors");
    case "sources":
      return trans.__("Sources");
    case "controls":
      return trans.__("Controls");
  }
  const words = kind.replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
