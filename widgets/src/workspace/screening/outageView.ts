import { type ISignal, Signal } from "@lumino/signaling";
import { heaviestBranch } from "../quantities/branchLoading.ts";
import type { SessionCore } from "../session/sessionCore.ts";

/** Loadings up to this far above 1 are rounding. */
const SAME_LOADING = 1e-6;

/** An outage whose flows views show: the outaged branch, the lines above their rating, and the most loaded line. */
export interface ShownOutage {
  readonly branch: number;
  readonly overloads: number;
  readonly worst: { readonly branch: number; readonly loading: number } | null;
}

/**
 * Shows the flows and loadings after the outage of one branch in the views of a session, and its voltages where the
 * formulation has them, with dispatch and demand unchanged, until the state changes, a preview begins, or the view is ended. Nothing is published.
 */
export class OutageView {
  readonly #core: SessionCore;
  readonly #changed = new Signal<this, void>(this);
  #shown: ShownOutage | null = null;
  #wanted = 0;

  constructor(core: SessionCore) {
    this.#core = core;
    core.signals.changed.connect((_, change) => {
      if (change === "state" || (change === "preview" && core.states.store.previewing)) {
        this.end();
      }
    });
  }

  /** Emitted when another outage is shown, and when the view ends. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get shown(): ShownOutage | null {
    return this.#shown;
  }

  /** Shows the flows after the outage of a branch. Rejects with EngineError: `OUTAGE.ISLANDING`, `SOLVE.NOT_CONVERGED`. */
  async show(branch: number): Promise<void> {
    this.#wanted += 1;
    const wanted = this.#wanted;
    const { opened, solver, queue, states, signals } = this.#core;
    const { store } = states;
    const columns = await queue.run(() => solver.outageColumns(states.shown.edits, branch));
    if (wanted !== this.#wanted) {
      return;
    }
    const loading = columns.get("loading") ?? new Float64Array();
    const worst = heaviestBranch(loading);
    this.#shown = {
      branch,
      overloads: loading.filter((share) => share > 1 + SAME_LOADING).length,
      worst: worst < 0 ? null : { branch: opened.branches[worst]?.id ?? 0, loading: loading[worst] ?? NaN },
    };
    store.outage = columns;
    signals.tell("preview");
    this.#changed.emit();
  }

  /** Shows the flows of the state again. */
  end(): void {
    this.#wanted += 1;
    if (this.#shown !== null) {
      this.#shown = null;
      this.#core.states.store.outage = null;
      this.#core.signals.tell("preview");
      this.#changed.emit();
    }
  }
}
