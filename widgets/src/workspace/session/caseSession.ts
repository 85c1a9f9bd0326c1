import type { FormulationId, LmpComponents, SensitivityHead, Solution, SolveOptions } from "@service/engine";
import type { ISignal } from "@lumino/signaling";
import { errorText } from "../../text/index.ts";
import { ActivityLog } from "../history/activityLog.ts";
import { Committer, type Publication } from "../mutations/committer.ts";
import { type CaseEdits, deltaOf } from "../edits/edits.ts";
import type { EditRange } from "../edits/editRange.ts";
import type { ElementMove, MoveMode } from "../edits/elementMoves.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import type { ElementResponse } from "../preview/elementResponses.ts";
import type { RelaxationSearch } from "../cases/relaxationSearch.ts";
import { ExactSolver } from "./exactSolver.ts";
import { type PassedLimit, passedLimit } from "../edits/feasibleLimit.ts";
import { MutationQueue } from "../mutations/mutationQueue.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { Orderer } from "../mutations/revisionOrderer.ts";
import { PublishedStates } from "../history/publishedStates.ts";
import { LoadabilityRun } from "../screening/loadabilityRun.ts";
import { OutageScreen } from "../screening/outageScreen.ts";
import { PricePreview } from "../preview/pricePreview.ts";
import { type SelectedList, toggled, withPrimary } from "../edits/selectedList.ts";
import { SelectedElements } from "../edits/selectedElements.ts";
import {
  type CommittedState,
  type ExactResult,
  type ReferenceState,
  type StateHistory,
} from "../history/stateHistory.ts";
import type { NamedState, StepEvent } from "../history/stepEvent.ts";
import { stateName, stepText } from "../history/stepText.ts";
import { AVAILABLE_FORMULATIONS, type Capability, capabilitiesOf } from "./capabilities.ts";
import type { Geography } from "../geography/geography.ts";
import type { NetworkGraph } from "../cases/networkGraph.ts";
import type { ShownCase } from "../cases/shownCase.ts";
import { FailureExplainer } from "./failureExplainer.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import type { PublishedState, RemoteState, SessionInit } from "./sessionState.ts";
import { sessionHost } from "./sessionHost.ts";
import { Studies } from "./studies.ts";
import { SessionSignals } from "./sessionSignals.ts";
import type { SessionChange, SessionStatus } from "./sessionStatus.ts";
import type { Selection } from "../cases/selection.ts";
import type { PreviewMode } from "../preview/previewMode.ts";

/**
 * One case being worked on: its exact state, the selected elements and the preview of the primary one. Every change goes
 * through one queue: the expected revision is checked inside it, a candidate is solved, and the state changes once. A change
 * that fails leaves everything as it was.
 */
export class CaseSession implements ShownCase {
  readonly opened: OpenedCase;
  readonly caseId: string;
  readonly caseName: string;
  readonly options: SolveOptions;
  /** The N-1 screening of the published state. */
  readonly outages: OutageScreen;
  /** How much a demand can grow from the published state. */
  readonly loadability: LoadabilityRun;
  /** What happened here. */
  readonly activity: ActivityLog;

  readonly #states: PublishedStates;
  #wantedQuantity: string | null = null;
  #disposed = false;
  /** What follows the state that was published last. */
  #following: Promise<void> = Promise.resolve();
  readonly #solver: ExactSolver;
  readonly #queue = new MutationQueue();
  readonly #elements: SelectedElements;
  readonly #preview: PricePreview;
  readonly #committer: Committer;
  readonly #signals = new SessionSignals<this>(this);
  readonly #explainer: FailureExplainer;

  private constructor(init: SessionInit, solution: Solution, columns: QuantityTable) {
    this.opened = init.opened;
    this.caseId = init.caseId;
    this.caseName = init.caseName;
    this.options = init.options;
    const studies = new Studies(init.createStudy, init.formulation, init.study);
    this.#solver = new ExactSolver(studies, init.formulation, init.caseId, init.opened);
    this.#states = new PublishedStates(solution, columns, ({ edits, formulation }) =>
      this.#queue.run(() => this.#solver.solve(edits, formulation)),
    );
    this.#explainer = new FailureExplainer({
      status: () => this.status,
      setStatus: (status) => this.#signals.setStatus(status),
      explain: ({ edits, formulation }, options) => this.#solver.explain(edits, formulation, options),
    });
    this.#signals.changed.connect(() => this.#explainer.follow());
    const host = sessionHost({
      opened: init.opened,
      states: this.#states,
      signals: this.#signals,
      preview: () => this.#preview,
      selection: () => this.selection,
      can: (capability) => this.capabilities.has(capability),
      publish: (publication) => this.#publish(publication),
      cancelPreview: () => this.cancelPreview(),
      forgetFailure: () => this.forgetFailure(),
    });
    this.#elements = new SelectedElements(host, this.#solver, this.#queue);
    this.#preview = new PricePreview(host, this.#solver, this.#queue, this.#elements.paths);
    this.#committer = new Committer(host, this.#solver, this.#queue);
    this.outages = new OutageScreen((options) =>
      this.#queue.run(() => this.#solver.beginScreening(this.state.edits, options)),
    );
    this.loadability = new LoadabilityRun((target, options) =>
      this.#queue.run(() => this.#solver.beginLoadability(this.state.edits, target, options)),
    );
    this.activity = new ActivityLog(this);
  }

  /** A session at the base case of a Study that has just been created. */
  static async create(init: SessionInit): Promise<CaseSession> {
    const { solution, table } = await init.study.current();
    return new CaseSession(init, solution, new QuantityTable(table));
  }

  get name(): string {
    return this.caseName;
  }

  get sha256(): string {
    return this.opened.sha256;
  }

  get graph(): NetworkGraph {
    return this.opened;
  }

  get geography(): Geography {
    return this.opened.geography;
  }

  /** The formulation of the published state. */
  get formulation(): FormulationId {
    return this.state.solution.formulation;
  }

  /** The formulations that one can change to, the present one among them. Where a kernel orders the states it is that one alone. */
  get formulations(): readonly FormulationId[] {
    return this.#committer.orderer.waitsFor === null ? AVAILABLE_FORMULATIONS : [this.formulation];
  }

  get capabilities(): ReadonlySet<Capability> {
    return capabilitiesOf(this.formulation, this.store.columns);
  }

  /** Tells what changed. */
  get changed(): ISignal<this, SessionChange> {
    return this.#signals.changed;
  }

  /** The published exact state. */
  get state(): PublishedState {
    return this.#states.now;
  }

  /** The numbers by dense row: published, and shown. */
  get store(): SolutionStore {
    return this.#states.store;
  }

  /** The states that were published, with the present one, undo and redo. */
  get history(): StateHistory {
    return this.#states.history;
  }

  get status(): SessionStatus {
    return this.#signals.status;
  }

  /** The search for the minimum relaxation of the change that failed, as long as its failure is told; null without one. */
  get relaxationSearch(): RelaxationSearch | null {
    return this.#explainer.search;
  }

  /** The selected elements, the primary last. */
  get selected(): SelectedList {
    return this.#elements.list;
  }

  /** The primary of the selected elements: what the column, the path and the preview are of. */
  get selection(): Selection | null {
    return this.#elements.primary;
  }

  /** The sensitivity column of the primary element at the published state, once it is known. */
  get column(): SensitivityHead | null {
    return this.store.dense?.column ?? null;
  }

  /** Why the primary element has no column, in words. */
  get columnProblem(): string | null {
    const problem = this.selection === null ? null : (this.responseOf(this.selection)?.problem ?? null);
    return problem === null ? null : errorText(problem, this.opened);
  }

  /** The exact path of the primary element over its range, once it is known. */
  get path(): ElementPath | null {
    return this.#elements.paths.path;
  }

  /** Ends when the column of the primary element at the state published last has come, or why it will not. */
  get columnSettled(): Promise<void> {
    return this.#following;
  }

  /** Why there is no exact path, in words. */
  get pathProblem(): string | null {
    const { problem } = this.#elements.paths;
    return problem === null ? null : errorText(problem, this.opened);
  }

  /** Ends when the exact path has come, or why it will not; at once where none is on its way. */
  get pathSettled(): Promise<void> {
    return this.#elements.paths.settled;
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
      this.#signals.tell("mode");
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

  /** The limit behind which the previewed position lies; null at rest, and where it has a solution as far as is known. */
  get passedLimit(): PassedLimit | null {
    const { previewMw, committedMw, path, column } = this;
    return previewMw === null ? null : passedLimit(previewMw, committedMw, path, column);
  }

  /** Change of the primary element from the base case in the published state, MW. */
  get committedMw(): number {
    return this.selection === null ? 0 : deltaOf(this.state.edits, this.selection);
  }

  /** How prices respond to a selected element at the published state; null while that is not known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.#elements.responseOf(element);
  }

  /** The sensitivity column of any element at the published state. Rejects with EngineError. */
  columnOf(element: Selection): Promise<SensitivityHead> {
    return this.#elements.columnOf(element);
  }

  /** Asks for the response of a selected element that comes into sight: of many selected only the last few have theirs at once. */
  lookAt(element: Selection): void {
    this.#elements.look(element);
  }

  /** How far an element can be moved, as changes from the base case: where its path ends, so does the range. */
  rangeOf(element: Selection): EditRange {
    return this.#elements.rangeOf(element);
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.history.reference;
  }

  /** Measures changes from another committed state. Rejects with EngineError. */
  async setReference(state: CommittedState): Promise<void> {
    await this.history.setReference(state);
    this.#signals.tell("reference");
  }

  /** The quantity that maps were asked to show, by its name there; they may show another one since. */
  get wantedQuantity(): string | null {
    return this.#wantedQuantity;
  }

  /** Asks the maps of this session to colour by a quantity. */
  showQuantity(quantity: string): void {
    this.#wantedQuantity = quantity;
    this.#signals.tell("quantity");
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
    return this.selectMany(toggled(this.selected, element));
  }

  /** Makes one of the selected elements the primary. */
  makePrimary(element: Selection): Promise<void> {
    return this.selectMany(withPrimary(this.selected, element));
  }

  /**
   * Selects elements, the last one as the primary, and asks for their columns; ends when that of the primary has come. Unknown
   * elements are left out. A preview of the primary before ends.
   */
  selectMany(list: SelectedList): Promise<void> {
    return this.#elements.select(list);
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
    if (this.status.kind === "failed" && !this.status.lasting) {
      this.#signals.setStatus({ kind: "ready" });
    }
  }

  /** Ends a preview and shows the published state again. */
  cancelPreview(): void {
    if (this.#preview.mw === null) {
      return;
    }
    this.#preview.end();
    if (this.status.kind === "previewing") {
      this.#signals.setStatus({ kind: "ready" });
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

  /** What was done, in words. */
  stepText(event: StepEvent): string {
    return stepText(event, this.opened);
  }

  /** A state in a list: its revision, and its name or what was done. */
  stateName(state: NamedState): string {
    return stateName(state, this.opened);
  }

  /** Adds a sentence to the published state, unless another one has come since. */
  remark(revision: number, sentence: string): void {
    if (this.#states.remark(revision, sentence)) {
      this.#signals.tell("status");
    }
  }

  /** Commits one element at a change of `deltaMw` from the base case, all other changes as they are. */
  commitElement(element: Selection, deltaMw: number): Promise<void> {
    return this.edit([{ element, mw: deltaMw }]);
  }

  /**
   * Solves the present edits in another formulation. The Study of each formulation is kept, and a result that is held is shown
   * at once. Rejects with EngineError where it has no solution; the state is then what it was.
   */
  setFormulation(formulation: FormulationId): Promise<void> {
    return this.#committer.formulate(formulation);
  }

  /** The exact result of the present edits in a formulation; nothing is published. Rejects with EngineError. */
  resultIn(formulation: FormulationId): Promise<ExactResult> {
    const { edits, solution } = this.state;
    return formulation === solution.formulation
      ? Promise.resolve({ solution, columns: this.store.columns })
      : this.#queue.run(() => this.#solver.solve(edits, formulation));
  }

  /** Back to the base case, in the present formulation. */
  reset(): Promise<void> {
    return this.#committer.reset();
  }

  /**
   * Takes the last step back: at once where the state before is held, else by a solve. A move that is not let go yet is only
   * given up. Rejects with StaleRevisionError when the kernel has committed since, and with EngineError.
   */
  undo(): Promise<void> {
    return this.#visit("undo");
  }

  /** Takes the step again that was taken back last; as `undo`. */
  redo(): Promise<void> {
    return this.#visit("redo");
  }

  /** Comes back to a state of the history, named by its id; as `undo`. */
  goTo(stateId: number): Promise<void> {
    return this.#visit(stateId);
  }

  /** What the published price of a bus is made of: energy, and congestion by line. Rejects with EngineError. */
  lmpComponents(bus: number): Promise<LmpComponents> {
    return this.#queue.run(() => this.#solver.lmpComponents(this.state.edits, bus));
  }

  /** The module with the published edits stored in it; positions are those of the file. Rejects with EngineError. */
  saveModule(): Promise<string> {
    return this.#queue.run(() => this.#solver.saveModule(this.state.edits));
  }

  /** Cancels the changes that are not published yet, at once: the state stays the one before. */
  cancel(): void {
    this.#committer.cancel();
  }

  /** Takes over a state that was committed elsewhere; when it is the one published here, only the hashes are compared. */
  adopt(remote: RemoteState): Promise<void> {
    return this.#committer.adopt(remote);
  }

  /** Ends the session and frees its Study; a change under way is given up. */
  dispose(): void {
    if (!this.#disposed) {
      this.#disposed = true;
      this.#signals.dispose();
      this.#explainer.dispose();
      this.#preview.drop();
      this.#elements.dispose();
      this.outages.dispose();
      this.loadability.dispose();
      this.history.dispose();
      this.activity.dispose();
      this.#queue.cancel();
      void this.#solver.free();
    }
  }

  async #visit(where: number | "undo" | "redo"): Promise<void> {
    if (this.#preview.mw !== null && this.status.kind === "previewing") {
      this.cancelPreview();
      if (where === "undo") {
        return;
      }
    }
    await this.#committer.visit(() => this.history.visitOf(where));
  }

  #publish(publication: Publication): void {
    const before = this.formulation;
    this.#states.publish(publication);
    this.#solver.formulation = this.formulation;
    if (this.formulation !== before) {
      this.#preview.drop(); // a move that was not let go was of another model
    }
    this.#signals.setQuietly({ kind: "ready" });
    this.#elements.restart();
    this.#preview.published();
    this.#signals.tell("state");
    this.#preview.show();
    // Exact prices first: views have them before columns and paths are asked for.
    const told = new Promise<void>((resolve) => setTimeout(resolve));
    this.#following = told.then(() => (this.#disposed ? undefined : this.#elements.follow()));
  }
}
