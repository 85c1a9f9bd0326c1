// The finished network: buses, branches, three-winding transformers and generators in the order of the module's rows.
import { conductorsOf, lineParameters, standardMva, transformerParameters, type Conductor } from "./classes.ts";
import type { Cost, Unit } from "./fleet.ts";
import { round, spread, type LonLat } from "../numerics/geometry.ts";
import { transformerOf, type Bank, type Level, type Plan, type PlannedLine } from "./plan.ts";
import { routeOf } from "./routes.ts";
import type { Substation } from "../footprint/substations.ts";

/** What a bus is for. */
export type BusRole = "network" | "distribution" | "generator" | "tertiary" | "shifter";

export interface GridBus {
  name: string;
  kv: number;
  substation: number;
  role: BusRole;
  demandMw: number;
  demandMvar: number;
  /** Shunt in MVAr at 1 per unit, capacitive above zero. */
  shuntMvar: number;
  at: LonLat;
  area: number;
  /** State that the module's power flow starts from; per unit and degrees. */
  vm: number;
  va: number;
}

export interface GridBranch {
  kind: "line" | "transformer" | "step_up" | "distribution" | "shifter";
  /** Rows of its buses, 0-based. */
  from: number;
  to: number;
  /** Nominal voltage of the class: of a transformer its higher one. */
  kv: number;
  /** Per unit on 100 MVA. */
  r: number;
  x: number;
  b: number;
  mva: number;
  /** Rating of the class, before it was lowered to bind. */
  classMva: number;
  /** Off-nominal ratio; 0 for lines. */
  tap: number;
  shiftDeg: number;
  km: number;
  hops: number;
  shortest: boolean;
  route?: readonly LonLat[];
}

/** A three-winding transformer: high, low and tertiary side. */
export interface ThreeWinding {
  name: string;
  buses: readonly [number, number, number];
  kv: readonly [number, number, number];
  /** Pairwise impedances 1-2, 2-3, 3-1, per unit on 100 MVA. */
  r: readonly [number, number, number];
  x: readonly [number, number, number];
  mva: readonly [number, number, number];
}

export interface GridUnit {
  bus: number;
  technology: Unit["technology"];
  pMaxMw: number;
  pMinMw: number;
  qMaxMvar: number;
  qMinMvar: number;
  cost: Cost;
  /** Set points of the power flow: MW, MVAr, per unit. */
  pMw: number;
  qMvar: number;
  vm: number;
}

export interface Grid {
  plan: Plan;
  buses: GridBus[];
  branches: GridBranch[];
  threeWinding: ThreeWinding[];
  units: GridUnit[];
  /** Row of the reference bus. */
  reference: number;
}

const DISTRIBUTION_KV = 13.8;
/** Terminal voltage of a unit by its size. */
const terminalKv = (mw: number): number => (mw > 300 ? 22 : mw > 90 ? 18 : 13.8);

/** Reactance and X/R of distribution and step-up transformers on their own base: around 0.12, as is measured. */
const distributionX = (k: number): number => round(0.075 + 0.06 * spread(k), 3);
const stepUpX = (k: number): number => round(0.1 + 0.05 * spread(k), 3);
/** Three-winding transformers: rating of the tertiary, MVA, and reactances high-low, low-tertiary, tertiary-high on the bank's base. */
const TERTIARY_MVA = 80;
const THREE_WINDING_X = [0.11, 0.24, 0.31] as const;
/** Capacitors at a tertiary, MVAr. */
const TERTIARY_SHUNT = 20;

/** Numbers the buses of a plan and lays out its rows, so that it has exactly `wanted` buses. */
export function networkOfPlan(plan: Plan, wanted: number): Grid {
  const rows = new Rows(plan);
  plan.levels.forEach((level, l) => level.sites.forEach((s) => rows.networkBus(l, level, s)));
  plan.lines.forEach((line) => rows.line(line));
  const three = new Set(largestBanks(plan, plan.spec.threeWinding));
  plan.banks.forEach((bank) => rows.bank(bank, three.has(bank)));
  shiftedLines(plan).forEach(([row, shiftDeg]) => rows.shifter(row, shiftDeg));
  plan.units.forEach((unit, k) => rows.unit(unit, k));
  const left = wanted - rows.grid.buses.length;
  const served = plan.substations.map((_, i) => i).filter((i) => (plan.substations[i] as Substation).demandMw > 0);
  if (left < 0 || left > served.length) {
    throw new Error(
      `${plan.spec.id} has ${rows.grid.buses.length} buses without distribution; ${wanted} cannot be met.`,
    );
  }
  // The larger demands hang on a distribution bus of their own; the smaller ones on the line.
  const demand = (i: number): number => (plan.substations[i] as Substation).demandMw;
  served.sort((i, j) => demand(j) - demand(i) || i - j);
  served
    .slice(0, left)
    .sort((i, j) => i - j)
    .forEach((i) => rows.distribution(i));
  served.slice(left).forEach((i) => rows.demandAt(rows.networkRow(0, i), i));
  return rows.grid;
}

/** The banks of one higher level at the substations of largest demand. */
function largestBanks(plan: Plan, count: number): Bank[] {
  const demand = (bank: Bank): number => (plan.substations[bank.substation] as Substation).demandMw;
  return [...plan.banks].sort((p, q) => demand(q) - demand(p) || p.substation - q.substation).slice(0, count);
}

/** Rows of the lines that get a phase shifter, and its angle: long single circuits of the middle level, spread over the grid. */
function shiftedLines(plan: Plan): [row: number, shiftDeg: number][] {
  if (plan.spec.shifters === 0) return [];
  const kinds: number[] = [];
  let row = 0;
  const single = new Map<number, PlannedLine>();
  for (const line of plan.lines) {
    if (line.level === 1 && line.circuits === 1 && line.km > 40) single.set(row, line);
    row += line.circuits;
  }
  kinds.push(...single.keys());
  const step = kinds.length / plan.spec.shifters;
  return Array.from({ length: plan.spec.shifters }, (_, k) => [
    kinds[Math.floor(step * (k + 0.5))] as number,
    (k % 2 === 0 ? 1 : -1) * (2 + k),
  ]);
}

/** Builds the rows one after the other. */
class Rows {
  readonly grid: Grid;
  readonly #plan: Plan;
  readonly #network = new Map<string, number>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.grid = { plan, buses: [], branches: [], threeWinding: [], units: [], reference: 0 };
  }

  networkRow(level: number, substation: number): number {
    return this.#network.get(`${level},${substation}`) as number;
  }

  networkBus(l: number, level: Level, substation: number): void {
    this.#network.set(`${l},${substation}`, this.#bus(substation, `${level.kv} kV`, level.kv, "network"));
  }

  line(line: PlannedLine): void {
    const kv = (this.#plan.levels[line.level] as Level).kv;
    const kind = conductorsOf(kv)[line.conductor] as Conductor;
    const { r, x, b, mva } = lineParameters(kv, line.km, kind);
    const [from, to] = [this.networkRow(line.level, line.a), this.networkRow(line.level, line.b)];
    const ends = [this.grid.buses[from]?.at, this.grid.buses[to]?.at] as [LonLat, LonLat];
    for (let circuit = 0; circuit < line.circuits; circuit += 1) {
      const route = routeOf(ends, line.km, circuit, line.circuits, line.level);
      this.grid.branches.push({
        ...{ kind: "line", from, to, kv, r, x, b, mva, classMva: mva, tap: 0, shiftDeg: 0 },
        ...{ km: line.km, hops: line.hops, shortest: line.shortest },
        ...(route && { route }),
      });
    }
  }

  bank(bank: Bank, threeWinding: boolean): void {
    const high = this.networkRow(bank.level, bank.substation);
    const low = this.networkRow(bank.level - 1, bank.substation);
    const own = transformerOf(this.#plan, bank);
    const twoWinding = threeWinding ? bank.count - 1 : bank.count;
    for (let k = 0; k < twoWinding; k += 1) this.#transformer("transformer", high, low, own.mva, own.r, own.x, 1);
    if (threeWinding) this.#threeWinding(bank, high, low, own.mva);
  }

  #threeWinding(bank: Bank, high: number, low: number, mva: number): void {
    const tertiary = this.#bus(bank.substation, "tertiary", DISTRIBUTION_KV, "tertiary");
    (this.grid.buses[tertiary] as GridBus).shuntMvar = TERTIARY_SHUNT;
    const pairs = THREE_WINDING_X.map((x) => transformerParameters(x, 32, mva));
    const three = (values: number[]): [number, number, number] => values as [number, number, number];
    const kvOf = (row: number): number => (this.grid.buses[row] as GridBus).kv;
    this.grid.threeWinding.push({
      name: this.#substation(bank.substation).name,
      buses: [high, low, tertiary],
      kv: [kvOf(high), kvOf(low), DISTRIBUTION_KV],
      r: three(pairs.map(({ r }) => r)),
      x: three(pairs.map(({ x }) => x)),
      mva: [mva, mva, TERTIARY_MVA],
    });
  }

  /** Puts a phase shifter between a line and the bus where it begins. */
  shifter(row: number, shiftDeg: number): void {
    const line = this.grid.branches[row] as GridBranch;
    const { substation, kv } = this.grid.buses[line.from] as GridBus;
    const behind = this.#bus(substation, `${kv} kV behind shifter`, kv, "shifter");
    const { r, x } = transformerParameters(0.1, 40, line.mva);
    const own = { from: line.from, to: behind, kv, r, x, b: 0, mva: line.mva, classMva: line.mva };
    this.grid.branches.push({ kind: "shifter", ...own, tap: 1, shiftDeg, km: 0, hops: 0, shortest: false });
    line.from = behind;
  }

  unit(unit: Unit, k: number): void {
    const { pMaxMw, pMinMw, technology, cost } = unit;
    const mva = standardMva(1.15 * pMaxMw);
    const { r, x } = transformerParameters(stepUpX(k), 36, mva);
    const before = this.grid.buses.filter((b) => b.substation === unit.substation && b.role === "generator").length;
    const bus = this.#bus(unit.substation, `${technology} ${before + 1}`, terminalKv(pMaxMw), "generator");
    this.#transformer("step_up", this.networkRow(unit.atHighVoltage ? 1 : 0, unit.substation), bus, mva, r, x, 1);
    const qMaxMvar = round(REACTIVE_SHARE * pMaxMw, 1);
    const limits = { pMaxMw, pMinMw, qMaxMvar, qMinMvar: round(-qMaxMvar, 1) };
    this.grid.units.push({ bus, technology, ...limits, cost, pMw: 0, qMvar: 0, vm: 1 });
  }

  distribution(substation: number): void {
    const { demandMw } = this.#substation(substation);
    const mva = standardMva(1.4 * demandMw);
    const { r, x } = transformerParameters(distributionX(substation), 22, mva);
    const bus = this.#bus(substation, `${DISTRIBUTION_KV} kV`, DISTRIBUTION_KV, "distribution");
    this.#transformer("distribution", this.networkRow(0, substation), bus, mva, r, x, DISTRIBUTION_TAP);
    this.demandAt(bus, substation);
  }

  demandAt(row: number, substation: number): void {
    const bus = this.grid.buses[row] as GridBus;
    const { demandMw, demandMvar } = this.#substation(substation);
    Object.assign(bus, { demandMw, demandMvar });
  }

  #substation(index: number): Substation {
    return this.#plan.substations[index] as Substation;
  }

  #bus(substation: number, suffix: string, kv: number, role: BusRole): number {
    const { name, at, area } = this.#substation(substation);
    const values = { demandMw: 0, demandMvar: 0, shuntMvar: 0, vm: 1, va: 0 };
    return this.grid.buses.push({ name: `${name} ${suffix}`, kv, substation, role, at, area, ...values }) - 1;
  }

  #transformer(
    kind: GridBranch["kind"],
    from: number,
    to: number,
    mva: number,
    r: number,
    x: number,
    tap: number,
  ): void {
    const kv = (this.grid.buses[from] as GridBus).kv;
    const own = { kind, from, to, kv, r, x, b: 0, mva, classMva: mva, tap, shiftDeg: 0 };
    this.grid.branches.push({ ...own, km: 0, hops: 0, shortest: false });
  }
}

/** Reactive limits of a unit over its largest output. */
const REACTIVE_SHARE = 0.4;
/** Distribution transformers raise the voltage of their low side. */
const DISTRIBUTION_TAP = 0.975;
