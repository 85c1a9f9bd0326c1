// The network as the text of a generation-2 module: compact, fields that have their default left out.
import { BASE_MVA } from "../network/classes.ts";
import { round, type LonLat } from "../numerics/geometry.ts";
import type { Cost } from "../network/fleet.ts";
import type { Grid, GridBranch, GridBus, GridUnit, ThreeWinding } from "../network/network.ts";

/** Names of the technologies in the module's vocabulary; it knows neither gas nor coal, which the buses say. */
const ENERGY_SOURCE = {
  gas: "thermal",
  coal: "thermal",
  nuclear: "nuclear",
  wind: "wind",
  solar: "solar",
  hydro: "hydro",
} as const;

/** Voltage band of every bus, per unit. */
const VOLTAGE_BAND = [0.9, 1.1] as const;

/** The text of the module; equal grids give equal text. */
export function moduleText(grid: Grid): string {
  const { id, name } = grid.plan.spec;
  const data = {
    name,
    base_mva: BASE_MVA,
    base_frequency: 60,
    source_format: "in-memory",
    geo: { space: "geographic", kind: "source" },
    buses: busRows(grid),
    loads: grid.buses.flatMap(({ demandMw, demandMvar }, i) =>
      demandMw > 0 ? [{ bus: i + 1, p: demandMw, q: demandMvar, in_service: true, extras: {} }] : [],
    ),
    shunts: grid.buses.flatMap(({ shuntMvar }, i) =>
      shuntMvar !== 0 ? [{ bus: i + 1, g: 0, b: shuntMvar, in_service: true, extras: {} }] : [],
    ),
    branches: grid.branches.map(branchRow),
    generators: grid.units.map(unitRow),
    storage: [],
    hvdc: [],
    transformers_3w: grid.threeWinding.map(threeWindingRow),
  };
  const producer = { name: "wattbook-grids", version: id };
  return JSON.stringify({ schema: "pio-ir", version: 2, producer, value: { type: "powerio.BalancedNetwork", data } });
}

const location = ([x, y]: LonLat): { x: number; y: number } => ({ x, y });

function busRows(grid: Grid): object[] {
  const regulated = new Set(grid.units.map(({ bus }) => bus));
  const kind = (i: number): string => (i === grid.reference ? "REF" : regulated.has(i) ? "PV" : "PQ");
  const [vmin, vmax] = VOLTAGE_BAND;
  const sources = new Map<number, string[]>();
  for (const { bus, technology } of grid.units) sources.set(bus, [...(sources.get(bus) ?? []), technology]);
  return grid.buses.map(({ name, kv, area, at, vm, va }: GridBus, i) => ({
    ...{ id: i + 1, kind: kind(i), vm, va, base_kv: kv, vmax, vmin, area, zone: area, name },
    ...{ location: location(at), extras: sources.has(i) ? { wattbook_energy_sources: sources.get(i) } : {} },
  }));
}

function branchRow({ from, to, r, x, b, mva, tap, shiftDeg, route }: GridBranch): object {
  return {
    ...{ from: from + 1, to: to + 1, r, x, b, rate_a: mva, rate_b: 0, rate_c: 0, tap, shift: shiftDeg },
    ...{ in_service: true, angmin: -360, angmax: 360, ...(route && { route: route.map(location) }), extras: {} },
  };
}

function threeWindingRow({ name, buses, kv, r, x, mva }: ThreeWinding): object {
  const winding = (k: 0 | 1 | 2): object => ({
    ...{ bus: buses[k] + 1, tap: 1, shift: 0, nominal_kv: kv[k], rate_a: mva[k], rate_b: 0, rate_c: 0 },
  });
  const pair = (k: 0 | 1 | 2): object => ({ r: r[k], x: x[k], base_mva: BASE_MVA });
  return {
    ...{ windings: [winding(0), winding(1), winding(2)], z: [pair(0), pair(1), pair(2)] },
    ...{ star_vm: 1, star_va: 0, mag_g: 0, mag_b: 0, in_service: true, name, extras: {} },
  };
}

function unitRow(unit: GridUnit): object {
  const { bus, technology, pMw, qMvar, pMaxMw, pMinMw, qMaxMvar, qMinMvar, vm, cost } = unit;
  const limits = { pg: pMw, qg: qMvar, pmax: pMaxMw, pmin: pMinMw, qmax: qMaxMvar, qmin: qMinMvar, vg: vm };
  return {
    ...{ bus: bus + 1, energy_source: ENERGY_SOURCE[technology], ...limits, mbase: round(1.15 * pMaxMw, 1) },
    ...{ in_service: true, cost: costRow(cost) },
  };
}

function costRow(cost: Cost): object {
  const start = { startup: 0, shutdown: 0 };
  if ("corners" in cost) return { model: 1, ...start, ncost: cost.corners.length, coeffs: cost.corners.flat() };
  return { model: 2, ...start, ncost: 3, coeffs: [cost.c2, cost.c1, 0] };
}
