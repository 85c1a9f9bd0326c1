import type { BrowserFormulation, SensitivityColumn, Solution, SolveOptions, StudyColumns } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { type CaseEdits, canonicalEdits, deltaOf, NO_EDITS, sameEdits, withDelta } from "./edits.ts";
import { type EditRange, editRange, inRange } from "./editRange.ts";
import type { ElementPath } from "./elementPath.ts";
import { type Candidate, type DenseColumn, ExactSolver } from "./exactSolver.ts";
import { LatestOnly } from "./latestOnly.ts";
import { MutationQueue, StaleRevisionError } from "./mutationQueue.ts";
import { type OpenedCase, sameSelection, type Selection } from "./openedCase.ts";
import { type Orderer, pageOrderer } from "./orderer.ts";
import { OutageScreen } from "./outageScreen.ts";
import { PathKeeper } from "./pathKeeper.ts";
import { type Foretold, reconcile } from "./reconciliation.ts";
import { SolutionStore } from "./solutionStore.ts";
import type { PreviewMode, PublishedState, RemoteState, SessionInit } from "./state.ts";
import { failedStatus, type SessionChange, type SessionStatus } from "./status.ts";

/**
 * One case being worked on: its exact state, its selection and its preview. Every change goes through one queue: the
 * expected revision is checked inside it, a candidate is solved, and the state changes once. A change that fails leaves
 * everything as it was.
 */
export class CaseSession {
  readonly opened: OpenedCase;
  readonly caseId: string;
  readonly caseName: string;
  readonly formulation: BrowserFormulation;
  readonly options: SolveOptions;
  readonly store: SolutionStore;
  /** The N-1 screening of the published state. */
  readonly outages: OutageScreen;

  #state: PublishedState;
  #status: SessionStatus = { kind: "ready" };
  #selection: Selection | null = null;
  #column: SensitivityColumn | null = null;
  #columnProblem: string | null = null;
  #previewMode: PreviewMode = "first_order";
  #previewMw: number | null = null;
  #shownMw: number | null = null;
  #range: EditRange | null = null;
  #orderer: Orderer = pageOrderer;
  #disposed = false;
  readonly #solver: ExactSolver;
  readonly #queue = new MutationQueue();
  readonly #paths: PathKeeper;
  readonly #exactPreviews = new LatestOnly<number>((deltaMw) => this.#showExactPreview(deltaMw));
  readonly #changed = new Signal<this, SessionChange>(this);

  private constructor(init: SessionInit, solution: Solution, columns: StudyColumns) {
    this.opened = init.opened;
    this.caseId = init.caseId;
    this.caseName = init.caseName;
    this.formulation = init.formulation;
    this.options = init.options;
    this.store = new SolutionStore(columns);
    this.#solver = new ExactSolver(init.study, init.caseId, init.opened);
    this.#paths = new PathKeeper(this.#solver, this.#queue, () => this.#pathCame());
    this.outages = new OutageScreen((options) =>
      this.#queue.run(async () => {
        const { edits } = this.#state;
        return { edits, ...(await this.#solver.beginScreening(edits, options)) };
      }),
    );
    this.#state = { revision: 0, edits: NO_EDITS, solution, reconciled: null, otherSha256: null };
  }

  /** A session at the base case of a Study that has just been created. */
  static async create(init: SessionInit): Promise<CaseSession> {
    const solution = await init.study.currentSolution();
    return new CaseSession(init, solution, await init.study.columns());
  }

  /** Tells what changed. */
  get changed(): ISignal<this, SessionChange> {
    return this.#changed;
  }

  /** The published exact state. */
  get state(): PublishedState {
    return this.#state;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  get selection(): Selection | null {
    return this.#selection;
  }

  /** The sensitivity column of the selected element at the published state, once it is known. */
  get column(): SensitivityColumn | null {
    return this.#column;
  }

  /** Why the selected element has no column, in words. */
  get columnProblem(): string | null {
    return this.#columnProblem;
  }

  /** The exact path of the selected element over its range, once it is known. */
  get path(): ElementPath | null {
    return this.#paths.path;
  }

  /** Why there is no exact path, in words. */
  get pathProblem(): string | null {
    return this.#paths.problem;
  }

  /** How far the selected element can be moved, as changes from the base case: where the path ends, so does the range. */
  get range(): EditRange | null {
    const feasible = this.#paths.path?.feasible ?? this.#range;
    return feasible !== null && inRange(feasible, this.committedMw) ? feasible : this.#range;
  }

  /** How previews are computed. */
  get previewMode(): PreviewMode {
    return this.#previewMode;
  }

  set previewMode(mode: PreviewMode) {
    if (mode !== this.#previewMode) {
      this.#previewMode = mode;
      this.#emit("mode");
      if (this.#previewMw !== null) {
        this.#showPreview();
      }
    }
  }

  /** The position that the prices shown belong to, which follows `previewMw`; null at rest. */
  get shownMw(): number | null {
    return this.#shownMw;
  }

  /** Where the selected element is being moved to, as a change from the base case in MW; null at rest. */
  get previewMw(): number | null {
    return this.#previewMw;
  }

  /** Change of the selected element from the base case in the published state, MW. */
  get committedMw(): number {
    return this.#selection === null ? 0 : deltaOf(this.#state.edits, this.#selection);
  }

  /** Makes `orderer` decide on revisions from now on; a candidate already handed over stays with the one before. */
  setOrderer(orderer: Orderer): void {
    this.#orderer = orderer;
  }

  /** Selects an element (or none) and asks for its column. A preview of the one before ends. */
  async select(selection: Selection | null): Promise<void> {
    const known = selection !== null && this.opened.rowOf(selection) >= 0 ? selection : null;
    if (sameSelection(known, this.#selection)) {
      return;
    }
    this.cancelPreview();
    this.forgetFailure();
    this.#selection = known;
    this.#state = { ...this.#state, reconciled: null }; // it was about the element before
    this.#range = null;
    this.#paths.forget();
    this.#setColumn(null);
    this.#emit("selection");
    await this.#fetchColumn();
  }

  /** Moves the selected element to a change of `deltaMw` from the base case and shows what the prices would be. */
  preview(deltaMw: number): void {
    if (this.#selection !== null) {
      this.forgetFailure();
      this.#previewMw = deltaMw;
      this.#showPreview();
    }
  }

  /** Goes back to the status of the published state after a change that failed: the user goes on. */
  forgetFailure(): void {
    if (this.#status.kind === "failed" && !this.#status.lasting) {
      this.#setStatus({ kind: "ready" });
    }
  }

  /** Ends a preview and shows the published state again. */
  cancelPreview(): void {
    if (this.#previewMw !== null) {
      this.#endPreview();
      if (this.#status.kind === "previewing") {
        this.#setStatus({ kind: "ready" });
      }
    }
  }

  /**
   * Solves the case with absolute `edits` and publishes the result. Rejects with StaleRevisionError when the state is no
   * longer `expectedRevision`, and with EngineError when there is no solution; the state is then what it was.
   */
  commit(edits: CaseEdits, expectedRevision: number): Promise<void> {
    return this.#queue.run(async () => {
      try {
        await this.#commitNow(edits, expectedRevision);
      } catch (error) {
        this.#endPreview();
        this.#setStatus(failedStatus(error));
        throw error;
      }
    });
  }

  /** Commits one element at a change of `deltaMw` from the base case, all other changes as they are. */
  commitElement(selection: Selection, deltaMw: number): Promise<void> {
    return this.commit(withDelta(this.#state.edits, selection, deltaMw), this.#state.revision);
  }

  /** Back to the base case. */
  reset(): Promise<void> {
    return this.commit(NO_EDITS, this.#state.revision);
  }

  /** The module with the published edits stored in it; positions are those of the file. Rejects with EngineError. */
  saveModule(): Promise<string> {
    return this.#queue.run(() => this.#solver.saveModule(this.#state.edits));
  }

  /** Takes over a state that was committed elsewhere; when it is the one published here, only the hashes are compared. */
  adopt(remote: RemoteState): Promise<void> {
    return this.#queue.run(async () => {
      const edits = canonicalEdits(remote.edits, this.opened);
      if (remote.revision === this.#state.revision && sameEdits(edits, this.#state.edits)) {
        this.#state = { ...this.#state, otherSha256: differing(remote.resultSha256, this.#state.solution) };
        this.#emit("status");
        return;
      }
      try {
        this.#setStatus({ kind: "solving" });
        const candidate = await this.#solver.solve(edits, this.#selection);
        this.#publish(candidate, remote.revision, remote.resultSha256, null);
      } catch (error) {
        this.#setStatus(failedStatus(error, "The state of the kernel cannot be shown here. "));
        throw error;
      }
    });
  }

  /** Ends the session and frees its Study once the change under way has ended. */
  dispose(): void {
    if (!this.#disposed) {
      this.#disposed = true;
      this.#previewMw = null;
      this.#paths.forget();
      this.outages.dispose();
      Signal.clearData(this);
      void this.#queue.run(() => this.#solver.free());
    }
  }

  async #commitNow(edits: CaseEdits, expectedRevision: number): Promise<void> {
    const { revision } = this.#state;
    if (expectedRevision !== revision) {
      throw new StaleRevisionError(expectedRevision, revision);
    }
    this.#setStatus({ kind: "solving" });
    const foretold = await this.#foretell(edits);
    const candidate = await this.#solver.solve(edits, this.#selection);
    const orderer = this.#orderer;
    if (orderer.waitsFor !== null) {
      this.store.showCandidate(candidate.columns.lmp);
      this.#setStatus({ kind: "waiting", waitsFor: orderer.waitsFor });
      this.#emit("preview");
    }
    const resultSha256 = candidate.solution.result_sha256;
    const answer = await orderer.order({ baseRevision: revision, edits, resultSha256 });
    if (answer.kind === "ack") {
      this.#publish(candidate, answer.revision, answer.resultSha256, foretold);
      return;
    }
    const current = await this.#solver.solve(canonicalEdits(answer.edits, this.opened), this.#selection);
    this.#publish(current, answer.revision, answer.resultSha256, null);
    throw new StaleRevisionError(revision, answer.revision);
  }

  #publish(candidate: Candidate, revision: number, otherSha256: string, foretold: Foretold | null): void {
    const { edits, solution, columns } = candidate;
    const reconciled = foretold === null ? null : reconcile(foretold, this.store.columns.lmp, columns.lmp);
    this.#state = { revision, edits, solution, reconciled, otherSha256: differing(otherSha256, solution) };
    this.store.publish(columns);
    this.#status = { kind: "ready" };
    this.#setColumn(sameSelection(candidate.selection, this.#selection) ? candidate.sensitivity : null);
    this.#shownMw = null;
    if (this.#previewMw === this.committedMw) {
      this.#previewMw = null;
    }
    this.#followPath();
    this.#emit("state");
    if (this.#previewMw !== null) {
      this.#showPreview();
    }
    if (this.#column === null) {
      void this.#fetchColumn();
    }
  }

  /** What the preview says of `edits`, when they move only the selected element away from the published state. */
  async #foretell(edits: CaseEdits): Promise<Foretold | null> {
    const selection = this.#selection;
    if (selection === null) {
      return null;
    }
    const deltaMw = deltaOf(edits, selection);
    const stepMw = deltaMw - this.committedMw;
    if (stepMw === 0 || !sameEdits(withDelta(this.#state.edits, selection, deltaMw), edits)) {
      return null;
    }
    const { path } = this.#paths;
    const row = selection.kind === "bus" ? this.opened.rowOf(selection) : this.opened.busRow(path?.watchedBus ?? -1);
    if (this.#previewMode === "exact" && path !== null && path.covers(deltaMw)) {
      const lmp = await this.#solver.trackPrices(path.request, path.within(deltaMw));
      return { mode: "exact", lmp, row };
    }
    const lmp = new Float64Array(this.store.columns.lmp.length);
    return this.store.predict(stepMw, lmp) ? { mode: "first_order", lmp, row } : null;
  }

  #showPreview(): void {
    const deltaMw = this.#previewMw ?? 0;
    if (this.#previewMode === "exact" && !this.#paths.pending && this.#column !== null) {
      void this.#exactPreviews.request(deltaMw);
      return;
    }
    // In exact mode only until the path is there: no frame waits for it.
    this.store.showFirstOrder(deltaMw - this.committedMw);
    this.#shownMw = deltaMw;
    this.#setStatus({ kind: "previewing", exact: false });
    this.#emit("preview");
  }

  async #showExactPreview(deltaMw: number): Promise<void> {
    const selection = this.#selection;
    if (this.#previewMw === null || selection === null) {
      return;
    }
    try {
      const lmp = await this.#queue.run(() => this.#exactPrices(selection, deltaMw));
      if (this.#previewMw !== null && this.#selection === selection) {
        this.store.showCandidate(lmp);
        this.#shownMw = deltaMw;
        this.#setStatus({ kind: "previewing", exact: true });
        this.#emit("preview");
      }
    } catch (error) {
      if (this.#previewMw !== null && this.#selection === selection) {
        this.#setStatus(failedStatus(error));
      }
    }
  }

  /** From the path, or by a solve where the path does not reach. */
  async #exactPrices(selection: Selection, deltaMw: number): Promise<Float64Array> {
    const { path } = this.#paths;
    if (path !== null && sameSelection(path.request.selection, selection) && path.covers(deltaMw)) {
      return this.#solver.trackPrices(path.request, path.within(deltaMw));
    }
    const { columns } = await this.#solver.solve(withDelta(this.#state.edits, selection, deltaMw), null);
    return columns.lmp;
  }

  /** Asks for the path over the range, which stays as it is while it holds the published state. */
  #followPath(): void {
    const selection = this.#selection;
    if (selection === null || this.#column === null) {
      return;
    }
    const { committedMw } = this;
    if (this.#range === null || !inRange(this.#range, committedMw)) {
      this.#range = editRange(selection.kind, this.opened.baseMw(selection), committedMw, this.#column);
    }
    this.#paths.follow({ edits: this.#state.edits, selection, range: this.#range });
  }

  #pathCame(): void {
    this.#emit("path");
    if (this.#previewMode === "exact" && this.#previewMw !== null) {
      this.#showPreview();
    }
  }

  #endPreview(): void {
    this.#previewMw = null;
    this.#shownMw = null;
    this.store.clearPreview();
    this.#emit("preview");
  }

  async #fetchColumn(): Promise<void> {
    const selection = this.#selection;
    const state = this.#state;
    if (selection === null) {
      return;
    }
    const current = (): boolean =>
      this.#selection === selection && this.#state.revision === state.revision && !this.#disposed;
    try {
      const column = await this.#solver.sensitivity(state.edits, selection);
      if (!current()) {
        return;
      }
      this.#setColumn(column);
      this.#followPath();
    } catch (error) {
      if (!current()) {
        return;
      }
      this.#setColumn(null, error instanceof Error ? error.message : String(error));
    }
    this.#emit("column");
    if (this.#previewMw !== null) {
      this.#showPreview();
    }
  }

  #setColumn(dense: DenseColumn | null, problem: string | null = null): void {
    this.#column = dense?.column ?? null;
    this.#columnProblem = problem;
    this.store.dense = dense;
  }

  #setStatus(status: SessionStatus): void {
    const same =
      status.kind === "previewing" && this.#status.kind === "previewing" && status.exact === this.#status.exact;
    this.#status = status;
    if (!same) {
      this.#emit("status");
    }
  }

  #emit(change: SessionChange): void {
    if (!this.#disposed) {
      this.#changed.emit(change);
    }
  }
}

/** A hash from elsewhere when it is known and not that of our solution. */
function differing(otherSha256: string, solution: Solution): string | null {
  return otherSha256 === "" || otherSha256 === solution.result_sha256 ? null : otherSha256;
}
