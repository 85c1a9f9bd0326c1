// The criteria of a grid, each with its value and range. Ranges are those of Birchfield et al. (IEEE Transactions on
// Power Systems 32(4), 2017; Energies 10(8), 2017) unless noted otherwise.
import { distanceKm, round } from "../numerics/geometry.ts";
import { delaunayNeighbours, graphShape, pairsByHops, spanningTree, type Pair } from "../numerics/graph.ts";
import type { Grid, GridBus } from "../network/network.ts";
import type { Level } from "../network/plan.ts";
import type { Substation } from "../footprint/substations.ts";

/** One criterion: name, range and value as displayed, and whether the value is in range. */
export interface Criterion {
  name: string;
  range: string;
  value: string;
  met: boolean;
}

const KM_PER_MILE = 1.609344;

const percent = (part: number): string => `${round(100 * part, 1)} %`;
const plain = (value: number): string =>
  `${value < 0.01 ? round(value, 5) : value < 1 ? round(value, 3) : round(value, 2)}`;

/** A criterion of one number within a range. */
function one(name: string, value: number, [low, high]: readonly [number, number], show = plain): Criterion {
  return { name, range: `${show(low)} .. ${show(high)}`, value: show(value), met: value >= low && value <= high };
}

/** A criterion of the 10 and 90 % quantiles of many numbers. */
function spreadOf(name: string, values: readonly number[], [low, high]: readonly [number, number]): Criterion {
  const [a, b] = [quantile(values, 0.1), quantile(values, 0.9)];
  return {
    name,
    range: `${plain(low)} .. ${plain(high)}`,
    value: `${plain(a)} .. ${plain(b)}`,
    met: a >= low * 0.999 && b <= high * 1.001,
  };
}

/** Quantile by the nearest rank. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] as number;
}

const share = <T>(items: readonly T[], is: (item: T) => boolean): number =>
  items.filter(is).length / Math.max(1, items.length);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** All structural criteria of a grid. */
export function criteriaOf(grid: Grid): Criterion[] {
  return [
    ...substationCriteria(grid),
    ...fleetCriteria(grid),
    ...transformerCriteria(grid),
    ...lineCriteria(grid),
    ...graphCriteria(grid),
  ];
}

function substationCriteria({ plan, buses }: Grid): Criterion[] {
  const { substations, levels } = plan;
  const upTo = (is: (kv: number) => boolean): number =>
    new Set(levels.filter(({ kv }) => is(kv)).flatMap(({ sites }) => sites)).size / substations.length;
  const loaded = buses.filter(({ demandMw }) => demandMw > 0);
  const demand = loaded.map(({ demandMw }) => demandMw);
  const mean = sum(demand) / demand.length;
  const generating = new Set(buses.filter(({ role }) => role === "generator").map(({ substation }) => substation)).size;
  const compensated = new Set(buses.filter(({ shuntMvar }) => shuntMvar !== 0).map(({ substation }) => substation))
    .size;
  return [
    one("buses per substation", buses.length / substations.length, [1.7, 3.5]),
    one(
      "substations with less than 200 kV",
      upTo((kv) => kv < 200),
      [0.85, 1],
      percent,
    ),
    one(
      "substations with more than 200 kV",
      upTo((kv) => kv > 200),
      [0.07, 0.25],
      percent,
    ),
    one(
      "substations with load",
      share(substations, ({ demandMw }) => demandMw > 0),
      [0.75, 0.9],
      percent,
    ),
    one("substations with generation", generating / substations.length, [0.05, 0.25], percent),
    one("substations with shunts", compensated / substations.length, [0.05, 0.12], percent),
    one("mean load of a loaded bus, MW", mean, [6, 18]),
    // Exponential: 63 % lie below the mean.
    one(
      "loaded buses below the mean (exponential: 63 %)",
      share(demand, (mw) => mw < mean),
      [0.55, 0.75],
      percent,
    ),
  ];
}

function fleetCriteria({ units, buses }: Grid): Criterion[] {
  const capacity = sum(units.map(({ pMaxMw }) => pMaxMw));
  return [
    one("capacity over load", capacity / sum(buses.map(({ demandMw }) => demandMw)), [1.2, 1.6]),
    one(
      "generators of 25 to 200 MW",
      share(units, ({ pMaxMw: mw }) => mw >= 25 && mw <= 200),
      [0.4, 1],
      percent,
    ),
    one(
      "generators above 200 MW",
      share(units, ({ pMaxMw }) => pMaxMw > 200),
      [0.05, 0.2],
      percent,
    ),
  ];
}

function transformerCriteria({ branches }: Grid): Criterion[] {
  const own = branches.filter(({ kind }) => kind === "transformer" || kind === "step_up" || kind === "distribution");
  const reactances = own.map(({ x, classMva }) => (x * classMva) / 100);
  return [
    one(
      "transformers with x of 0.05 to 0.20 on their own base",
      share(reactances, (x) => x >= 0.05 && x <= 0.2),
      [0.8, 1],
      percent,
    ),
    one("median transformer x on its own base", quantile(reactances, 0.5), [0.1, 0.14]),
  ];
}

/** Ranges of a class: x per mile, X/R, MVA. Those of 138 kV are the ones of 115 kV at the other voltage. */
const CLASS_RANGES: Readonly<
  Record<number, readonly [x: readonly [number, number], xr: readonly [number, number], mva: readonly [number, number]]>
> = {
  115: [
    [0.0008, 0.0064],
    [2.5, 8.3],
    [92, 255],
  ],
  138: [
    [0.00056, 0.00444],
    [2.5, 8.3],
    [110, 306],
  ],
  230: [
    [0.00034, 0.00155],
    [6.4, 12.5],
    [327, 797],
  ],
  345: [
    [0.0002, 0.00052],
    [9, 16],
    [897, 1494],
  ],
  500: [
    [0.00012, 0.00021],
    [11, 26],
    [1732, 3464],
  ],
};

function lineCriteria({ plan, branches }: Grid): Criterion[] {
  return plan.levels.flatMap(({ kv, sites }, l) => {
    const [x, xr, mva] = CLASS_RANGES[kv] as (typeof CLASS_RANGES)[number];
    const lines = branches.filter((branch) => branch.kind === "line" && branch.kv === kv);
    const pairs = plan.lines.filter(({ level }) => level === l);
    // Lines of less than a mile have the impedance of their terminals.
    const long = lines.filter(({ km }) => km > KM_PER_MILE);
    return [
      spreadOf(
        `${kv} kV: x in per unit a mile, 10 to 90 %`,
        long.map((line) => line.x / (line.km / KM_PER_MILE)),
        x,
      ),
      spreadOf(
        `${kv} kV: X/R, 10 to 90 %`,
        lines.map((line) => line.x / line.r),
        xr,
      ),
      spreadOf(
        `${kv} kV: MVA, 10 to 90 %`,
        lines.map((line) => line.classMva),
        mva,
      ),
      one(`${kv} kV: lines per substation`, lines.length / sites.length, [1.1, 1.4]),
      one(
        `${kv} kV: lines on the minimum spanning tree`,
        share(pairs, ({ shortest }) => shortest),
        [0.45, 0.57],
        percent,
      ),
      ...topologyCriteria(plan.substations, { kv, sites }, pairs),
    ];
  });
}

function topologyCriteria(
  substations: readonly Substation[],
  { kv, sites }: Level,
  pairs: readonly { hops: number; km: number }[],
): Criterion[] {
  const points = sites.map((i) => (substations[i] as Substation).point);
  const [near] = pairsByHops(points, delaunayNeighbours(points), 1) as [Pair[]];
  const shortest = spanningTree(points.length, near, (i) => (near[i] as Pair).km);
  const at = (k: number): Substation => substations[sites[k] as number] as Substation;
  const treeKm = sum(shortest.map((i) => distanceKm(at((near[i] as Pair).a).at, at((near[i] as Pair).b).at)));
  const hops = [1, 2, 3].map((h) => share(pairs, (pair) => pair.hops === h)) as [number, number, number];
  return [
    {
      name: `${kv} kV: lines at 1, 2, 3 Delaunay hops`,
      range: "about 75, 20, 5 %",
      value: hops.map(percent).join(", "),
      met: Math.abs(hops[0] - 0.75) <= 0.1 && Math.abs(hops[1] - 0.2) <= 0.1 && hops[2] <= 0.1,
    },
    // Parallel circuits count once.
    one(`${kv} kV: length over that of the minimum spanning tree`, sum(pairs.map(({ km }) => km)) / treeKm, [1.2, 2.2]),
  ];
}

function graphCriteria({ plan }: Grid): Criterion[] {
  const neighbours = plan.substations.map(() => new Set<number>());
  for (const { a, b } of plan.lines) {
    neighbours[a]?.add(b);
    neighbours[b]?.add(a);
  }
  const { degree, clustering } = graphShape(neighbours);
  const counts = neighbours.map((own) => own.size);
  const above = (least: number): number => share(counts, (d) => d >= least);
  return [
    one("mean degree of the graph of substations", degree, [2.6, 2.75]),
    one("its clustering coefficient", clustering, [0.03, 0.1]),
    {
      name: "its tail: substations with at least 4, 6, 8 neighbours",
      range: "exponential: each about as many times fewer than the last",
      value: [4, 6, 8].map((d) => percent(above(d))).join(", "),
      met: above(6) < above(4) / 2 && above(8) < above(6) / 2,
    },
  ];
}

/** The optimum of a grid in one convention. */
export interface Market {
  convention: string;
  objective: number;
  /** $/MWh. */
  prices: readonly number[];
  binding: number;
  /** Degrees. */
  widestAngle: number;
}

/** Criteria of the market. */
export function marketCriteria(markets: readonly Market[], columns: readonly (readonly number[])[]): Criterion[] {
  const [first] = markets as [Market];
  const all = markets.flatMap(({ prices }) => prices);
  const spreadUsd = quantile(first.prices, 0.95) - quantile(first.prices, 0.05);
  const distinct = columns.map((column) => new Set(column.map((value) => round(value, 9))).size / column.length);
  return [
    ...markets.map((m) => one(`binding lines (${m.convention})`, m.binding, [5, 20])),
    ...markets.map((m) => one(`widest angle difference, degrees (${m.convention})`, m.widestAngle, [0, 25])),
    one("lowest price, $/MWh (all conventions)", Math.min(...all), [-40, 90]),
    one("highest price, $/MWh (all conventions)", Math.max(...all), [-40, 90]),
    { name: "spread of prices, 5 to 95 %, $/MWh", range: "at least 5", value: plain(spreadUsd), met: spreadUsd >= 5 },
    {
      name: "dLMP/dd columns: share of different values (three buses)",
      range: "at least 20 %",
      value: distinct.map(percent).join(", "),
      met: distinct.every((part) => part >= 0.2),
    },
  ];
}

/** Criteria that single grids have to meet. */
export function characterCriteria(grid: Grid): Criterion[] {
  const { spec, substations } = grid.plan;
  const shifters = grid.branches.filter(({ kind }) => kind === "shifter").length;
  const curves = share(grid.units, ({ cost }) => "corners" in cost);
  const perPlace = new Map<number, number>();
  for (const { substation } of grid.buses) perPlace.set(substation, (perPlace.get(substation) ?? 0) + 1);
  const stacked = [...perPlace.values()];
  const least = (name: string, value: number, needed: number): Criterion => ({
    ...{ name, range: `at least ${needed}`, value: `${value}`, met: value >= needed },
  });
  return [
    { name: "buses", range: `${spec.buses}`, value: `${grid.buses.length}`, met: grid.buses.length === spec.buses },
    least("most buses in one substation", Math.max(...stacked), 3),
    one("generators with piecewise linear costs", curves, [0.05, 0.35], percent),
    ...(spec.threeWinding > 0 ? [least("three-winding transformers", grid.threeWinding.length, 20)] : []),
    ...(spec.shifters > 0 ? [least("phase-shifting transformers", shifters, 1)] : []),
    ...characterOf(grid, substations),
  ];
}

function characterOf(grid: Grid, substations: readonly Substation[]): Criterion[] {
  const at = (bus: GridBus): readonly [number, number] => (substations[bus.substation] as Substation).at;
  if (grid.plan.spec.id === "texas") {
    const wind = grid.units.filter(({ technology }) => technology === "wind");
    const total = (part: readonly (typeof wind)[number][]): number => sum(part.map(({ pMaxMw }) => pMaxMw));
    const west = wind.filter(({ bus }) => at(grid.buses[bus] as GridBus)[0] < -99);
    const demand = (part: readonly GridBus[]): number => sum(part.map(({ demandMw }) => demandMw));
    const east = grid.buses.filter((bus) => at(bus)[0] >= -99);
    return [
      one("wind capacity west of 99 degrees west", total(west) / total(wind), [0.75, 1], percent),
      one("demand east of it", demand(east) / demand(grid.buses), [0.75, 1], percent),
    ];
  }
  if (grid.plan.spec.id === "california") {
    const lats = grid.buses.filter(({ kv }) => kv === 500).map((bus) => at(bus)[1]);
    const apart = Math.max(...lats) - Math.min(...lats);
    return [
      {
        name: "500 kV from south to north, degrees of latitude",
        range: "at least 6",
        value: plain(apart),
        met: apart >= 6,
      },
    ];
  }
  return [];
}
