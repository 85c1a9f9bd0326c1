import type { Loadability, LoadabilityOptions, LoadabilityTarget } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import { LatestRun, type RunState } from "./latestRun.ts";

interface Growing {
  atMw: number;
}

interface Grown {
  target: LoadabilityTarget;
  found: Loadability;
}

/** The state of the search for a loadability limit. */
export type LoadabilityState = RunState<Growing, Grown>;

/** Starts the growth of a demand at the present state, with the edits of that state. */
export type BeginLoadability = (
  target: LoadabilityTarget,
  options: LoadabilityOptions,
) => Promise<{ edits: CaseEdits; curve: Promise<Loadability> }>;

/** The search for how much a demand of one session can grow before voltages collapse, with the PV curve up to there. */
export class LoadabilityRun extends LatestRun<Growing, Grown> {
  readonly #begin: BeginLoadability;

  constructor(begin: BeginLoadability) {
    super();
    this.#begin = begin;
  }

  /** Searches from the present state. Resolves when it is done, cancelled or failed. */
  async run(target: LoadabilityTarget): Promise<void> {
    await this.follow({ fraction: 0, atMw: 0 }, async (signal, progress) => {
      const { edits, curve } = await this.#begin(target, {
        signal,
        onProgress: ({ fraction, at_mw: atMw }) => progress({ fraction, atMw }),
      });
      return { target, found: await curve, edits };
    });
  }
}
