import type { BegunScreening, ScreeningOptions } from "../solving/exactSolver.ts";
import { LatestRun, type RunState } from "./latestRun.ts";
import { besideBase, type Outage } from "./outages.ts";

interface Screened {
  rows: readonly Outage[];
  /** Duration, ms. */
  ms: number;
}

/** The state of a screening. */
export type ScreenState = RunState<object, Screened>;

/** Starts a screening of the present state. */
export type BeginScreening = (options: ScreeningOptions) => Promise<BegunScreening>;

/** The N-1 screening of one session: the most loaded branch after each single outage, at the state it started from. */
export class OutageScreen extends LatestRun<object, Screened> {
  readonly #begin: BeginScreening;

  constructor(begin: BeginScreening) {
    super();
    this.#begin = begin;
  }

  /** Screens the present state. Resolves when it is done, cancelled or failed. */
  async run(): Promise<void> {
    const begun = performance.now();
    await this.follow({ fraction: 0 }, async (signal, progress) => {
      const onProgress = (fraction: number): void => progress({ fraction });
      const { edits, loadingOf, rows } = await this.#begin({ signal, onProgress });
      const outages = besideBase(await rows, loadingOf);
      return { rows: outages, edits, ms: performance.now() - begun };
    });
  }
}
