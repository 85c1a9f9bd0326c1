import type {
  BrowserFormulation,
  PriceParts,
  SensitivityColumn,
  Solution,
  SolveOptions,
  StudyColumns,
} from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { ActivityLog } from "./activityLog.ts";
import { type CommitHost, Committer, type Publication } from "./committer.ts";
import { type CaseEdits, deltaOf, NO_EDITS } from "./edits.ts";
import { type EditRange, inRange } from "./editRange.ts";
import type { ElementMove, MoveMode } from "./elementMoves.ts";
import type { ElementPath } from "./elementPath.ts";
import { type ElementResponse, ElementResponses } from "./elementResponses.ts";
import { ExactSolver } from "./exactSolver.ts";
import { MutationQueue } from "./mutationQueue.ts";
import { type OpenedCase, sameSelection, type Selection } from "./openedCase.ts";
import type { Orderer } from "./orderer.ts";
import { OutageScreen } from "./outageScreen.ts";
import { PathKeeper } from "./pathKeeper.ts";
import { type PreviewHost, PricePreview } from "./pricePreview.ts";
import { reconcile } from "./reconciliation.ts";
import { knownElements, sameList, type SelectedList, toggled, withPrimary } from "./selected.ts";
import { type CommittedState, type ReferenceState, StateHistory } from "./stateHistory.ts";
import { stepLabel } from "./stepLabel.ts";
import { SolutionStore } from "./solutionStore.ts";
import type { PreviewMode, PublishedState, RemoteState, SessionInit } from "./state.ts";
import type { SessionChange, SessionStatus } from "./status.ts";

/**
 * One case being worked on: its exact state, the selected elements and the preview of the primary one. Every change goes
 * through one queue: the expected revision is checked inside it, a candidate is solved, and the state changes once. A change
 * that fails leaves everything as it was.
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
  /** The states that were published, this one the last. */
  readonly history: StateHistory;
  /** What happened here. */
  readonly activity: ActivityLog;

  #state: PublishedState;
  #status: SessionStatus = { kind: "ready" };
  #selected: SelectedList = [];
  #wantedQuantity: string | null = null;
  #disposed = false;
  readonly #solver: ExactSolver;
  readonly #queue = new MutationQueue();
  readonly #paths: PathKeeper;
  readonly #responses: ElementResponses;
  readonly #preview: PricePreview;
  readonly #committer: Committer;
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
    this.#responses = new ElementResponses(
      (element) => this.#solver.sensitivity(this.#state.edits, element),
      (element) => this.#responseCame(element),
    );
    const host = this.#host();
    this.#preview = new PricePreview(host, this.#solver, this.#queue, this.#paths);
    this.#committer = new Committer(host, this.#solver, this.#queue);
    this.outages = new OutageScreen((options) =>
      this.#queue.run(async () => {
        const { edits } = this.#state;
        return { edits, ...(await this.#solver.beginScreening(edits, options)) };
      }),
    );
    this.#state = { revision: 0, edits: NO_EDITS, solution, iterations: [], reconciled: null, otherSha256: null };
    this.history = new StateHistory(solution, columns, NO_EDITS, (edits) =>
      this.#queue.run(async () => (await this.#solver.solve(edits, null)).columns),
    );
    this.activity = new ActivityLog(this);
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

  /** The selected elements, the primary last. */
  get selected(): SelectedList {
    return this.#selected;
  }

  /** The primary of the selected elements: what the column, the path and the preview are of. */
  get selection(): Selection | null {
    return this.#selected.at(-1) ?? null;
  }

  /** The sensitivity column of the primary element at the published state, once it is known. */
  get column(): SensitivityColumn | null {
    return this.store.dense?.column ?? null;
  }

  /** Why the primary element has no column, in words. */
  get columnProblem(): string | null {
    return this.selection === null ? null : (this.responseOf(this.selection)?.problem ?? null);
  }

  /** The exact path of the primary element over its range, once it is known. */
  get path(): ElementPath | null {
    return this.#paths.path;
  }

  /** Why there is no exact path, in words. */
  get pathProblem(): string | null {
    return this.#paths.problem;
  }

  /** How far the primary element can be moved; null until its column is known. */
  get range(): EditRange | null {
    const { selection } = this;
    return selection === null || this.responseOf(selection) === null ? null : this.rangeOf(selection);
  }

  /** How previews are computed. */
  get previewMode(): PreviewMode {
    return this.#preview.mode;
  }

  set previewMode(mode: PreviewMode) {
    if (mode !== this.#preview.mode) {
      this.#preview.mode = mode;
      this.#emit("mode");
      this.#preview.show();
    }
  }

  /** The position that the prices shown belong to, which follows `previewMw`; null at rest. */
  get shownMw(): number | null {
    return this.#preview.shownMw;
  }

  /** Where the primary element is being moved to, as a change from the base case in MW; null at rest. */
  get previewMw(): number | null {
    return this.#preview.mw;
  }

  /** Change of the primary element from the base case in the published state, MW. */
  get committedMw(): number {
    return this.selection === null ? 0 : deltaOf(this.#state.edits, this.selection);
  }

  /** How prices respond to a selected element at the published state; null while that is not known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.#responses.of(element);
  }

  /** How far an element can be moved, as changes from the base case: where its path ends, so does the range. */
  rangeOf(element: Selection): EditRange {
    const committedMw = deltaOf(this.#state.edits, element);
    const range = this.#responses.range(element, this.opened.baseMw(element), committedMw);
    const feasible = sameSelection(element, this.selection) ? (this.#paths.path?.feasible ?? range) : range;
    return inRange(feasible, committedMw) ? feasible : range;
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.history.reference;
  }

  /** Measures changes from another committed state. Rejects with EngineError. */
  async setReference(state: CommittedState): Promise<void> {
    await this.history.setReference(state);
    this.#emit("reference");
  }

  /** The quantity that maps were asked to show, by its name there; they may show another one since. */
  get wantedQuantity(): string | null {
    return this.#wantedQuantity;
  }

  /** Asks the maps of this session to colour by a quantity. */
  showQuantity(quantity: string): void {
    this.#wantedQuantity = quantity;
    this.#emit("quantity");
  }

  /** Makes `orderer` decide on revisions from now on; a candidate already handed over stays with the one before. */
  setOrderer(orderer: Orderer): void {
    this.#committer.orderer = orderer;
  }

  /** Selects one element, or none. */
  select(element: Selection | null): Promise<void> {
    return this.selectMany(element === null ? [] : [element]);
  }

  /** Adds an element to the selected ones as their primary, or takes it out. */
  toggle(element: Selection): Promise<void> {
    return this.selectMany(toggled(this.#selected, element));
  }

  /** Makes one of the selected elements the primary. */
  makePrimary(element: Selection): Promise<void> {
    return this.selectMany(withPrimary(this.#selected, element));
  }

  /**
   * Selects elements, the last one as the primary, and asks for their columns; ends when that of the primary has come. Unknown
   * elements are left out. A preview of the primary before ends.
   */
  async selectMany(list: SelectedList): Promise<void> {
    const selected = knownElements(list, this.opened);
    if (sameList(selected, this.#selected)) {
      return;
    }
    const primary = selected.at(-1) ?? null;
    if (!sameSelection(primary, this.selection)) {
      this.cancelPreview();
      this.forgetFailure();
      this.#state = { ...this.#state, reconciled: null }; // it was about the element before
      this.#paths.forget();
    }
    this.#selected = selected;
    const following = this.#responses.follow(selected);
    this.#showResponse();
    this.#emit("selection");
    this.#followPath();
    await following;
  }

  /** Moves the primary element to a change of `deltaMw` from the base case and shows what the prices would be. */
  preview(deltaMw: number): void {
    if (this.selection !== null) {
      this.forgetFailure();
      this.#preview.move(deltaMw);
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
    if (this.#preview.mw !== null) {
      this.#preview.end();
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
    return this.#committer.commit(edits, expectedRevision);
  }

  /**
   * Commits changes of some elements as one, all other edits as they are when its turn comes: changes that were committed
   * meanwhile, here or in the kernel, are kept. Rejects with StaleRevisionError when the kernel has set one of these elements
   * to something that was not known here, and with EngineError when there is no solution.
   */
  edit(moves: readonly ElementMove[], mode: MoveMode = "set"): Promise<void> {
    return this.#committer.edit(moves, mode);
  }

  /** Commits one element at a change of `deltaMw` from the base case, all other changes as they are. */
  commitElement(element: Selection, deltaMw: number): Promise<void> {
    return this.edit([{ element, mw: deltaMw }]);
  }

  /** Back to the base case. */
  reset(): Promise<void> {
    return this.#committer.reset();
  }

  /** What the published price of a bus is made of: energy, and congestion by line. Rejects with EngineError. */
  priceParts(bus: number): Promise<PriceParts> {
    return this.#queue.run(() => this.#solver.priceParts(this.#state.edits, bus));
  }

  /** The module with the published edits stored in it; positions are those of the file. Rejects with EngineError. */
  saveModule(): Promise<string> {
    return this.#queue.run(() => this.#solver.saveModule(this.#state.edits));
  }

  /** Takes over a state that was committed elsewhere; when it is the one published here, only the hashes are compared. */
  adopt(remote: RemoteState): Promise<void> {
    return this.#committer.adopt(remote);
  }

  /** Ends the session and frees its Study once the change under way has ended. */
  dispose(): void {
    if (!this.#disposed) {
      this.#disposed = true;
      this.#preview.drop();
      this.#paths.forget();
      this.#responses.dispose();
      this.outages.dispose();
      this.history.dispose();
      this.activity.dispose();
      Signal.clearData(this);
      void this.#queue.run(() => this.#solver.free());
    }
  }

  /** What committer and preview may do with the session. */
  #host(): CommitHost & PreviewHost {
    return {
      opened: this.opened,
      store: this.store,
      state: () => this.#state,
      selection: () => this.selection,
      told: () => this.#emit("preview"),
      status: () => this.#status,
      setStatus: (status) => this.#setStatus(status),
      foretell: (edits) => this.#preview.foretell(edits),
      showCandidate: (lmp) => {
        this.store.showCandidate(lmp);
        this.#emit("preview");
      },
      publish: (publication) => this.#publish(publication),
      compared: (otherSha256) => {
        this.#state = { ...this.#state, otherSha256 };
        this.#emit("status");
      },
      endPreview: () => this.#preview.end(),
      cancelPreview: () => this.cancelPreview(),
    };
  }

  #publish({ candidate, revision, otherSha256, foretold, remote }: Publication): void {
    const { edits, solution, columns, iterations, selection, sensitivity } = candidate;
    const label = stepLabel(this.#state.edits, edits, this.opened);
    const reconciled = foretold === null ? null : reconcile(foretold, this.store.columns.lmp, columns.lmp);
    this.#state = { revision, edits, solution, iterations, reconciled, otherSha256 };
    this.history.add({ revision, label, edits, remote }, solution, columns);
    this.store.publish(columns);
    this.#status = { kind: "ready" };
    this.#responses.restart(
      selection === null || sensitivity === null ? null : { element: selection, dense: sensitivity },
    );
    this.#showResponse();
    this.#preview.published();
    this.#followPath();
    this.#emit("state");
    this.#preview.show();
    void this.#responses.follow(this.#selected);
  }

  /** The column of the primary element is the one that previews and maps use. */
  #showResponse(): void {
    this.store.dense = this.selection === null ? null : (this.responseOf(this.selection)?.dense ?? null);
  }

  /** Asks for the path over the range, which stays as it is while it holds the published state. */
  #followPath(): void {
    const { selection } = this;
    if (selection !== null && this.column !== null) {
      const range = this.#responses.range(selection, this.opened.baseMw(selection), this.committedMw);
      this.#paths.follow({ edits: this.#state.edits, selection, range });
    }
  }

  #pathCame(): void {
    this.#emit("path");
    if (this.#preview.mode === "exact") {
      this.#preview.show();
    }
  }

  #responseCame(element: Selection): void {
    if (!sameSelection(element, this.selection)) {
      this.#emit("responses");
      return;
    }
    this.#showResponse();
    this.#followPath();
    this.#emit("column");
    this.#preview.show();
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
