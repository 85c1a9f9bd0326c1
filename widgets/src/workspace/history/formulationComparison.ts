import type { FormulationId } from "@service/engine";
import { cancelledError, isCancelled, unlessCancelled } from "../concurrency/cancelling.ts";
import { sameEdits } from "../edits/edits.ts";
import type { Committer } from "../mutations/committer.ts";
import { LatestRun } from "../screening/latestRun.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { ExactResult } from "./committedState.ts";

/** A formulation with its result, or the reason why it has no result. */
export type FormulationResult = { readonly id: FormulationId } & (
  { readonly result: ExactResult } | { readonly error: unknown }
);

/**
 * Solves the state on screen in every available formulation. The solves run one after another, so that a change waits
 * for at most one of them; a change ends the comparison.
 */
export class FormulationComparison extends LatestRun<object, { results: readonly FormulationResult[] }> {
  readonly #core: SessionCore;
  readonly #committer: Committer;

  constructor(core: SessionCore, committer: Committer) {
    super();
    this.#core = core;
    this.#committer = committer;
    committer.published.connect(() => this.cancel());
  }

  /** Compares the state on screen. Resolves when the comparison is done or cancelled. */
  run(): Promise<void> {
    const { states } = this.#core;
    const { edits } = states.shown;
    const { formulations } = this.#committer;
    return this.follow({ fraction: 0 }, async (signal, progress) => {
      const results: FormulationResult[] = [];
      for (const id of formulations) {
        if (!sameEdits(states.shown.edits, edits)) {
          throw cancelledError(); // another state is shown
        }
        results.push(await this.#result(id, signal));
        progress({ fraction: results.length / formulations.length });
      }
      return { edits, results };
    });
  }

  /**
   * The exact result of the edits on screen in a formulation; nothing is published. Rejects with EngineError, and with
   * `ABORTED` as soon as the signal fires, after which no solve starts.
   */
  resultIn(formulation: FormulationId, signal?: AbortSignal): Promise<ExactResult> {
    const { solver, queue, states } = this.#core;
    const { edits, solution } = states.shown;
    if (formulation === solution.formulation) {
      return Promise.resolve({ solution, columns: states.store.columns });
    }
    const solve = (): Promise<ExactResult> =>
      signal?.aborted === true ? Promise.reject(cancelledError()) : solver.solve(edits, formulation);
    return unlessCancelled(queue.run(solve), signal);
  }

  async #result(id: FormulationId, signal: AbortSignal): Promise<FormulationResult> {
    try {
      return { id, result: await this.resultIn(id, signal) };
    } catch (error) {
      if (isCancelled(error)) {
        throw error;
      }
      return { id, error };
    }
  }
}
