import { type ISignal, Signal } from "@lumino/signaling";
import type { OpenedCase } from "../cases/openedCase.ts";
import { heaviestBranch } from "../quantities/branchLoading.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import type { SessionChange } from "../session/sessionStatus.ts";

/** More than the rating by this much is an overload. */
const SAME_LOADING = 1e-6;

/** An outage whose flows views show: the branch that is out, the lines above their rating, and the one that is loaded most. */
export interface ShownOutage {
  readonly branch: number;
  readonly overloads: number;
  readonly worst: { readonly branch: number; readonly loading: number } | null;
}

/** What the view of an outage needs of its session. */
export interface OutageHost {
  readonly store: SolutionStore;
  readonly opened: OpenedCase;
  readonly changed: ISignal<unknown, SessionChange>;
  /** Flows after an outage at the published state, MW by dense row. Rejects with EngineError. */
  flowsAfter(branch: number): Promise<Float64Array>;
  /** Tells views to draw. */
  redraw(): void;
}

/**
 * Shows the flows and loadings after the outage of one branch in the views of a session, with dispatch and demand as they are, until
 * the state changes, a hand moves something, or it is ended. Nothing is published.
 */
export class OutageView {
  readonly #host: OutageHost;
  readonly #changed = new Signal<this, void>(this);
  #shown: ShownOutage | null = null;
  #wanted = 0;

  constructor(host: OutageHost) {
    this.#host = host;
    host.changed.connect((_, change) => {
      if (change === "state" || (change === "preview" && host.store.previewing)) {
        this.end();
      }
    });
  }

  /** Tells that another outage is shown, or none. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get shown(): ShownOutage | null {
    return this.#shown;
  }

  /** Shows the flows after the outage of a branch. Rejects with EngineError, `OUTAGE.ISLANDING` where it splits an island. */
  async show(branch: number): Promise<void> {
    this.#wanted += 1;
    const wanted = this.#wanted;
    const flows = await this.#host.flowsAfter(branch);
    if (wanted !== this.#wanted) {
      return;
    }
    const { store, opened } = this.#host;
    const loading = flows.map((mw, row) => Math.abs(mw) / store.columns.at("rating_mw", row));
    const worst = heaviestBranch(loading);
    this.#shown = {
      branch,
      overloads: loading.filter((share) => share > 1 + SAME_LOADING).length,
      worst: worst < 0 ? null : { branch: opened.branches[worst]?.id ?? 0, loading: loading[worst] ?? NaN },
    };
    store.outage = new Map([
      ["flow_mw", flows],
      ["loading", loading],
    ]);
    this.#host.redraw();
    this.#changed.emit();
  }

  /** Shows the flows of the state again. */
  end(): void {
    this.#wanted += 1;
    if (this.#shown !== null) {
      this.#shown = null;
      this.#host.store.outage = null;
      this.#host.redraw();
      this.#changed.emit();
    }
  }
}
