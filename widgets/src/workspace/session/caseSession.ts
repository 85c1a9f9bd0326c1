import type {
  AddedElements,
  FormulationId,
  LmpComponents,
  SensitivityHead,
  Solution,
  SolveOptions,
  StudyHandle,
  TrackBreakpoint,
} from "@service/engine";
import type { ISignal } from "@lumino/signaling";
import { errorText, internalElement, resetUnavailable } from "../../text/index.ts";
import type { NetworkGraph } from "../cases/networkGraph.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { RelaxationSearch } from "../cases/relaxationSearch.ts";
import type { EditedElement, Selection } from "../cases/selection.ts";
import type { ShownCase } from "../cases/shownCase.ts";
import type { NextFrame } from "../concurrency/frames.ts";
import type { AddedElement } from "../edits/added.ts";
import type { EditRange } from "../edits/editRange.ts";
import {
  type CaseEdits,
  type ElementMove,
  type MoveMode,
  sameEdits,
  withAdded,
  withBranchEdit,
  withGeneratorEdit,
  withInterfaceEdit,
  withLinkEdit,
  withStorageEdit,
  withoutAdded,
  withReactive,
  withStatus,
} from "../edits/edits.ts";
import { type FuelCost, type FuelMode, withFuelCost } from "../edits/fuelCosts.ts";
import { isInServiceInCase } from "../edits/status.ts";
import { type PassedLimit, passedLimit } from "../edits/feasibleLimit.ts";
import { SelectedElements } from "../edits/selectedElements.ts";
import { type SelectedList, toggled, withPrimary } from "../edits/selectedList.ts";
import type { Geography } from "../geography/geography.ts";
import { ActivityLog } from "../history/activityLog.ts";
import type { CommittedState, ReferenceState } from "../history/committedState.ts";
import { FormulationComparison } from "../history/formulationComparison.ts";
import { PriceChanges } from "../history/priceChanges.ts";
import { PublishedStates } from "../history/publishedStates.ts";
import type { StateHistory } from "../history/stateHistory.ts";
import type { NamedState, StepEvent } from "../history/stepEvent.ts";
import { stateName, stepText } from "../history/stepText.ts";
import { type CheckedChange, Committer } from "../mutations/committer.ts";
import { MutationQueue } from "../mutations/mutationQueue.ts";
import { type Orderer, pageOrderer } from "../mutations/revisionOrderer.ts";
import { BoxPick } from "../planning/boxPick.ts";
import { Plans } from "../planning/plans.ts";
import { EditsPreview } from "../preview/editsPreview.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import type { ElementResponse } from "../preview/elementResponses.ts";
import type { PreviewMode } from "../preview/reconciliation.ts";
import type { CollapseAhead, VoltageCurve } from "../preview/voltageCurve.ts";
import type { TrustClick } from "../proposals/approval.ts";
import { ProposalDesk } from "../proposals/proposalDesk.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import { LoadabilityRun } from "../screening/loadabilityRun.ts";
import { OutageScreen } from "../screening/outageScreen.ts";
import { OutageView } from "../screening/outageView.ts";
import { RatingScreen } from "../screening/ratingEffects.ts";
import { Profiles } from "../series/profiles.ts";
import { SeriesRun } from "../series/seriesRun.ts";
import { SeriesView } from "../series/seriesView.ts";
import { type DenseColumn, ExactSolver, type SolverInit } from "../solving/exactSolver.ts";
import { FailureExplainer } from "../solving/failureExplainer.ts";
import type { TakenStudy } from "../study/takenStudy.ts";
import type { Capability } from "./capabilities.ts";
import { Inspection } from "./inspection.ts";
import type { SessionCore } from "./sessionCore.ts";
import type { PublishedState, RemoteState } from "./sessionState.ts";
import { type SessionChange, SessionSignals, type SessionStatus } from "./sessionStatus.ts";
import { ViewMemory } from "./viewMemory.ts";

/** The parts of a new session. */
export interface SessionInit extends SolverInit {
  caseName: string;
  options: SolveOptions;
  /** Decides whether an event is a person's click; by default the browser's own mark is trusted. */
  trust?: TrustClick | undefined;
}

/**
 * One case under work: its exact state, the selected elements and the preview of the primary one. Every change goes
 * through one queue: it checks the expected revision, solves a candidate, and changes the state once. A failed change
 * leaves everything unchanged.
 */
export class CaseSession implements ShownCase {
  readonly opened: OpenedCase;
  readonly caseId: string;
  readonly caseName: string;
  readonly options: SolveOptions;
  /** Shows the steps of a series in place of the live state. */
  readonly series: SeriesView;
  /** Shows saved states in place of the live one. */
  readonly inspection: Inspection;
  /** The N-1 screening of the published state. */
  readonly outages: OutageScreen;
  /** The flows after one outage, while they are shown. */
  readonly outage: OutageView;
  /** How much a demand can grow from the published state. */
  readonly loadability: LoadabilityRun;
  /** The state on screen in each formulation. */
  readonly comparison: FormulationComparison;
  /** Why prices differ between saved states. */
  readonly priceChanges: PriceChanges;
  /** Which ratings lower a price. */
  readonly ratings: RatingScreen;
  /** The demand profiles for series. */
  readonly profiles: Profiles;
  /** The exact solves of a profile. */
  readonly seriesRun: SeriesRun;
  /** The proposal of a plan, and the revision it depends on. */
  readonly proposals: ProposalDesk;
  /** The goals, and the plans made for them. */
  readonly plans: Plans;
  /** The preview of edits of many elements. */
  readonly editsPreview: EditsPreview;
  /** Requests for boxes on the maps. */
  readonly boxPick = new BoxPick();
  /** The log. */
  readonly activity: ActivityLog;
  /** The view of the maps, stored for the next one. */
  readonly view = new ViewMemory();

  readonly #signals = new SessionSignals<this>(this);
  readonly #queue = new MutationQueue();
  readonly #solver: ExactSolver;
  readonly #states: PublishedStates;
  readonly #elements: SelectedElements;
  readonly #committer: Committer;
  readonly #explainer: FailureExplainer;
  #wantedQuantity: string | null = null;
  #hasBase = true;
  #disposed = false;

  private constructor(init: SessionInit, solution: Solution, columns: QuantityTable) {
    const { opened, caseId, caseName, options, trust } = init;
    this.opened = opened;
    this.caseId = caseId;
    this.caseName = caseName;
    this.options = options;
    const queue = this.#queue;
    const solver = (this.#solver = new ExactSolver(init));
    const states = (this.#states = new PublishedStates(opened, solution, columns, ({ edits, formulation }) =>
      queue.run(() => solver.solve(edits, formulation)),
    ));
    const core: SessionCore = { opened, solver, queue, states, signals: this.#signals };
    this.#explainer = new FailureExplainer(core);
    this.editsPreview = new EditsPreview(core);
    const elements = (this.#elements = new SelectedElements(core));
    this.series = new SeriesView(core, elements);
    this.inspection = new Inspection(core, elements, this.series);
    const committer = (this.#committer = new Committer(core, elements, this.inspection));
    this.outages = new OutageScreen((how) => queue.run(() => solver.beginScreening(states.now.edits, how)));
    this.outage = new OutageView(core);
    this.loadability = new LoadabilityRun((target, how) =>
      queue.run(() => solver.beginLoadability(states.now.edits, target, how)),
    );
    this.comparison = new FormulationComparison(core, committer);
    this.priceChanges = new PriceChanges(core);
    this.ratings = new RatingScreen(core);
    this.profiles = new Profiles(core);
    this.seriesRun = new SeriesRun(core);
    this.proposals = new ProposalDesk(caseId, core, committer, trust);
    this.activity = new ActivityLog(caseName, core, elements, this.series, this.outages);
    this.plans = new Plans(core, this.proposals, this.activity);
    this.#signals.changed.connect((_, change) => {
      if (change === "state") void this.selectMany(this.selected); // an added element may be gone
    });
    states.history.keepAlso(() => [
      ...this.plans.goals.flatMap(({ start, candidate }) => [start, candidate ?? start]),
      ...(states.inspected === null ? [] : [states.inspected.id]),
    ]);
  }

  /** A session at the base case of a new Study. */
  static async create(init: SessionInit): Promise<CaseSession> {
    const { solution, table } = await init.study.current();
    return new CaseSession({ ...init, opened: init.opened.forSession() }, solution, new QuantityTable(table));
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

  /** Emitted with every change. */
  get changed(): ISignal<this, SessionChange> {
    return this.#signals.changed;
  }

  get status(): SessionStatus {
    return this.#signals.status;
  }

  /**
   * The exact state that views show: live, inspected, or a step of a series. Its revision is that of the live state.
   */
  get state(): PublishedState {
    return this.#states.shown;
  }

  /** The exact state that changes start from, whatever views show. */
  get live(): PublishedState {
    return this.#states.now;
  }

  /** Whether views show the live state rather than a saved one or a step of a series. */
  get showsLive(): boolean {
    return this.#states.showsLive;
  }

  /** The numbers by dense row: published, and on screen. */
  get store(): SolutionStore {
    return this.#states.store;
  }

  /** The published states, with the current one, undo and redo. */
  get history(): StateHistory {
    return this.#states.history;
  }

  /** The formulation of the state on screen. */
  get formulation(): FormulationId {
    return this.state.solution.formulation;
  }

  /** The formulations that the state can change to, including the present one; see `Committer`. */
  get formulations(): readonly FormulationId[] {
    return this.#committer.formulations;
  }

  get capabilities(): ReadonlySet<Capability> {
    return this.#states.capabilities;
  }

  /** The state that changes are measured from; by default the base case. */
  get reference(): ReferenceState {
    return this.history.reference;
  }

  /** Measures changes from another committed state. Rejects with EngineError. */
  async setReference(state: CommittedState): Promise<void> {
    await this.history.setReference(state);
    this.#signals.tell("reference");
  }

  /** The quantity last requested for the maps, by its name there; maps may have changed it since. */
  get wantedQuantity(): string | null {
    return this.#wantedQuantity;
  }

  /** Colours the maps of this session by a quantity. */
  showQuantity(quantity: string): void {
    this.#wantedQuantity = quantity;
    this.#signals.tell("quantity");
  }

  /** Restores the status of the published state after a failed change, when the user continues. */
  forgetFailure(): void {
    this.#signals.forgetFailure();
  }

  /** The search for the minimum relaxation of a failed change, while the status shows its failure; null otherwise. */
  get relaxationSearch(): RelaxationSearch | null {
    return this.#explainer.search;
  }

  /** The text of a step. */
  stepText(event: StepEvent): string {
    return stepText(event, this.opened);
  }

  /** The label of a state in a list: its revision, and its name or its step. */
  stateName(state: NamedState): string {
    return stateName(state, this.opened);
  }

  /** Adds a remark to the published state, unless another one has been published since. */
  remark(revision: number, sentence: string): void {
    if (this.#states.remark(revision, sentence)) {
      this.#signals.tell("status");
    }
  }

  // Queries of the engine, which do not change the state.

  /**
   * The linear estimate at other absolute edits, from the live state; the views do not change. Rejects with
   * EngineError.
   */
  predict(edits: CaseEdits): ReturnType<StudyHandle["preview"]> {
    return this.#queue.run(() => this.#solver.preview(this.live.edits, edits));
  }

  /** The components of the published price of a bus: energy, and congestion by line. Rejects with EngineError. */
  lmpComponents(bus: number): Promise<LmpComponents> {
    return this.#queue.run(() => this.#solver.lmpComponents(this.state.edits, bus));
  }

  /** The sensitivity column of any element at the published state. Rejects with EngineError. */
  columnOf(element: EditedElement): Promise<SensitivityHead> {
    return this.#elements.columnOf(element);
  }

  /** The derivative of the published prices by any element, with its values. Rejects with EngineError. */
  sensitivityTo(element: EditedElement): Promise<DenseColumn> {
    return this.#queue.run(() => this.#solver.sensitivity(this.state.edits, element));
  }

  /** The solution module of any state, for documents; nothing is published. Rejects with EngineError. */
  solutionModule(edits: CaseEdits, formulation: FormulationId): Promise<{ text: string; result_sha256: string }> {
    return this.#queue.run(() => this.#solver.solutionModule(edits, formulation));
  }

  /** The module with the published edits stored in it; positions are those of the file. Rejects with EngineError. */
  saveModule(): Promise<string> {
    return this.#queue.run(() => this.#solver.saveModule(this.state.edits));
  }

  // The selected elements and their responses.

  /** Defers the work after a new state until a view has drawn its prices. */
  set afterPicture(afterPicture: NextFrame) {
    this.#elements.afterPicture = afterPicture;
  }

  /** The selected elements, the primary last. */
  get selected(): SelectedList {
    return this.#elements.list;
  }

  /** The primary of the selected elements: column, path and preview belong to it. */
  get selection(): Selection | null {
    return this.#elements.primary;
  }

  /** Selects one element, or clears the selection. */
  select(element: Selection | null): Promise<void> {
    return this.selectMany(element === null ? [] : [element]);
  }

  /** Selects elements, the last one as the primary; see `SelectedElements`. */
  selectMany(list: SelectedList): Promise<void> {
    return this.#elements.select(list);
  }

  /** Adds an element to the selection as its primary, or removes it. */
  toggle(element: Selection): Promise<void> {
    return this.selectMany(toggled(this.selected, element));
  }

  /** Makes one of the selected elements the primary, with this value of it on the slider. */
  makePrimary(element: Selection): Promise<void> {
    return this.selectMany(withPrimary(this.selected, element));
  }

  /** The response of prices to a selected element at the published state; null until it is known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.#elements.responseOf(element);
  }

  /**
   * Requests the response of a selected element that scrolls into view: only the last few of many are requested at
   * once.
   */
  lookAt(element: Selection): void {
    this.#elements.look(element);
  }

  /** The sensitivity column of the primary element at the published state, once it is known. */
  get column(): SensitivityHead | null {
    return this.store.dense?.column ?? null;
  }

  /** The reason why an element cannot be edited, or why its column is missing; null where there is none. */
  problemOf(element: Selection): string | null {
    if (!this.opened.isEditable(element)) {
      return internalElement(element.kind);
    }
    const problem = this.responseOf(element)?.problem ?? null;
    return problem === null ? null : errorText(problem, this.opened);
  }

  /** The reason why the primary element cannot be edited, or why its column is missing; null where there is none. */
  get columnProblem(): string | null {
    return this.selection === null ? null : this.problemOf(this.selection);
  }

  /** Resolves when the column of the primary at the latest state on screen is known, or the reason why it has none. */
  get columnSettled(): Promise<void> {
    return this.#elements.settled;
  }

  /**
   * Whether linear estimates are approximate everywhere, because the optimum is curved between breakpoints. Exact paths
   * exist where it is piecewise affine.
   */
  get curved(): boolean {
    return !this.capabilities.has("paths") || this.column?.warrant.point_only === true;
  }

  /** The range of an element, as changes from the base case; it ends with the element's path. */
  rangeOf(element: Selection): EditRange {
    return this.#elements.rangeOf(element);
  }

  /** The range of the primary element; null until its column is known. */
  get range(): EditRange | null {
    const { selection } = this;
    return selection === null || this.responseOf(selection) === null ? null : this.rangeOf(selection);
  }

  /** The exact path of the primary element over its range, once it is known. */
  get path(): ElementPath | null {
    return this.#elements.paths.path;
  }

  /** The reason why there is no exact path; null where there is one. */
  get pathProblem(): string | null {
    const { problem } = this.#elements.paths;
    return problem === null ? null : errorText(problem, this.opened);
  }

  /**
   * Resolves when the exact path or PV curve is known, or the reason why there is none; at once where none is pending.
   */
  get pathSettled(): Promise<void> {
    const { paths, curves } = this.#elements;
    return Promise.all([paths.settled, curves.settled]).then(() => undefined);
  }

  /** The PV curve of the primary element, once it is known. */
  get voltageCurve(): VoltageCurve | null {
    return this.#elements.curves.curve;
  }

  /** The voltage collapse as the demand of a selected element grows; null until it is known. */
  collapseOf(element: Selection): CollapseAhead | null {
    return this.#elements.collapseOf(element);
  }

  // The preview of the primary element.

  /** How previews are computed. */
  get previewMode(): PreviewMode {
    return this.#elements.preview.mode;
  }

  set previewMode(mode: PreviewMode) {
    this.#elements.preview.mode = mode;
  }

  /** Moves the primary element to a change of `deltaMw` from the base case and shows the previewed prices. */
  preview(deltaMw: number): void {
    this.editsPreview.end();
    this.#elements.preview.move(deltaMw);
  }

  /** Ends a preview and shows the published state again. */
  cancelPreview(): void {
    this.#elements.preview.cancel();
  }

  /** The position of the primary element in the preview, as a change from the base case in MW; null at rest. */
  get previewMw(): number | null {
    return this.#elements.preview.mw;
  }

  /** The position of the prices on screen, which follows `previewMw`; null at rest. */
  get shownMw(): number | null {
    return this.#elements.preview.shownMw;
  }

  /** Change of the primary element from the base case in the published state, MW. */
  get committedMw(): number {
    return this.selection === null ? 0 : this.#elements.committedMw(this.selection, this.state);
  }

  /**
   * The breakpoints of the exact path passed by the present move, in order; empty at rest and while the path is
   * unknown.
   */
  get passedBreakpoints(): readonly TrackBreakpoint[] {
    const { shownMw, path, committedMw } = this;
    return shownMw === null || path === null ? [] : path.passed(committedMw, shownMw);
  }

  /**
   * The limit beyond which the previewed position lies; null at rest, and where the position has a solution as far as
   * known.
   */
  get passedLimit(): PassedLimit | null {
    const { previewMw, committedMw, path, column } = this;
    return previewMw === null ? null : passedLimit(previewMw, committedMw, path, column);
  }

  // Changes of the live state.

  /** Whether a kernel assigns revisions, so that its notebook shows the session. */
  get isOrdered(): boolean {
    return this.#committer.orderer !== pageOrderer;
  }

  /** Lets `orderer` assign revisions from now on; a candidate already handed over stays with the previous orderer. */
  setOrderer(orderer: Orderer): void {
    this.#committer.orderer = orderer;
  }

  /**
   * Solves the case with absolute `edits` and publishes the result. Rejects with StaleRevisionError when the state is
   * no longer `expectedRevision`, and with EngineError when there is no solution; the state is then unchanged.
   */
  commit(edits: CaseEdits, expectedRevision: number): Promise<void> {
    return this.#committer.commit(edits, expectedRevision);
  }

  /**
   * Commits changes of some elements as one; edits of other elements stay as they are when its turn comes, including
   * changes committed meanwhile here or in the kernel. Rejects with StaleRevisionError when the kernel has set one of
   * these elements to a value unknown here, and with EngineError when there is no solution.
   */
  edit(moves: readonly ElementMove[], mode: MoveMode = "set"): Promise<void> {
    return this.#committer.edit(moves, mode);
  }

  /** Commits one element at a change of `deltaMw` from the base case; all other edits stay. */
  commitElement(element: Selection, deltaMw: number): Promise<void> {
    return this.edit([{ element, mw: deltaMw }]);
  }

  /**
   * Solves and publishes a change of the state that is live in its turn. Rejects with the error of its `check`, and
   * with EngineError; the state is then unchanged.
   */
  commitChecked(change: CheckedChange): Promise<void> {
    return this.#committer.checked(change);
  }

  /**
   * Commits a separate change of a bus's reactive demand, MVAr from the base case; null lets it follow the power
   * factor. Rejects like `commit`, and with EngineError in formulations without reactive power.
   */
  setReactive(bus: number, mvar: number | null): Promise<void> {
    return this.commit(withReactive(this.state.edits, bus, mvar), this.state.revision);
  }

  /**
   * Sets values of a generator in place of those of the case; all other edits stay as they are when its turn comes, and
   * `undefined` restores a value. Rejects like `edit`.
   */
  setGenerator(id: number, values: Parameters<typeof withGeneratorEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withGeneratorEdit(before, id, values),
    });
  }

  /** Sets values of a line or transformer, like `setGenerator`. */
  setBranch(id: number, values: Parameters<typeof withBranchEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withBranchEdit(before, id, values),
    });
  }

  /** Sets values of an HVDC link, like `setGenerator`. */
  setLink(id: number, values: Parameters<typeof withLinkEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withLinkEdit(before, id, values),
    });
  }

  /** Sets values of a storage unit, like `setGenerator`. */
  setStorage(id: number, values: Parameters<typeof withStorageEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withStorageEdit(before, id, values),
    });
  }

  /** Sets limits of an interface in place of those of the options, like `setGenerator`. */
  setInterface(name: string, limits: Parameters<typeof withInterfaceEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withInterfaceEdit(before, name, limits),
    });
  }

  /** Adds elements to the network, like `setGenerator`; rejects with EngineError for elements that cannot be added. */
  add(elements: AddedElements): Promise<void> {
    return this.commitChecked({ check: () => undefined, edits: (before) => withAdded(before, elements) });
  }

  /** Removes an added element with its edits, like `setGenerator`. */
  remove(element: AddedElement): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withoutAdded(before, element, this.opened.rowsOfCase),
    });
  }

  /**
   * Changes the marginal cost of all generators of a fuel by an amount in $/MWh from the base case, or from typical costs
   * where edits give these, or by a factor of it, as one change like `setGenerator`; no change, and a factor of one, give
   * each that cost back.
   */
  setFuelCost(fuel: Pick<FuelCost, "units" | "assumed">, mode: FuelMode, amount: number): Promise<void> {
    const edits = (before: CaseEdits): CaseEdits => withFuelCost(before, this.opened, fuel, mode, amount);
    return sameEdits(edits(this.live.edits), this.live.edits)
      ? Promise.resolve(this.editsPreview.end())
      : this.commitChecked({ check: () => undefined, edits });
  }

  /** Puts a generator, branch, link or storage unit in or out of service, like `setGenerator`; the status of the case is no edit. */
  setStatus(element: Selection, on: boolean): Promise<void> {
    return this.setStatusOf([element], on);
  }

  /**
   * Puts generators, branches, links and storage units in or out of service as one change, like `setStatus`; null gives each the status that
   * it has in the case. Does nothing where all have it already.
   */
  setStatusOf(elements: readonly Selection[], on: boolean | null): Promise<void> {
    const edits = (before: CaseEdits): CaseEdits =>
      elements.reduce((edits, element) => {
        const status = on === null || on === isInServiceInCase(this.opened, element) ? undefined : on;
        return withStatus(edits, element, status);
      }, before);
    return sameEdits(edits(this.live.edits), this.live.edits)
      ? Promise.resolve()
      : this.commitChecked({ check: () => undefined, edits });
  }

  /**
   * Solves the present edits in another formulation. The Study of each formulation stays open, and a stored result is
   * shown at once. Rejects with EngineError where there is no solution; the state is then unchanged.
   */
  setFormulation(formulation: FormulationId): Promise<void> {
    return this.#committer.formulate(formulation);
  }

  /** Whether there is a base case to reset to: a Study saved without its base input has none. */
  get resettable(): boolean {
    return this.#hasBase;
  }

  /**
   * Returns to the base case in the present formulation; every state stays in the history. Rejects without a base case.
   */
  reset(): Promise<void> {
    return this.#hasBase ? this.#committer.reset() : Promise.reject(new Error(resetUnavailable()));
  }

  /**
   * Undoes the last step: at once where the previous result is stored, else by a solve. Only ends a preview where one
   * is active. Rejects with StaleRevisionError when the kernel has committed since, and with EngineError.
   */
  undo(): Promise<void> {
    return this.#committer.visit("undo");
  }

  /** Repeats the step undone last; otherwise like `undo`. */
  redo(): Promise<void> {
    return this.#committer.visit("redo");
  }

  /** Makes a state of the history live again, by its id, as the start of the next change; otherwise like `undo`. */
  goTo(stateId: number): Promise<void> {
    this.inspection.end();
    return this.#committer.visit(stateId);
  }

  /** Publishes a state that was committed elsewhere; only the hashes are compared when it is already published here. */
  adopt(remote: RemoteState): Promise<void> {
    return this.#committer.adopt(remote);
  }

  /** Cancels the changes that are not published yet, at once: the state stays the previous one. */
  cancel(): void {
    this.#committer.cancel();
  }

  /** Restores the states, goals and activity of an opened Study, whose live state is already published. */
  takeStudy({ states, live, recommended, goals, activeGoal, entries, hasBase }: TakenStudy): void {
    this.#hasBase = hasBase;
    this.history.restore(states, live, recommended);
    this.plans.restore(goals, activeGoal);
    this.activity.restore(entries);
    this.#signals.tell("reference");
    this.#signals.tell("status");
  }

  /** Ends the session and frees its Studies; a change under way is cancelled. */
  dispose(): void {
    if (!this.#disposed) {
      this.#disposed = true;
      this.#signals.dispose();
      this.#explainer.dispose();
      this.#elements.dispose();
      this.#committer.dispose();
      this.outages.dispose();
      this.loadability.dispose();
      this.comparison.dispose();
      this.series.dispose();
      this.seriesRun.dispose();
      this.profiles.dispose();
      this.plans.dispose();
      this.boxPick.dispose();
      this.history.dispose();
      this.activity.dispose();
      this.proposals.dispose();
      this.#queue.cancel();
      void this.#solver.free();
    }
  }
}
