import type { FormulationId } from "@service/engine";
import { cancelledError, isCancelled } from "../concurrency/cancelling.ts";
import { type CaseEdits, sameEdits } from "../edits/edits.ts";
import { LatestRun } from "../screening/latestRun.ts";
import type { ExactResult } from "./committedState.ts";

/** A formulation with its result, or why it has none. */
export type FormulationResult = { readonly id: FormulationId } & (
  { readonly result: ExactResult } | { readonly error: unknown }
);

/** What a comparison needs of its session. */
export interface ComparisonHost {
  /** The state shown. */
  state(): { readonly edits: CaseEdits };
  formulations(): readonly FormulationId[];
  /** The exact result of the state shown in a formulation, unless the signal fires before its turn. Rejects with EngineError. */
  resultIn(formulation: FormulationId, signal: AbortSignal): Promise<ExactResult>;
}

/**
 * The state shown in each formulation that there is. They are solved one after another, so that a change waits for one of them at most;
 * a change ends the comparison.
 */
export class FormulationComparison extends LatestRun<object, { results: readonly FormulationResult[] }> {
  readonly #host: ComparisonHost;

  constructor(host: ComparisonHost) {
    super();
    this.#host = host;
  }

  /** Compares the state shown. Resolves when it is done or cancelled. */
  run(): Promise<void> {
    const { edits } = this.#host.state();
    const formulations = this.#host.formulations();
    return this.follow({ fraction: 0 }, async (signal, progress) => {
      const results: FormulationResult[] = [];
      for (const id of formulations) {
        if (!sameEdits(this.#host.state().edits, edits)) {
          throw cancelledError(); // another state is shown
        }
        results.push(await this.#result(id, signal));
        progress({ fraction: results.length / formulations.length });
      }
      return { edits, results };
    });
  }

  async #result(id: FormulationId, signal: AbortSignal): Promise<FormulationResult> {
    try {
      return { id, result: await this.#host.resultIn(id, signal) };
    } catch (error) {
      if (isCancelled(error)) {
        throw error;
      }
      return { id, error };
    }
  }
}
