import {
  EngineError,
  type FormulationId,
  type LmpComponents,
  type Solution,
  type SolveOptions,
  type StudyHandle,
} from "@service/engine";
import type { ISignal } from "@lumino/signaling";
import { cancelledError, unlessCancelled } from "../concurrency/cancelling.ts";
import { type CaseEdits } from "../edits/edits.ts";
import { ExactSolver } from "../solving/exactSolver.ts";
import { MutationQueue } from "../mutations/mutationQueue.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { PublishedStates } from "../history/publishedStates.ts";
import type { CommittedState, ExactResult, ReferenceState } from "../history/committedState.ts";
import type { StateHistory } from "../history/stateHistory.ts";
import type { NamedState, StepEvent } from "../history/stepEvent.ts";
import { stateName, stepText } from "../history/stepText.ts";
import { type Capability, capabilitiesOf, readOnly } from "./capabilities.ts";
import type { Geography } from "../geography/geography.ts";
import type { NetworkGraph } from "../cases/networkGraph.ts";
import type { ShownCase } from "../cases/shownCase.ts";
import { Inspection } from "./inspection.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import type { PublishedState, SessionInit } from "./sessionState.ts";
import { SeriesView } from "../series/seriesView.ts";
import { Studies } from "../solving/studies.ts";
import { SessionSignals } from "./sessionSignals.ts";
import { failedStatus, type SessionChange, type SessionStatus } from "./sessionStatus.ts";

/** One case with its exact states: what is shown, what is live, and what the engine says about them. */
export abstract class StateSession implements ShownCase {
  readonly opened: OpenedCase;
  readonly caseId: string;
  readonly caseName: string;
  readonly options: SolveOptions;
  /** Shows saved states in place of the live one. */
  readonly inspection: Inspection;
  /** Shows the steps of a series in place of the live state. */
  readonly series: SeriesView;

  protected readonly solver: ExactSolver;
  protected readonly queue = new MutationQueue();
  protected readonly states: PublishedStates;
  protected readonly signals = new SessionSignals<this>(this);
  protected disposed = false;
  #wantedQuantity: string | null = null;

  protected constructor(init: SessionInit, solution: Solution, columns: QuantityTable) {
    this.opened = init.opened;
    this.caseId = init.caseId;
    this.caseName = init.caseName;
    this.options = init.options;
    const studies = new Studies(init.createStudy, init.formulation, init.study);
    this.solver = new ExactSolver(studies, init.formulation, init.caseId, init.opened);
    this.states = new PublishedStates(solution, columns, ({ edits, formulation }) =>
      this.queue.run(() => this.solver.solve(edits, formulation)),
    );
    this.series = new SeriesView({
      revision: () => this.live.revision,
      place: (step) => {
        this.cancelPreview();
        if (step !== null) {
          this.inspection.supersede();
        }
        this.states.showStep(step);
      },
      drawn: () => this.signals.tell("step"),
      settled: () => {
        this.shownChanged();
        const { error } = this.series;
        if (error !== null) {
          this.signals.setStatus(failedStatus(new EngineError(error), null));
        }
      },
      reading: (read, use) => this.store.reading(read, use),
    });
    this.inspection = new Inspection(this.states, {
      cancelPreview: () => this.cancelPreview(),
      leaveSeries: () => this.series.end(),
      shown: () => this.shownChanged(),
      refused: (error) => this.signals.setStatus(failedStatus(error, null)),
    });
  }

  /** Ends a preview and shows the published state again. */
  abstract cancelPreview(): void;

  /** Views show another state, to which neither columns nor previews belong. */
  protected abstract shownChanged(): void;

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

  /** The formulation of the state shown. */
  get formulation(): FormulationId {
    return this.state.solution.formulation;
  }

  get capabilities(): ReadonlySet<Capability> {
    const found = capabilitiesOf(this.formulation, this.store.columns);
    return this.showsLive ? found : readOnly(found, this.formulation === this.live.solution.formulation);
  }

  /** Tells what changed. */
  get changed(): ISignal<this, SessionChange> {
    return this.signals.changed;
  }

  /** The exact state that views show: the live one, a saved one that is inspected, or a step of a series. Its revision is that of the live one. */
  get state(): PublishedState {
    return this.states.shown;
  }

  /** The exact state that changes are made of, whatever is shown. */
  get live(): PublishedState {
    return this.states.now;
  }

  /** Whether views show the live state, and not a saved one or a step of a series. */
  get showsLive(): boolean {
    return this.states.showsLive;
  }

  /** The numbers by dense row: published, and shown. */
  get store(): SolutionStore {
    return this.states.store;
  }

  /** The states that were published, with the present one, undo and redo. */
  get history(): StateHistory {
    return this.states.history;
  }

  get status(): SessionStatus {
    return this.signals.status;
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.history.reference;
  }

  /** Measures changes from another committed state. Rejects with EngineError. */
  async setReference(state: CommittedState): Promise<void> {
    await this.history.setReference(state);
    this.signals.tell("reference");
  }

  /** The quantity that maps were asked to show, by its name there; they may show another one since. */
  get wantedQuantity(): string | null {
    return this.#wantedQuantity;
  }

  /** Asks the maps of this session to colour by a quantity. */
  showQuantity(quantity: string): void {
    this.#wantedQuantity = quantity;
    this.signals.tell("quantity");
  }

  /** Goes back to the status of the published state after a change that failed: the user goes on. */
  forgetFailure(): void {
    if (this.status.kind === "failed" && !this.status.lasting) {
      this.signals.setStatus({ kind: "ready" });
    }
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
    if (this.states.remark(revision, sentence)) {
      this.signals.tell("status");
    }
  }

  /** What other absolute edits would do to the live state, to first order; nothing is shown. Rejects with EngineError. */
  predict(edits: CaseEdits): ReturnType<StudyHandle["preview"]> {
    return this.queue.run(() => this.solver.preview(this.live.edits, edits));
  }

  /**
   * The exact result of the present edits in a formulation; nothing is published. Rejects with EngineError, and with `ABORTED` as soon as
   * the signal fires: what has not begun by then is not solved.
   */
  resultIn(formulation: FormulationId, signal?: AbortSignal): Promise<ExactResult> {
    const { edits, solution } = this.state;
    if (formulation === solution.formulation) {
      return Promise.resolve({ solution, columns: this.store.columns });
    }
    const solve = (): Promise<ExactResult> =>
      signal?.aborted === true ? Promise.reject(cancelledError()) : this.solver.solve(edits, formulation);
    return unlessCancelled(this.queue.run(solve), signal);
  }

  /** What the published price of a bus is made of: energy, and congestion by line. Rejects with EngineError. */
  lmpComponents(bus: number): Promise<LmpComponents> {
    return this.queue.run(() => this.solver.lmpComponents(this.state.edits, bus));
  }

  /** The solution module of any state, for documents; nothing is published. Rejects with EngineError. */
  solutionModule(edits: CaseEdits, formulation: FormulationId): Promise<{ text: string; result_sha256: string }> {
    return this.queue.run(() => this.solver.solutionModule(edits, formulation));
  }

  /** The module with the published edits stored in it; positions are those of the file. Rejects with EngineError. */
  saveModule(): Promise<string> {
    return this.queue.run(() => this.solver.saveModule(this.state.edits));
  }
}
