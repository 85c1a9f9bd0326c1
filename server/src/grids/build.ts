// One grid from its specification: places -> substations -> network -> congestion -> AC side -> module -> metrics.
import { createHash } from "node:crypto";
import type { Engine, IngestedCase, Optimum } from "@service/engine/node";
import { settle } from "./operation/acside.ts";
import { bindingRows, congest, CONVENTIONS } from "./operation/congest.ts";
import { fleetOf } from "./network/fleet.ts";
import { characterCriteria, criteriaOf, marketCriteria, type Criterion, type Market } from "./files/metrics.ts";
import { moduleText } from "./files/module.ts";
import type { StoredFlow } from "./files/stored.ts";
import { networkOfPlan, type Grid } from "./network/network.ts";
import { outlineOf, placesOf, type Outline } from "./footprint/places.ts";
import { firstBanks, layLines, levelsOf, reinforce, type Plan } from "./network/plan.ts";
import type { GridSpec } from "./spec.ts";
import { substationsOf } from "./footprint/substations.ts";

/** A committed grid, with the data for its report and picture. */
export interface BuiltGrid {
  spec: GridSpec;
  grid: Grid;
  outline: Outline;
  /** Module text and its SHA-256. */
  text: string;
  sha256: string;
  counts: Pick<IngestedCase, "n_bus" | "n_branch" | "n_gen" | "n_analysis_bus" | "n_analysis_branch">;
  criteria: readonly Criterion[];
  markets: readonly Market[];
  solution: Optimum;
}

/**
 * Builds one grid.
 *
 * @param stored the power flow of the committed grid, see `settle`.
 * @throws when the grid does not solve, its power flow does not converge, or a criterion is not met.
 */
export async function buildGrid(spec: GridSpec, engine: Engine, stored?: StoredFlow): Promise<BuiltGrid> {
  const outline = await outlineOf(spec.stateName);
  const grid = await networkFor(spec, outline);
  await congest(grid, engine);
  const flow = await settle(grid, engine, stored);
  const text = moduleText(grid);
  const { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch } = await engine.inspectModule(text);
  const { markets, columns, solution } = await marketsOf(grid, text, engine);
  const voltages = [...flow.vm];
  const criteria: Criterion[] = [
    ...characterCriteria(grid),
    ...criteriaOf(grid),
    ...marketCriteria(markets, columns),
    bounded(
      "AC power flow: lowest and highest voltage, per unit",
      [Math.min(...voltages), Math.max(...voltages)],
      [0.9, 1.1],
    ),
    bounded("AC power flow: losses, % of demand", [(100 * flow.lossesMw) / demandOf(grid)], [0.5, 5]),
  ];
  const missed = criteria.filter(({ met }) => !met).map(({ name, range, value }) => `${name}: ${value}, not ${range}`);
  if (missed.length > 0) throw new Error(`${spec.id} misses its criteria:\n  ${missed.join("\n  ")}`);
  const counts = { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch };
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { spec, grid, outline, text, sha256, counts, criteria, markets, solution };
}

async function networkFor(spec: GridSpec, outline: Outline): Promise<Grid> {
  const substations = substationsOf(spec, placesOf(spec.state), outline);
  const levels = levelsOf(spec, substations);
  const units = fleetOf(spec, substations, new Set(levels[1]?.sites));
  const plan: Plan = { spec, substations, levels, lines: [], banks: firstBanks(levels), units };
  layLines(plan);
  reinforce(plan);
  return networkOfPlan(plan, spec.buses);
}

/** The optimum in every convention, and three sensitivity columns in the first. */
async function marketsOf(
  grid: Grid,
  text: string,
  engine: Engine,
): Promise<{ markets: Market[]; columns: number[][]; solution: Optimum }> {
  const markets: Market[] = [];
  const columns: number[][] = [];
  const solutions: Optimum[] = [];
  for (const convention of CONVENTIONS) {
    const study = await engine.createStudy(text, "dcopf", { dc_convention: convention });
    try {
      const solution = await study.currentSolution();
      solutions.push(solution);
      const angle = (bus: number): number => solution.va[bus]?.value ?? 0;
      const apart = grid.branches.map(({ from, to }) => Math.abs(angle(from) - angle(to)));
      markets.push({
        convention,
        objective: solution.objective,
        prices: solution.prices.map(({ value }) => value),
        binding: bindingRows(solution).length,
        widestAngle: (Math.max(...apart) * 180) / Math.PI,
      });
      for (const bus of convention === "service" ? watchedBuses(grid) : []) {
        const { values } = await study.sensitivity(grid.plan.spec.id, {}, {}, { bus });
        columns.push(values.map(({ value }) => value));
      }
    } finally {
      await study.free();
    }
  }
  return { markets, columns, solution: solutions[0] as Optimum };
}

/** Ids of three buses with demand: of the first, the middle and the last substation served. */
function watchedBuses(grid: Grid): number[] {
  const served = grid.buses.flatMap(({ demandMw }, row) => (demandMw > 0 ? [row + 1] : []));
  return [0, 0.5, 0.999].map((part) => served[Math.floor(part * served.length)] as number);
}

function demandOf(grid: Grid): number {
  return grid.buses.reduce((sum, { demandMw }) => sum + demandMw, 0);
}

function bounded(name: string, values: readonly number[], [low, high]: readonly [number, number]): Criterion {
  const met = values.every((value) => value >= low && value <= high);
  return { name, range: `${low} .. ${high}`, value: values.map((value) => value.toFixed(3)).join(" .. "), met };
}
