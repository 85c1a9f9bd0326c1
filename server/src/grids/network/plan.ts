// The plan of a network: voltage levels, lines between substations and transformers between levels, before buses are numbered.
import {
  BASE_MVA,
  conductorsOf,
  lineParameters,
  longestLineKm,
  networkTransformerMva,
  transformerParameters,
  type Conductor,
} from "./classes.ts";
import { meritOrder, type Unit } from "./fleet.ts";
import { angles, type Edge } from "../numerics/flow.ts";
import { distanceKm, round, spread } from "../numerics/geometry.ts";
import type { GridSpec } from "../spec.ts";
import type { Substation } from "../footprint/substations.ts";
import { addChords, levelTree, spacedSites, type Candidate, type LevelTree } from "./topology.ts";

/** The substations of one voltage. */
export interface Level {
  kv: number;
  /** Indices of its substations, ascending. */
  sites: readonly number[];
}

/** A line of the plan; `circuits` of one kind run in parallel. */
export interface PlannedLine {
  level: number;
  /** Substations. */
  a: number;
  b: number;
  km: number;
  hops: number;
  /** Whether it lies on the minimum spanning tree of its level. */
  shortest: boolean;
  /** Index among the class's conductors. */
  conductor: number;
  circuits: number;
}

/** Transformers between a level and the next lower one at a substation. */
export interface Bank {
  substation: number;
  /** The higher level. */
  level: number;
  count: number;
  /** Reactance on the transformer's own base. */
  ownX: number;
}

export interface Plan {
  spec: GridSpec;
  substations: readonly Substation[];
  levels: readonly Level[];
  lines: PlannedLine[];
  banks: Bank[];
  units: readonly Unit[];
}

/** Share of substations with the second voltage, and the share of those with the third (Birchfield 2017: 7 to 25 %). */
const HIGH_SHARE = 0.15;
const HIGHEST_SHARE = 0.085;
/** Lines to a substation: of the lowest level and of higher ones (1.1 to 1.4, and mean degree 2.6 to 2.75 over all). */
const LINES_LOW = 1.16;
const LINES_HIGH = 1.26;

/** The voltage levels: all substations have the lowest one. */
export function levelsOf(spec: GridSpec, substations: readonly Substation[]): Level[] {
  const levels: Level[] = [{ kv: spec.levels[0] as number, sites: substations.map((_, i) => i) }];
  spec.levels.slice(1).forEach((kv, above) => {
    const below = (levels[above] as Level).sites;
    const count = Math.round(below.length * (above === 0 ? HIGH_SHARE : HIGHEST_SHARE));
    const own = below.map((i) => substations[i] as Substation);
    const chosen = spacedSites(
      own.map((s) => s.point),
      own.map((s) => s.demandMw),
      count,
    );
    levels.push({ kv, sites: chosen.map((k) => below[k] as number) });
  });
  return levels;
}

/** The network of nodes (level, substation) that a plan makes, for linear flows. */
export interface PlanNetwork {
  size: number;
  /** Edges: lines first, then banks, each with its parallel circuits in one. */
  edges: Edge[];
  /** Node of a substation at a level; -1 where it has none. */
  node: (level: number, substation: number) => number;
  injections: Float64Array;
}

/** Level at which a unit is connected. */
function unitLevel(unit: Unit): number {
  return unit.atHighVoltage ? 1 : 0;
}

/** Parameters of one circuit of a planned line. */
function circuitOf(plan: Plan, line: PlannedLine): ReturnType<typeof lineParameters> {
  const kv = (plan.levels[line.level] as Level).kv;
  return lineParameters(kv, line.km, conductorsOf(kv)[line.conductor] as Conductor);
}

/** Parameters of one transformer of a bank. */
export function transformerOf(plan: Plan, bank: Bank): { r: number; x: number; mva: number } {
  const mva = networkTransformerMva((plan.levels[bank.level] as Level).kv);
  return { ...transformerParameters(bank.ownX, 32, mva), mva };
}

/** The network of a plan with the injections of its uncongested dispatch. */
export function networkOf(plan: Plan): PlanNetwork {
  const count = plan.substations.length;
  const nodes = plan.levels.map(() => new Int32Array(count).fill(-1));
  let size = 0;
  plan.levels.forEach((level, l) => {
    for (const i of level.sites) (nodes[l] as Int32Array)[i] = size++;
  });
  const node = (level: number, substation: number): number => nodes[level]?.[substation] as number;
  const edges: Edge[] = [
    ...plan.lines.map((line) => {
      const weight = line.circuits / circuitOf(plan, line).x;
      return { a: node(line.level, line.a), b: node(line.level, line.b), weight };
    }),
    ...plan.banks.map((bank) => {
      const weight = bank.count / transformerOf(plan, bank).x;
      return { a: node(bank.level, bank.substation), b: node(bank.level - 1, bank.substation), weight };
    }),
  ];
  const injections = new Float64Array(size);
  const add = (at: number, mw: number): void => void (injections[at] = (injections[at] as number) + mw / BASE_MVA);
  plan.substations.forEach((s, i) => add(node(0, i), -s.demandMw));
  const demand = plan.substations.reduce((sum, s) => sum + s.demandMw, 0);
  meritOrder(plan.units, demand).forEach((mw, k) => {
    const unit = plan.units[k] as Unit;
    add(node(unitLevel(unit), unit.substation), mw);
  });
  return { size, edges, node, injections };
}

/** Conductors that lines start with, the weakest for 40 % of them: what was strung in other years for other flows. */
function firstConductor(index: number, chance: number): number {
  const u = (spread(index) + chance) % 1;
  return u < 0.4 ? 0 : u < 0.78 ? 1 : 2;
}

/** Chords are added in so many rounds; the first ones end the stubs. */
const ROUNDS = 6;

/** The lines of every level: trees, then chords where ends hang or angles are far apart. */
export function layLines(plan: Plan): void {
  const neighbours = plan.substations.map(() => new Set<number>());
  const trees = plan.levels.map((level, l) => {
    const points = level.sites.map((i) => (plan.substations[i] as Substation).point);
    return levelTree(points, l === 0 ? LINES_LOW : LINES_HIGH, longestLineKm(level.kv));
  });
  const taken = trees.map(() => new Set<number>());
  const take = (l: number, i: number): void => {
    const { candidates } = trees[l] as LevelTree;
    const sites = (plan.levels[l] as Level).sites;
    const { a, b, hops, shortest, chance } = candidates[i] as Candidate;
    const [sa, sb] = [sites[a] as number, sites[b] as number];
    const km = round(distanceKm((plan.substations[sa] as Substation).at, (plan.substations[sb] as Substation).at), 3);
    plan.lines.push({ level: l, a: sa, b: sb, km, hops, shortest, conductor: firstConductor(i, chance), circuits: 1 });
    taken[l]?.add(i);
    neighbours[sa]?.add(sb);
    neighbours[sb]?.add(sa);
  };
  trees.forEach(({ tree }, l) => tree.forEach((i) => take(l, i)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const { size, edges, node, injections } = networkOf(plan);
    const theta = angles(size, edges, injections);
    plan.levels.forEach((level, l) => {
      const tree = trees[l] as LevelTree;
      const wanted = Math.round(((l === 0 ? LINES_LOW : LINES_HIGH) - 1) * level.sites.length) + 1;
      const count = Math.floor((wanted * (round + 1)) / ROUNDS) - Math.floor((wanted * round) / ROUNDS);
      const degree = new Map<number, number>();
      for (const line of plan.lines) {
        if (line.level !== l) continue;
        for (const end of [line.a, line.b]) degree.set(end, (degree.get(end) ?? 0) + 1);
      }
      const score = ({ a, b, km }: Candidate): number => {
        const [sa, sb] = [level.sites[a] as number, level.sites[b] as number];
        const apart = Math.abs((theta[node(l, sa)] as number) - (theta[node(l, sb)] as number));
        const ends = [sa, sb].filter((s) => degree.get(s) === 1).length;
        // Radians over the line's length: what it would carry. Stubs count first in half of the rounds.
        return (apart / (km + 2)) * (round % 2 === 0 ? 1 + 4 * ends : 1);
      };
      addChords(tree, taken[l] as Set<number>, level.sites, neighbours, { count, score }).forEach((i) => take(l, i));
    });
  }
}

/** The banks that a plan starts with: one transformer at each substation of a higher level. */
export function firstBanks(levels: readonly Level[]): Bank[] {
  return levels.flatMap((level, l) =>
    l === 0
      ? []
      : level.sites.map((substation, k) => ({
          substation,
          level: l,
          count: 1,
          ownX: round(0.09 + 0.06 * spread(k), 3),
        })),
  );
}

/** A circuit carries at most this part of its rating, and its angle difference stays below this, radians. */
const MOST_LOADED = 0.8;
const WIDEST_ANGLE = 0.33;
const MOST_CIRCUITS = 4;

/**
 * Strengthens lines and banks until no flow of the uncongested dispatch exceeds 80 % of a rating and no angle difference
 * exceeds 19 degrees: a better conductor first, then another circuit.
 */
export function reinforce(plan: Plan): void {
  for (let pass = 0; pass < 60; pass += 1) {
    const { size, edges, injections } = networkOf(plan);
    const theta = angles(size, edges, injections);
    const apart = (e: number): number => {
      const { a, b } = edges[e] as Edge;
      return Math.abs((theta[a] as number) - (theta[b] as number));
    };
    let changed = 0;
    plan.lines.forEach((line, e) => {
      const { x, mva } = circuitOf(plan, line);
      if (apart(e) <= WIDEST_ANGLE && (apart(e) / x) * BASE_MVA <= MOST_LOADED * mva) return;
      const kinds = conductorsOf((plan.levels[line.level] as Level).kv).length;
      if (line.conductor < kinds - 1) line.conductor += 1;
      else if (line.circuits < MOST_CIRCUITS) line.circuits += 1;
      else return;
      changed += 1;
    });
    plan.banks.forEach((bank, k) => {
      const { x, mva } = transformerOf(plan, bank);
      if ((apart(plan.lines.length + k) / x) * BASE_MVA <= MOST_LOADED * mva) return;
      bank.count += 1;
      changed += 1;
    });
    if (changed === 0) {
      // What could not be strengthened further shows here.
      const bad = plan.lines.find((line, e) => {
        const { x, mva } = circuitOf(plan, line);
        return apart(e) > WIDEST_ANGLE || (apart(e) / x) * BASE_MVA > 0.95 * mva;
      });
      if (!bad) return;
      const [from, to] = [plan.substations[bad.a]?.name, plan.substations[bad.b]?.name];
      throw new Error(`The line from ${from} to ${to} stays overloaded with ${bad.circuits} circuits.`);
    }
  }
  throw new Error("Reinforcement does not end.");
}
