// Generating units: how many, how large, where, and what they cost.
import { round, spread } from "../numerics/geometry.ts";
import { within, type FleetPart, type GridSpec, type Technology } from "../spec.ts";
import type { Substation } from "../footprint/substations.ts";

/** Quadratic cost c2 P^2 + c1 P in $/h with P in MW, or corners [MW, $/h] of a convex piecewise linear one. */
export type Cost = { c2: number; c1: number } | { corners: readonly (readonly [mw: number, usdPerHour: number])[] };

/** One generating unit. */
export interface Unit {
  technology: Technology;
  /** Index of its substation. */
  substation: number;
  /** Whether it feeds the higher of the substation's voltages. */
  atHighVoltage: boolean;
  pMaxMw: number;
  pMinMw: number;
  cost: Cost;
}

/** Sizes of a technology's units: MW at evenly spaced quantiles; between them linear. */
const SIZES: Readonly<Record<Technology, readonly number[]>> = {
  gas: [6, 14, 26, 45, 65, 85, 105, 130, 160, 230, 420],
  coal: [120, 190, 260, 340, 520],
  nuclear: [880, 1000, 1150],
  wind: [26, 60, 90, 120, 150, 195],
  solar: [5, 12, 20, 32, 50, 75, 120],
  hydro: [5, 12, 22, 32, 50, 80, 140],
};

/** Thermal units of at least this size, and others from `LARGE_OTHER` on, feed the high voltage, as large stations do. */
const LARGE_THERMAL = 150;
const LARGE_OTHER = 75;
/** Least output of a thermal unit over its largest: a boiler or turbine does not run stably below. */
const LEAST_OUTPUT = 0.3;
/** Gas turbines of less than this size may have piecewise linear costs; so many of them do. */
const PEAKER_MW = 110;
const PEAKER_SHARE = 0.3;

const isThermal = (technology: Technology): boolean =>
  technology === "gas" || technology === "coal" || technology === "nuclear";

function quantile(values: readonly number[], u: number): number {
  const at = u * (values.length - 1);
  const i = Math.min(Math.floor(at), values.length - 2);
  return (values[i] as number) + ((values[i + 1] as number) - (values[i] as number)) * (at - i);
}

/** Sizes of the units of one part: quantiles by a low-discrepancy sequence until the capacity is used up. */
function sizesOf(technology: Technology, capacityMw: number): number[] {
  const sizes: number[] = [];
  let left = capacityMw;
  const least = SIZES[technology][0] as number;
  const most = SIZES[technology].at(-1) as number;
  for (let k = 0; left >= least / 2; k += 1) {
    const next = Math.round(quantile(SIZES[technology], spread(k)));
    // What would remain too small for a unit of its own goes to the last one, or makes two of equal size.
    const last = left - next < least;
    const size = !last ? next : Math.max(least, Math.round(left <= most ? left : left / 2));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** The k-th unit's cost; coefficients within ranges that are usual for its fuel. */
function costOf(technology: Technology, k: number, pMaxMw: number, pMinMw: number): Cost {
  const u = spread(3 * k + 1);
  const v = spread(5 * k + 2);
  switch (technology) {
    case "gas":
      if (pMaxMw < PEAKER_MW && spread(k) < PEAKER_SHARE) return peakerCost(u, pMaxMw, pMinMw);
      return { c2: round(0.002 + 0.004 * v, 4), c1: round(15 + 9 * u, 2) };
    case "coal":
      return { c2: round(0.002 + 0.002 * v, 4), c1: round(17 + 5 * u, 2) };
    case "nuclear":
      return { c2: 0, c1: round(6 + 3 * u, 2) };
    // Nothing for the first MWh; a little more for each further one, so that what is curtailed is unique.
    default:
      return { c2: round(0.001 + 0.002 * v, 4), c1: 0 };
  }
}

/** A turbine with three blocks of rising heat rate; a third of them burn oil in the last one. */
function peakerCost(u: number, pMaxMw: number, pMinMw: number): Cost {
  const slopes = [18 + 6 * u, 23 + 9 * u, 31 + 24 * u].map((slope) => round(slope, 2));
  const ends = [0.55, 0.8, 1].map((part) => round(pMinMw + part * (pMaxMw - pMinMw), 2));
  const corners: [number, number][] = [[pMinMw, round(20 * pMinMw, 2)]];
  ends.forEach((end, i) => {
    const [mw, usd] = corners[i] as [number, number];
    corners.push([end, round(usd + (end - mw) * (slopes[i] as number), 4)]);
  });
  return { corners };
}

/** Where the units of one part may stand, best places first. */
function sitesFor(
  part: FleetPart,
  large: boolean,
  substations: readonly Substation[],
  high: ReadonlySet<number>,
): number[] {
  const mean = substations.reduce((sum, s) => sum + s.demandMw, 0) / substations.length;
  // Wind, sun and water are collected where few people live, fuel is burnt anywhere, a reactor stands away from towns.
  const rank = (i: number): number => {
    const demand = (substations[i] as Substation).demandMw;
    return part.technology === "gas" ? 0 : demand === 0 ? 0 : demand < mean ? 1 : 2;
  };
  return substations
    .map((_, i) => i)
    .filter((i) => !part.region || within(part.region, (substations[i] as Substation).at))
    .filter((i) => !large || high.has(i))
    .sort((i, j) => rank(i) - rank(j) || spread(i) - spread(j));
}

/** Plants of one part: so many units stand together at most. */
const UNITS_A_PLANT: Readonly<Record<Technology, number>> = {
  gas: 3,
  coal: 2,
  nuclear: 2,
  wind: 2,
  solar: 1,
  hydro: 2,
};
/** Of the possible sites of a part, at least this share is passed over, so that plants spread over the region. */
const SITE_SHARE = 0.5;

/**
 * The fleet of a grid.
 *
 * @param high substations that have a higher voltage.
 */
export function fleetOf(spec: GridSpec, substations: readonly Substation[], high: ReadonlySet<number>): Unit[] {
  const demand = substations.reduce((sum, s) => sum + s.demandMw, 0);
  const units: Unit[] = [];
  const used = new Map<number, number>();
  for (const part of spec.fleet) {
    const { technology } = part;
    const sizes = sizesOf(technology, part.share * spec.capacity * demand);
    for (const large of [true, false]) {
      const isLarge = (mw: number): boolean => mw >= (isThermal(technology) ? LARGE_THERMAL : LARGE_OTHER);
      const own = sizes.filter((mw) => isLarge(mw) === large);
      if (own.length === 0) continue;
      const sites = sitesFor(part, large, substations, high);
      if (sites.length === 0)
        throw new Error(`${spec.id} has no site for ${technology} in ${JSON.stringify(part.region)}.`);
      const plants = Math.max(
        1,
        Math.min(Math.ceil(own.length / UNITS_A_PLANT[technology]), Math.ceil(sites.length * SITE_SHARE)),
      );
      // A site that another part uses already comes last.
      const chosen = [...sites].sort((i, j) => (used.get(i) ?? 0) - (used.get(j) ?? 0)).slice(0, plants);
      own.forEach((mw, n) => {
        const substation = chosen[n % plants] as number;
        used.set(substation, (used.get(substation) ?? 0) + 1);
        const pMinMw = isThermal(technology) ? round(LEAST_OUTPUT * mw, 1) : 0;
        const cost = costOf(technology, units.length, mw, pMinMw);
        units.push({ technology, substation, atHighVoltage: large && high.has(substation), pMaxMw: mw, pMinMw, cost });
      });
    }
  }
  return units.sort((a, b) => a.substation - b.substation || b.pMaxMw - a.pMaxMw);
}

/** Output at a price, MW. */
function output(unit: Unit, price: number): number {
  if ("corners" in unit.cost) {
    let mw = unit.pMinMw;
    unit.cost.corners.forEach(([end, usd], i, all) => {
      const before = all[i - 1];
      if (before && (usd - before[1]) / (end - before[0]) <= price) mw = end;
    });
    return mw;
  }
  const { c2, c1 } = unit.cost;
  const free = c2 > 0 ? (price - c1) / (2 * c2) : price >= c1 ? Infinity : -Infinity;
  return Math.min(unit.pMaxMw, Math.max(unit.pMinMw, free));
}

/** Output of each unit, MW, when only the total matters: all at one price, found by bisection; the rest is shared out. */
export function meritOrder(units: readonly Unit[], demandMw: number): number[] {
  let [low, high] = [-1, 200];
  const total = (price: number): number => units.reduce((sum, unit) => sum + output(unit, price), 0);
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (total(middle) < demandMw) low = middle;
    else high = middle;
  }
  const [below, above] = [units.map((unit) => output(unit, low)), units.map((unit) => output(unit, high))];
  const sum = (values: readonly number[]): number => values.reduce((s, v) => s + v, 0);
  const [least, most] = [sum(below), sum(above)];
  if (least > demandMw + 1 || most < demandMw - 1) throw new Error("The fleet cannot follow the demand.");
  const part = most > least ? (demandMw - least) / (most - least) : 0;
  return below.map((mw, i) => mw + part * ((above[i] as number) - mw));
}
