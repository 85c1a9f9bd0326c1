import type { BrowserFormulation, SensitivityColumn, Solution, SolveOptions, StudyColumns } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { type CaseEdits, canonicalEdits, deltaOf, NO_EDITS, sameEdits, withDelta } from "./edits.ts";
import { type Candidate, type DenseColumn, ExactSolver } from "./exactSolver.ts";
import { LatestOnly } from "./latestOnly.ts";
import { MutationQueue, StaleRevisionError } from "./mutationQueue.ts";
import { type OpenedCase, sameSelection, type Selection } from "./openedCase.ts";
import { type Orderer, pageOrderer } from "./orderer.ts";
import { largestMiss, type Miss, SolutionStore } from "./solutionStore.ts";
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
  previewMode: PreviewMode = "first_order";

  #state: PublishedState;
  #status: SessionStatus = { kind: "ready" };
  #selection: Selection | null = null;
  #column: SensitivityColumn | null = null;
  #columnProblem: string | null = null;
  #previewMw: number | null = null;
  #orderer: Orderer = pageOrderer;
  #disposed = false;
  readonly #solver: ExactSolver;
  readonly #queue = new MutationQueue();
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
    this.#state = { revision: 0, edits: NO_EDITS, solution, previewMiss: null, otherSha256: null };
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
    this.#state = { ...this.#state, previewMiss: null }; // it was about the element before
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
        this.#publish(candidate, remote.revision, remote.resultSha256);
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
      this.#publish(candidate, answer.revision, answer.resultSha256);
      return;
    }
    const current = await this.#solver.solve(canonicalEdits(answer.edits, this.opened), this.#selection);
    this.#publish(current, answer.revision, answer.resultSha256);
    throw new StaleRevisionError(revision, answer.revision);
  }

  #publish(candidate: Candidate, revision: number, otherSha256: string): void {
    const { edits, solution, columns } = candidate;
    const previewMiss = this.#missOf(edits, columns);
    this.#state = { revision, edits, solution, previewMiss, otherSha256: differing(otherSha256, solution) };
    this.store.publish(columns);
    this.#status = { kind: "ready" };
    this.#setColumn(sameSelection(candidate.selection, this.#selection) ? candidate.sensitivity : null);
    if (this.#previewMw === this.committedMw) {
      this.#previewMw = null;
    }
    this.#emit("state");
    if (this.#previewMw !== null) {
      this.#showPreview();
    }
    if (this.#column === null) {
      void this.#fetchColumn();
    }
  }

  /** How far the first order was, when `edits` move only the selected element away from the published state. */
  #missOf(edits: CaseEdits, exact: StudyColumns): Miss | null {
    const selection = this.#selection;
    if (selection === null || this.store.column === null) {
      return null;
    }
    const deltaMw = deltaOf(edits, selection);
    const stepMw = deltaMw - this.committedMw;
    if (stepMw === 0 || !sameEdits(withDelta(this.#state.edits, selection, deltaMw), edits)) {
      return null;
    }
    const predicted = new Float64Array(exact.lmp.length);
    this.store.predict(stepMw, predicted);
    return largestMiss(predicted, exact.lmp);
  }

  #showPreview(): void {
    const deltaMw = this.#previewMw ?? 0;
    if (this.previewMode === "exact") {
      void this.#exactPreviews.request(deltaMw);
      return;
    }
    this.store.showFirstOrder(deltaMw - this.committedMw);
    this.#setStatus({ kind: "previewing", exact: false });
    this.#emit("preview");
  }

  async #showExactPreview(deltaMw: number): Promise<void> {
    const selection = this.#selection;
    if (this.#previewMw === null || selection === null) {
      return;
    }
    const edits = withDelta(this.#state.edits, selection, deltaMw);
    try {
      const candidate = await this.#queue.run(() => this.#solver.solve(edits, null));
      if (this.#previewMw !== null && this.#selection === selection) {
        this.store.showCandidate(candidate.columns.lmp);
        this.#setStatus({ kind: "previewing", exact: true });
        this.#emit("preview");
      }
    } catch (error) {
      this.#setStatus(failedStatus(error));
    }
  }

  #endPreview(): void {
    this.#previewMw = null;
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
    this.store.column = dense?.values ?? null;
  }

  #setStatus(status: SessionStatus): void {
    const same = status.kind === "previewing" && this.#status.kind === "previewing";
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
