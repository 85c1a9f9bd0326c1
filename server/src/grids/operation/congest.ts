// Congestion: ratings of a few lines are lowered until the optimum meets them.
import type { Engine, Optimum, StudyHandle } from "@service/engine/node";
import { EngineError } from "@service/engine/node";
import { planeKm, type Point } from "../numerics/geometry.ts";
import { bridges } from "../numerics/graph.ts";
import { moduleText } from "../files/module.ts";
import type { Grid, GridBranch } from "../network/network.ts";
import { within, type Cut } from "../spec.ts";

/** Prices that the generator accepts, $/MWh: within -40 to 90, which `metrics.ts` asks for, with room for edits. */
const PRICE_RANGE = [-30, 75] as const;
/** A rating is lowered to the first of these parts of the flow that works. */
const SQUEEZES = [0.9, 0.96];
/** Lines that carry less than this part of their rating are left alone. */
const LEAST_LOADING = 0.25;
/** A line binds from this shadow price on, $/MWh. */
const BINDING_SHADOW = 0.01;
/** Attempts to a line that is wanted. */
const PATIENCE = 6;

/** The conventions of susceptance, the default one first: each must stay solvable. */
export const CONVENTIONS = ["service", "powermodels", "matpower"] as const;

/** Lowers ratings in the grid, first on the cuts of its character, then spread over it. */
export async function congest(grid: Grid, engine: Engine): Promise<void> {
  const text = moduleText(grid);
  const studies: StudyHandle[] = [];
  try {
    for (const dc_convention of CONVENTIONS) studies.push(await engine.createStudy(text, "dcopf", { dc_convention }));
    const squeeze = new Squeeze(grid, studies);
    await squeeze.start();
    for (const cut of grid.plan.spec.cuts) await squeeze.onCut(cut);
    await squeeze.spread(grid.plan.spec.binding);
    squeeze.apply();
  } finally {
    for (const study of studies) await study.free();
  }
}

/** Branch rows whose shadow price binds. */
export function bindingRows(solution: Optimum): number[] {
  return solution.flows.filter((flow) => flow.shadow > BINDING_SHADOW).map((flow) => flow.branch - 1);
}

class Squeeze {
  readonly #grid: Grid;
  readonly #studies: readonly StudyHandle[];
  /** Row of a line to its new rating, MW. */
  readonly #ratings = new Map<number, number>();
  readonly #tried = new Set<number>();
  readonly #possible: readonly number[];
  #solution: Optimum | undefined;

  constructor(grid: Grid, studies: readonly StudyHandle[]) {
    this.#grid = grid;
    this.#studies = studies;
    this.#possible = singleCircuits(grid);
  }

  async start(): Promise<void> {
    this.#solution = await (this.#studies[0] as StudyHandle).currentSolution();
  }

  /** Lines between a region and the rest, the most loaded first. */
  async onCut(cut: Cut): Promise<void> {
    const { buses } = this.#grid;
    const inRegion = (row: number): boolean => within(cut.region, (buses[row] as { at: readonly [number, number] }).at);
    const crossing = this.#possible.filter((row) => {
      const { from, to, kv } = this.#branch(row);
      return kv >= (cut.fromKv ?? 0) && inRegion(from) !== inRegion(to);
    });
    await this.#lower(crossing, cut.lines, cut.lines * PATIENCE, 0);
  }

  /** The most loaded lines anywhere, away from those that bind already, until `wanted` lines bind. */
  async spread(wanted: number): Promise<void> {
    for (const apartKm of [80, 40, 20, 8]) {
      const missing = wanted - bindingRows(this.#solution as Optimum).length;
      if (missing > 0) await this.#lower(this.#possible, missing, missing * PATIENCE, apartKm);
    }
  }

  async #lower(rows: readonly number[], wanted: number, attempts: number, apartKm: number): Promise<void> {
    let left = wanted;
    for (let k = 0; k < attempts && left > 0; k += 1) {
      const row = this.#mostLoaded(rows, apartKm);
      if (row === undefined) return;
      this.#tried.add(row);
      for (const part of SQUEEZES) {
        if (!(await this.#try(row, part))) continue;
        left -= 1;
        break;
      }
    }
  }

  #mostLoaded(rows: readonly number[], apartKm: number): number | undefined {
    const solution = this.#solution as Optimum;
    const binding = bindingRows(solution).map((row) => this.#middle(row));
    let best: number | undefined;
    let most = 0;
    for (const row of rows) {
      if (this.#tried.has(row)) continue;
      const { mw, loading } = solution.flows[row] as Optimum["flows"][number];
      // Loading says that the line has its size for a reason, the flow that the grid notices.
      const score = Math.abs(mw) * loading;
      if (loading < LEAST_LOADING || score <= most) continue;
      if (binding.some((point) => planeKm(point, this.#middle(row)) < apartKm)) continue;
      [best, most] = [row, score];
    }
    return best;
  }

  /** Lowers one rating to a part of the flow; keeps it where an optimum with acceptable prices exists and no line ceases to bind. */
  async #try(row: number, part: number): Promise<boolean> {
    const before = this.#solution as Optimum;
    const rating = Math.max(5, Math.round(part * Math.abs((before.flows[row] as { mw: number }).mw)));
    const ratings = new Map(this.#ratings).set(row, rating);
    const deltas = Object.fromEntries([...ratings].map(([r, mw]) => [`${r + 1}`, mw - this.#branch(r).mva]));
    const solutions: Optimum[] = [];
    for (const study of this.#studies) {
      const solution = await acceptable(study, this.#grid.plan.spec.id, deltas);
      if (!solution) return false;
      solutions.push(solution);
    }
    const [solution] = solutions as [Optimum];
    if (bindingRows(solution).length <= bindingRows(before).length) return false;
    this.#ratings.set(row, rating);
    this.#solution = solution;
    return true;
  }

  /** Writes the ratings into the grid. */
  apply(): void {
    for (const [row, mw] of this.#ratings) this.#branch(row).mva = mw;
  }

  #branch(row: number): GridBranch {
    return this.#grid.branches[row] as GridBranch;
  }

  #middle(row: number): Point {
    const { from, to } = this.#branch(row);
    const point = (bus: number): Point => {
      const substation = this.#grid.plan.substations[this.#grid.buses[bus]?.substation as number];
      return (substation as { point: Point }).point;
    };
    const [[x1, y1], [x2, y2]] = [point(from), point(to)];
    return [(x1 + x2) / 2, (y1 + y2) / 2];
  }
}

/** The optimum with changed ratings, or undefined where there is none or a price is out of range. */
async function acceptable(
  study: StudyHandle,
  id: string,
  ratings: Record<string, number>,
): Promise<Optimum | undefined> {
  try {
    const { solution } = await study.commit(id, {}, ratings);
    const within = solution.prices.every(({ value }) => value > PRICE_RANGE[0] && value < PRICE_RANGE[1]);
    return within ? solution : undefined;
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith("SOLVE.")) return undefined;
    throw error;
  }
}

/** Rows of the lines that run alone between their buses and whose loss would not split the grid. */
function singleCircuits(grid: Grid): number[] {
  const edges = grid.branches.map(({ from, to }) => ({ a: from, b: to }));
  // A three-winding transformer joins its three buses.
  for (const { buses } of grid.threeWinding) edges.push({ a: buses[0], b: buses[1] }, { a: buses[1], b: buses[2] });
  const isBridge = bridges(grid.buses.length, edges);
  const count = new Map<string, number>();
  const key = ({ from, to }: GridBranch): string => `${Math.min(from, to)},${Math.max(from, to)}`;
  for (const branch of grid.branches) count.set(key(branch), (count.get(key(branch)) ?? 0) + 1);
  return grid.branches.flatMap((branch, row) =>
    branch.kind === "line" && !isBridge[row] && count.get(key(branch)) === 1 ? [row] : [],
  );
}
