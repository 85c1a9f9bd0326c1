import { deltaOf, type CaseEdits, sameEdits, withDelta } from "../edits/edits.ts";
import { hasPath, stepTo } from "../edits/generatorValues.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { isLimit } from "./elementPath.ts";
import type { PathKeeper } from "./pathKeeper.ts";
import type { Prediction, PreviewMode } from "./reconciliation.ts";
import { type ExactState, exactStateOf, PRICE } from "../quantities/prices.ts";
import type { Capability } from "../session/capabilities.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { failedStatus, type SessionStatus } from "../session/sessionStatus.ts";
import { changesNetwork, sameSelection, type Selection } from "../cases/selection.ts";

/** Duration after which a move is a drag, for which the path is followed again, ms. */
const LASTING_MS = 100;

/**
 * The position of the primary element under a move and the prices shown for it: first order from its column, or exact
 * from its path.
 */
export class PricePreview {
  /** The element that moves: the primary of the selected elements. */
  element: Selection | null = null;
  #mode: PreviewMode = "exact";
  /** The position of the move, and the position of the prices on screen; null at rest. */
  #moving: { readonly mw: number; readonly shownMw: number | null } | null = null;
  readonly #core: SessionCore;
  readonly #paths: PathKeeper;
  readonly #exact = new LatestOnly<number>((deltaMw) => this.#showExact(deltaMw));
  #soon: ReturnType<typeof setTimeout> | undefined;
  readonly #changes = new LatestOnly<number>((deltaMw) => this.#showChanges(deltaMw));

  constructor(core: SessionCore, paths: PathKeeper) {
    this.#core = core;
    this.#paths = paths;
  }

  /** How prices are computed. */
  get mode(): PreviewMode {
    return this.#mode;
  }

  set mode(mode: PreviewMode) {
    if (mode !== this.#mode) {
      this.#mode = mode;
      this.#core.signals.tell("mode");
      this.show();
    }
  }

  /** The position of the move, as a change from the base case in MW; null at rest. */
  get mw(): number | null {
    return this.#moving?.mw ?? null;
  }

  /** The position of the prices on screen, which follows `mw`; null at rest. */
  get shownMw(): number | null {
    return this.#moving?.shownMw ?? null;
  }

  /**
   * Moves the element to a change of `deltaMw` from the base case, unless views show a state other than the live one.
   */
  move(deltaMw: number): void {
    const { states, signals } = this.#core;
    if (this.element === null || !states.showsLive) {
      return;
    }
    signals.forgetFailure();
    if (deltaMw === this.mw && deltaMw === this.shownMw && signals.status.kind === "previewing") {
      return; // already on screen: a release follows the last move
    }
    this.#moving = { mw: deltaMw, shownMw: this.shownMw };
    this.show();
  }

  /** Shows the prices of the present position again; does nothing at rest. */
  show(): void {
    const { mw } = this;
    if (mw === null) {
      return;
    }
    const { element } = this;
    const { opened, solver, states } = this.#core;
    const { store } = states;
    const solvesEach = element !== null && !hasPath(element, states.now.edits, opened);
    if (this.mode === "exact" && solvesEach && this.#can("paths")) {
      this.#showSolved(mw);
      return;
    }
    if (this.mode === "exact" && !this.#paths.pending && store.dense !== null && this.#can("paths")) {
      if (this.#hasNoSolution(mw)) {
        this.#showEstimate(mw);
      } else if (solver.holdsPath(this.#paths.path)) {
        void this.#exact.request(mw);
      } else {
        this.#showEstimate(mw); // frames and the release of a short move must not wait for the path
        this.#followSoon();
      }
      return;
    }
    const solves = this.#can("voltage_estimates") && (element === null || !changesNetwork(element));
    if (!(solves && store.previewsFlows)) {
      // Only until the path is known, or in a power flow until the first position is solved: no frame waits for it.
      this.#showEstimate(mw);
    }
    if (solves) {
      void this.#changes.request(mw);
    }
  }

  /**
   * Solves each position where there is no path. The estimate is shown only until the first solution: later estimates
   * would make flows flicker.
   */
  #showSolved(mw: number): void {
    if (this.#core.states.store.shownShadows === null) {
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
    this.#core.states.store.clearPreview();
    this.#core.signals.tell("preview");
  }

  /** Ends a running preview and its status. */
  cancel(): void {
    if (this.mw === null) {
      return;
    }
    this.end();
    const { signals } = this.#core;
    if (signals.status.kind === "previewing") {
      signals.setStatus({ kind: "ready" });
    }
  }

  /** Drops the position without drawing: views show another state anyway. */
  drop(): void {
    this.#moving = null;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  /**
   * Requests exact prices once a move lasts: the Study dropped its path with the last commit and has to follow it
   * again.
   */
  #followSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      if (this.mw !== null && this.mode === "exact") {
        void this.#exact.request(this.mw);
      }
    }, LASTING_MS);
  }

  /**
   * Handles a published state whose prices are on screen: a position it reached is at rest, another one stays ahead.
   */
  published(): void {
    const { mw } = this;
    this.#moving = mw === null || mw === this.#committedMw ? null : { mw, shownMw: null };
  }

  /**
   * The previewed prices for `edits`, where these move only the primary element away from the published state; null
   * otherwise.
   */
  async predict(edits: CaseEdits): Promise<Prediction | null> {
    const { opened, solver, states } = this.#core;
    const { store } = states;
    const selection = this.element;
    if (selection === null) {
      return null;
    }
    const deltaMw = deltaOf(edits, selection, opened);
    const stepMw = this.#stepTo(deltaMw);
    if (stepMw === 0 || !sameEdits(withDelta(states.now.edits, selection, deltaMw, opened), edits)) {
      return null;
    }
    const { path } = this.#paths;
    const row = opened.busRow(
      selection.kind === "branch" || selection.kind === "link"
        ? (path?.watchedBus ?? opened.busOf(selection))
        : opened.busOf(selection),
    );
    if (this.mode === "exact" && this.shownMw === deltaMw && store.shownShadows !== null) {
      const prices = store.shown(PRICE); // already on screen
      return prices && { mode: "exact", prices, row };
    }
    if (path !== null && this.mode === "exact" && path.covers(deltaMw) && solver.holdsPath(path)) {
      const { columns } = await solver.trackState(path.request, path.within(deltaMw));
      const prices = columns.get(PRICE);
      return prices === undefined ? null : { mode: "exact", prices, row };
    }
    const prices = store.predict(stepMw);
    return prices && { mode: "first_order", prices, row };
  }

  #can(capability: Capability): boolean {
    return this.#core.states.capabilities.has(capability);
  }

  #showEstimate(mw: number): void {
    this.#core.states.store.showFirstOrder(this.#stepTo(mw));
    this.#shown(mw, { kind: "previewing", exact: false });
  }

  /** Records the position of the values on screen. */
  #shown(mw: number, status: SessionStatus): void {
    this.#moving = this.#moving && { mw: this.#moving.mw, shownMw: mw };
    this.#core.signals.setStatus(status);
    this.#core.signals.tell("preview");
  }

  get #committedMw(): number {
    const { opened, states } = this.#core;
    return this.element === null ? 0 : deltaOf(states.now.edits, this.element, opened);
  }

  /** The distance of a position from the published state. */
  #stepTo(mw: number): number {
    const { element } = this;
    if (element?.kind !== "generator") {
      return mw - this.#committedMw;
    }
    const { opened, states } = this.#core;
    const output = states.store.columns.at("dispatch_mw", opened.rowOf(element));
    return stepTo(element, mw, states.now.edits, opened, output);
  }

  /** Shows the voltages and flows of a power flow at a position; the estimate stays where it has no solution. */
  async #showChanges(deltaMw: number): Promise<void> {
    const { opened, solver, queue, states } = this.#core;
    const { element } = this;
    const { edits } = states.now;
    if (this.mw !== deltaMw || element === null) {
      return;
    }
    const changes = await queue
      .run(() => solver.changes(edits, withDelta(edits, element, deltaMw, opened)))
      .catch(() => null); // a commit there shows the reason
    const current = this.mw !== null && states.now.edits === edits;
    if (!current || !sameSelection(this.element, element)) {
      return;
    }
    if (changes === null) {
      this.#showEstimate(deltaMw);
    } else {
      states.store.showChanges(changes);
      this.#shown(deltaMw, { kind: "previewing", exact: false, powerFlow: true });
    }
  }

  async #showExact(deltaMw: number): Promise<void> {
    const { opened, queue, states, signals } = this.#core;
    const { element } = this;
    if (this.mw === null || element === null) {
      return;
    }
    const current = (): boolean => this.#moving !== null && sameSelection(this.element, element);
    try {
      const exact = await queue.run(async () => (current() ? this.#exactState(element, deltaMw) : null));
      if (current() && exact !== null) {
        states.store.showCandidate(exact);
        this.#shown(deltaMw, { kind: "previewing", exact: true });
      }
    } catch (error) {
      if (current() && !isCancelled(error)) {
        const { edits, solution } = states.now;
        const tried = {
          edits: withDelta(edits, element, deltaMw, opened),
          formulation: solution.formulation,
          ms: null,
        };
        signals.setStatus(failedStatus(error, tried));
      }
    }
  }

  /** The exact prices on the path, or by a solve where the path does not reach. */
  async #exactState(element: Selection, deltaMw: number): Promise<ExactState | null> {
    const { opened, solver, states } = this.#core;
    const { path } = this.#paths;
    if (path !== null && sameSelection(path.request.selection, element) && path.covers(deltaMw)) {
      return solver.trackState(path.request, path.within(deltaMw));
    }
    const { columns } = await solver.solve(withDelta(states.now.edits, element, deltaMw, opened));
    return exactStateOf(columns);
  }
}
