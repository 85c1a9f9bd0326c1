import type { SeriesOptions } from "@service/engine";
import { formatCount, trans } from "../../text/index.ts";
import { cancelledError } from "../concurrency/cancelling.ts";
import { LatestRun, type RunState } from "../screening/latestRun.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { Profile } from "./profile.ts";
import { fits, SolvedSeries } from "./solvedSeries.ts";

interface RunningSeries {
  profile: Profile;
  /** Number of solved steps, including those without a solution. */
  solved: number;
  failed: number;
}

/** The state of a run. A cancelled one is done with the steps solved so far. */
export type SeriesState = RunState<RunningSeries, { series: SolvedSeries }>;

/** The exact solves of a profile in one session, step after step; the live state does not change. */
export class SeriesRun extends LatestRun<RunningSeries, { series: SolvedSeries }> {
  readonly #core: SessionCore;
  #enough = new AbortController();

  constructor(core: SessionCore) {
    super();
    this.#core = core;
  }

  /** The latest solved steps; null without any. */
  get series(): SolvedSeries | null {
    return this.state.kind === "done" ? this.state.series : null;
  }

  /** Solves a profile at the live state. */
  run(profile: Profile): Promise<void> {
    const { opened, solver, queue, states } = this.#core;
    const enough = new AbortController();
    this.#enough = enough;
    const begun = performance.now();
    return this.follow({ fraction: 0, profile, solved: 0, failed: 0 }, async (signal, progress) => {
      if (!fits(profile.steps.length, states.origin.columns)) {
        throw new Error(tooLarge(profile.steps.length));
      }
      const options: SeriesOptions = {
        signal,
        enough: enough.signal,
        onProgress: ({ solved, total }, { steps }) => {
          const failed = steps.filter(({ error }) => error !== undefined).length;
          progress({ fraction: solved / total, profile, solved, failed });
        },
      };
      const { origin, result } = await queue.run(async () => {
        const { origin: live } = states; // read when its turn in the queue comes
        return { origin: live, result: (await solver.beginSeries(live, profile, options)).result };
      });
      const found = await result;
      if (found.steps.length === 0) {
        throw cancelledError();
      }
      const series = new SolvedSeries(profile, origin, found, performance.now() - begun, opened);
      return { edits: origin.edits, series };
    });
  }

  /** Ends a run with the steps solved so far. */
  override cancel(): void {
    this.#enough.abort();
  }
}

function tooLarge(steps: number): string {
  return trans.__("%1 steps of this case are more than a page can hold. Solve fewer steps.", formatCount(steps));
}
