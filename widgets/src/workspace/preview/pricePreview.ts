import { deltaOf, type CaseEdits, sameEdits, withDelta } from "../edits/edits.ts";
import { hasPath, stepTo } from "../edits/generatorValues.ts";
import type { ExactSolver } from "../solving/exactSolver.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import type { MutationQueue } from "../mutations/mutationQueue.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { isLimit } from "./elementPath.ts";
import type { PathKeeper } from "./pathKeeper.ts";
import type { Prediction } from "./reconciliation.ts";
import { type ExactState, exactStateOf, PRICE } from "../quantities/prices.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { Capability } from "../session/capabilities.ts";
import { failedStatus, type SessionStatus } from "../session/sessionStatus.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";
import type { PreviewMode } from "./previewMode.ts";

/** A move that goes on for so long is a drag, for which the path is followed again, ms. */
const LASTING_MS = 100;

/** What a preview needs of its session. */
export interface PreviewHost {
  readonly opened: OpenedCase;
  readonly store: SolutionStore;
  state(): PublishedState;
  selection(): Selection | null;
  /** Tells that the prices shown changed. */
  told(): void;
  /** Whether the published state can be asked for something. */
  can(capability: Capability): boolean;
  status(): SessionStatus;
  setStatus(status: SessionStatus): void;
}

/**
 * Where the primary element is being moved to, and the prices shown for it: the first order from its column, or exact ones
 * from its path.
 */
export class PricePreview {
  mode: PreviewMode = "exact";
  /** Where the element is being moved to, and where the prices shown belong to; null at rest. */
  #moving: { readonly mw: number; readonly shownMw: number | null } | null = null;
  readonly #host: PreviewHost;
  readonly #solver: ExactSolver;
  readonly #queue: MutationQueue;
  readonly #paths: PathKeeper;
  readonly #exact = new LatestOnly<number>((deltaMw) => this.#showExact(deltaMw));
  #soon: ReturnType<typeof setTimeout> | undefined;
  readonly #changes = new LatestOnly<number>((deltaMw) => this.#showChanges(deltaMw));

  constructor(host: PreviewHost, solver: ExactSolver, queue: MutationQueue, paths: PathKeeper) {
    this.#host = host;
    this.#solver = solver;
    this.#queue = queue;
    this.#paths = paths;
  }

  /** Where the element is being moved to, as a change from the base case in MW; null at rest. */
  get mw(): number | null {
    return this.#moving?.mw ?? null;
  }

  /** The position that the prices shown belong to, which follows `mw`; null at rest. */
  get shownMw(): number | null {
    return this.#moving?.shownMw ?? null;
  }

  /** Moves the element to a change of `deltaMw` from the base case. */
  move(deltaMw: number): void {
    if (deltaMw === this.mw && deltaMw === this.shownMw && this.#host.status().kind === "previewing") {
      return; // it is on the screen: a release follows the last move
    }
    this.#moving = { mw: deltaMw, shownMw: this.shownMw };
    this.show();
  }

  /** Shows the prices of the present position again; nothing at rest. */
  show(): void {
    const { mw } = this;
    if (mw === null) {
      return;
    }
    const { store } = this.#host;
    const selection = this.#host.selection();
    const { opened } = this.#host;
    const solvesEach = selection?.kind === "generator" && !hasPath(selection, this.#host.state().edits, opened);
    if (this.mode === "exact" && solvesEach && this.#host.can("paths")) {
      this.#showSolved(mw);
      return;
    }
    if (this.mode === "exact" && !this.#paths.pending && store.dense !== null && this.#host.can("paths")) {
      if (this.#hasNoSolution(mw)) {
        this.#showEstimate(mw);
      } else if (this.#solver.holdsPath(this.#paths.path)) {
        void this.#exact.request(mw);
      } else {
        this.#showEstimate(mw); // no frame waits for the path, and no release of one move
        this.#followSoon();
      }
      return;
    }
    const solves = this.#host.can("voltage_estimates");
    if (!(solves && store.previewsFlows)) {
      // In exact mode only until the path is there, in a power flow until the first one is solved: no frame waits for it.
      this.#showEstimate(mw);
    }
    if (solves) {
      void this.#changes.request(mw);
    }
  }

  /**
   * Where there is no path, what is shown is solved: the estimate is on the screen until the first of these states has come, so that
   * flows do not go to and fro.
   */
  #showSolved(mw: number): void {
    if (this.#host.store.shownShadows === null) {
      this.#showEstimate(mw);
    }
    void this.#exact.request(mw);
  }

  /** Whether the path ends before a position because there is no solution beyond. */
  #hasNoSolution(mw: number): boolean {
    const { path } = this.#paths;
    const stop = path === null || path.covers(mw) ? null : mw > path.max ? path.above : path.below;
    return isLimit(stop);
  }

  /** Shows the published prices again. */
  end(): void {
    this.drop();
    this.#host.store.clearPreview();
    this.#host.told();
  }

  /** Forgets the position without a word. */
  drop(): void {
    this.#moving = null;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  /** Asks for exact prices once a move has lasted: the Study dropped the path with the last commit, and has to follow it again. */
  #followSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      if (this.mw !== null && this.mode === "exact") {
        void this.#exact.request(this.mw);
      }
    }, LASTING_MS);
  }

  /** A state was published, and its prices are shown: a position that it reached is at rest, another one stays ahead. */
  published(): void {
    const { mw } = this;
    this.#moving = mw === null || mw === this.#committedMw ? null : { mw, shownMw: null };
  }

  /** What the preview says of `edits`, when they move only the primary element away from the published state. */
  async predict(edits: CaseEdits): Promise<Prediction | null> {
    const { opened, store } = this.#host;
    const selection = this.#host.selection();
    if (selection === null) {
      return null;
    }
    const deltaMw = deltaOf(edits, selection, opened);
    const stepMw = this.#stepTo(deltaMw);
    if (stepMw === 0 || !sameEdits(withDelta(this.#host.state().edits, selection, deltaMw, opened), edits)) {
      return null;
    }
    const { path } = this.#paths;
    const row = opened.busRow(selection.kind === "branch" ? (path?.watchedBus ?? -1) : opened.busOf(selection));
    if (this.mode === "exact" && this.shownMw === deltaMw && store.shownShadows !== null) {
      const prices = store.shown(PRICE); // they are on the screen
      return prices && { mode: "exact", prices, row };
    }
    if (path !== null && this.mode === "exact" && path.covers(deltaMw) && this.#solver.holdsPath(path)) {
      const { columns } = await this.#solver.trackState(path.request, path.within(deltaMw));
      const prices = columns.get(PRICE);
      return prices === undefined ? null : { mode: "exact", prices, row };
    }
    const prices = store.predict(stepMw);
    return prices && { mode: "first_order", prices, row };
  }

  #showEstimate(mw: number): void {
    this.#host.store.showFirstOrder(this.#stepTo(mw));
    this.#shown(mw, { kind: "previewing", exact: false });
  }

  /** What is shown belongs to a position now. */
  #shown(mw: number, status: SessionStatus): void {
    this.#moving = this.#moving && { mw: this.#moving.mw, shownMw: mw };
    this.#host.setStatus(status);
    this.#host.told();
  }

  get #committedMw(): number {
    const selection = this.#host.selection();
    return selection === null ? 0 : deltaOf(this.#host.state().edits, selection, this.#host.opened);
  }

  /** How far a position is from the published state. */
  #stepTo(mw: number): number {
    const selection = this.#host.selection();
    if (selection?.kind !== "generator") {
      return mw - this.#committedMw;
    }
    const { opened, store } = this.#host;
    const output = store.columns.at("dispatch_mw", opened.rowOf(selection));
    return stepTo(selection, mw, this.#host.state().edits, opened, output);
  }

  /** The voltages and flows of a power flow at a position; where it has none, the estimate stays. */
  async #showChanges(deltaMw: number): Promise<void> {
    const selection = this.#host.selection();
    const { edits } = this.#host.state();
    if (this.mw !== deltaMw || selection === null) {
      return;
    }
    const changes = await this.#queue
      .run(() => this.#solver.changes(edits, withDelta(edits, selection, deltaMw, this.#host.opened)))
      .catch(() => null); // a commit there will tell why
    const current = this.mw !== null && this.#host.state().edits === edits;
    if (!current || !sameSelection(this.#host.selection(), selection)) {
      return;
    }
    if (changes === null) {
      this.#showEstimate(deltaMw);
    } else {
      this.#host.store.showChanges(changes);
      this.#shown(deltaMw, { kind: "previewing", exact: false, powerFlow: true });
    }
  }

  async #showExact(deltaMw: number): Promise<void> {
    const selection = this.#host.selection();
    if (this.mw === null || selection === null) {
      return;
    }
    const current = (): boolean => this.#moving !== null && sameSelection(this.#host.selection(), selection);
    try {
      const exact = await this.#queue.run(async () => (current() ? this.#exactState(selection, deltaMw) : null));
      if (current() && exact !== null) {
        this.#host.store.showCandidate(exact);
        this.#shown(deltaMw, { kind: "previewing", exact: true });
      }
    } catch (error) {
      if (current() && !isCancelled(error)) {
        const edits = withDelta(this.#host.state().edits, selection, deltaMw, this.#host.opened);
        this.#host.setStatus(
          failedStatus(error, { edits, formulation: this.#host.state().solution.formulation, ms: null }),
        );
      }
    }
  }

  /** From the path, or by a solve where the path does not reach. */
  async #exactState(selection: Selection, deltaMw: number): Promise<ExactState | null> {
    const { path } = this.#paths;
    if (path !== null && sameSelection(path.request.selection, selection) && path.covers(deltaMw)) {
      return this.#solver.trackState(path.request, path.within(deltaMw));
    }
    const { opened } = this.#host;
    const { columns } = await this.#solver.solve(withDelta(this.#host.state().edits, selection, deltaMw, opened));
    return exactStateOf(columns);
  }
}
