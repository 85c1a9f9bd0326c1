import type { FormulationId, Solution } from "@service/engine";
import { leftOutSentence, resetUnavailable } from "../../text/index.ts";
import { ActivityLog } from "../history/activityLog.ts";
import { FormulationComparison } from "../history/formulationComparison.ts";
import { type CheckedChange, Committer, type Publication } from "../mutations/committer.ts";
import { type CaseEdits, withGeneratorEdit, withReactive } from "../edits/edits.ts";
import type { ElementMove, MoveMode } from "../edits/elementMoves.ts";
import type { RelaxationSearch } from "../cases/relaxationSearch.ts";
import type { Orderer } from "../mutations/revisionOrderer.ts";
import { ProposalDesk, type ProposalHost } from "../proposals/proposalDesk.ts";
import { LoadabilityRun } from "../screening/loadabilityRun.ts";
import { OutageScreen } from "../screening/outageScreen.ts";
import { OutageView } from "../screening/outageView.ts";
import { Profiles } from "../series/profiles.ts";
import { SeriesRun } from "../series/seriesRun.ts";
import { AVAILABLE_FORMULATIONS } from "./capabilities.ts";
import { FailureExplainer } from "../solving/failureExplainer.ts";
import { BoxPick } from "../planning/boxPick.ts";
import type { Plans } from "../planning/plans.ts";
import { sessionPlans } from "../planning/sessionPlans.ts";
import type { TakenStudy } from "../study/takenStudy.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";
import type { RemoteState, SessionInit } from "./sessionState.ts";
import { ViewMemory } from "./viewMemory.ts";
import type { Selection } from "../cases/selection.ts";
import { SelectionSession } from "./selectionSession.ts";

/**
 * One case being worked on: its exact state, the selected elements and the preview of the primary one. Every change goes
 * through one queue: the expected revision is checked inside it, a candidate is solved, and the state changes once. A change
 * that fails leaves everything as it was.
 */
export class CaseSession extends SelectionSession {
  /** The N-1 screening of the published state. */
  readonly outages: OutageScreen;
  /** The flows after one outage, where they are shown. */
  readonly outage: OutageView;
  /** How much a demand can grow from the published state. */
  readonly loadability: LoadabilityRun;
  /** The state shown in each formulation. */
  readonly comparison: FormulationComparison;
  /** The demand profiles that series can be of. */
  readonly profiles: Profiles;
  /** The exact solves of a profile. */
  readonly seriesRun: SeriesRun;
  /** The proposal of a plan, and the revision that it relies on. */
  readonly proposals: ProposalDesk;
  /** Its goals, and the plans made for them. */
  readonly plans: Plans;
  /** Asks its maps for a box. */
  readonly boxPick = new BoxPick();
  /** What happened here. */
  readonly activity: ActivityLog;
  /** How its maps look at it. */
  readonly view = new ViewMemory();

  readonly #committer: Committer;
  readonly #explainer: FailureExplainer;
  readonly #leftOut: SessionInit["leftOut"];
  #hasBase = true;

  private constructor(init: SessionInit, solution: Solution, columns: QuantityTable) {
    super(init, solution, columns);
    this.#leftOut = init.leftOut;
    this.#explainer = new FailureExplainer({
      status: () => this.status,
      setStatus: (status) => this.signals.setStatus(status),
      explain: ({ edits, formulation }, options) => this.solver.explain(edits, formulation, options),
    });
    this.signals.changed.connect(() => this.#explainer.follow());
    this.#committer = new Committer(this.host, this.solver, this.queue);
    this.outages = new OutageScreen((options) =>
      this.queue.run(() => this.solver.beginScreening(this.live.edits, options)),
    );
    this.outage = new OutageView({
      store: this.store,
      opened: this.opened,
      changed: this.changed,
      flowsAfter: (branch) => this.queue.run(() => this.solver.outageFlows(this.state.edits, branch)),
      redraw: () => this.signals.tell("preview"),
    });
    this.loadability = new LoadabilityRun((target, options) =>
      this.queue.run(() => this.solver.beginLoadability(this.live.edits, target, options)),
    );
    this.comparison = new FormulationComparison({
      state: () => this.state,
      formulations: () => this.formulations,
      resultIn: (formulation, signal) => this.resultIn(formulation, signal),
    });
    this.profiles = new Profiles({
      opened: this.opened,
      synthetic: (start, hours) => this.queue.run(() => this.solver.syntheticDemand(start, hours)),
      read: (bytes) => this.queue.run(() => this.solver.readProfile(bytes)),
    });
    this.seriesRun = new SeriesRun({
      opened: this.opened,
      live: () => this.states.origin,
      begin: (profile, options) =>
        this.queue.run(async () => {
          const { origin } = this.states;
          return { origin, result: (await this.solver.beginSeries(origin, profile, options)).result };
        }),
    });
    const proposalHost: ProposalHost = {
      caseId: this.caseId,
      state: () => this.live,
      plan: async (edits, ...plan) => (await this.queue.run(() => this.solver.beginPlan(edits, ...plan))).outcome,
      commit: (change) => this.commitChecked(change),
    };
    this.proposals = new ProposalDesk(proposalHost, init.trust);
    this.plans = sessionPlans(this.proposals, {
      begin: (edits, spec, { signal, onTrial }) =>
        this.queue.run(() => this.solver.beginPlan(edits, spec, signal, { onTrial })),
      live: () => this.history.current,
      stateOf: (id) => this.history.stateOf(id),
      recommend: (candidate) => this.history.recommend(candidate),
      note: (event) => this.activity.note(event),
    });
    this.history.keepAlso(() => [
      ...this.plans.goals.flatMap(({ start, candidate }) => [start, candidate ?? start]),
      ...(this.inspection.state === null ? [] : [this.inspection.state.id]),
    ]);
    this.activity = new ActivityLog(this);
  }

  /** A session at the base case of a Study that has just been created. */
  static async create(init: SessionInit): Promise<CaseSession> {
    const { solution, table } = await init.study.current();
    return new CaseSession(init, solution, new QuantityTable(table));
  }

  /**
   * The formulations that one can change to, the present one among them: where a kernel orders the states, those that it solves; while
   * a saved state or a step of a series is shown, none else.
   */
  get formulations(): readonly FormulationId[] {
    const taken = this.showsLive ? this.#committer.orderer.formulations : [];
    return AVAILABLE_FORMULATIONS.filter((one) => one === this.formulation || taken?.includes(one) !== false);
  }

  /** The search for the minimum relaxation of the change that failed, as long as its failure is told; null without one. */
  get relaxationSearch(): RelaxationSearch | null {
    return this.#explainer.search;
  }

  /** Makes `orderer` decide on revisions from now on; a candidate already handed over stays with the one before. */
  setOrderer(orderer: Orderer): void {
    this.#committer.orderer = orderer;
  }

  /**
   * Solves the case with absolute `edits` and publishes the result. Rejects with StaleRevisionError when the state is no
   * longer `expectedRevision`, and with EngineError when there is no solution; the state is then what it was.
   */
  commit(edits: CaseEdits, expectedRevision: number): Promise<void> {
    return this.inspection.live(() => this.#committer.commit(edits, expectedRevision));
  }

  /**
   * Commits changes of some elements as one, all other edits as they are when its turn comes: changes that were committed
   * meanwhile, here or in the kernel, are kept. Rejects with StaleRevisionError when the kernel has set one of these elements
   * to something that was not known here, and with EngineError when there is no solution.
   */
  edit(moves: readonly ElementMove[], mode: MoveMode = "set"): Promise<void> {
    return this.inspection.live(() => this.#committer.edit(moves, mode));
  }

  /**
   * Solves and publishes a change of the state that its turn finds, once. Rejects with what its `check` throws, and with EngineError;
   * the state is then what it was.
   */
  commitChecked(change: CheckedChange): Promise<void> {
    return this.inspection.live(() => this.#committer.checked(change));
  }

  /**
   * Commits a change of the reactive demand of a bus of its own, MVAr from the base case; null lets it follow by the power factor.
   * Rejects as `commit`, with EngineError in formulations without reactive power.
   */
  setReactive(bus: number, mvar: number | null): Promise<void> {
    return this.commit(withReactive(this.state.edits, bus, mvar), this.state.revision);
  }

  /**
   * Gives values of a generator in place of those of the case, all other edits as they are when its turn comes; `undefined` gives a
   * value back. Rejects as `edit`.
   */
  setGenerator(id: number, values: Parameters<typeof withGeneratorEdit>[2]): Promise<void> {
    return this.commitChecked({
      check: () => undefined,
      edits: (before) => withGeneratorEdit(before, id, values),
    });
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
    return this.inspection.live(() => this.#committer.formulate(formulation));
  }

  /** Whether there is a base case to reset to: a Study that was saved without its base input has none. */
  get resettable(): boolean {
    return this.#hasBase;
  }

  /** Back to the base case, in the present formulation; every state stays in the history. Rejects where there is no base case. */
  reset(): Promise<void> {
    if (!this.#hasBase) {
      return Promise.reject(new Error(resetUnavailable()));
    }
    return this.inspection.live(() => this.#committer.reset());
  }

  /**
   * Takes the last step back: at once where the state before is held, else by a solve. A move that is not let go yet is only
   * given up. Rejects with StaleRevisionError when the kernel has committed since, and with EngineError.
   */
  undo(): Promise<void> {
    return this.inspection.live(() => this.#visit("undo"));
  }

  /** Takes the step again that was taken back last; as `undo`. */
  redo(): Promise<void> {
    return this.inspection.live(() => this.#visit("redo"));
  }

  /** Makes a state of the history the live one again, named by its id: the next change starts from there; as `undo`. */
  goTo(stateId: number): Promise<void> {
    this.inspection.end();
    return this.#visit(stateId);
  }

  /** Cancels the changes that are not published yet, at once: the state stays the one before. */
  cancel(): void {
    this.#committer.cancel();
  }

  /** Takes in the states, goals and activity of a Study that was opened; its live state is published already. */
  takeStudy({ states, live, recommended, goals, activeGoal, entries, hasBase }: TakenStudy): void {
    this.#hasBase = hasBase;
    this.history.restore(states, live, recommended);
    this.plans.restore(goals, activeGoal);
    this.activity.restore(entries);
    this.signals.tell("reference");
    this.signals.tell("status");
  }

  /** Takes over a state that was committed elsewhere; when it is the one published here, only the hashes are compared. */
  adopt(remote: RemoteState): Promise<void> {
    return this.#committer.adopt(remote);
  }

  /** Ends the session and frees its Study; a change under way is given up. */
  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.signals.dispose();
      this.#explainer.dispose();
      this.pricePreview.drop();
      this.elements.dispose();
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
      this.queue.cancel();
      void this.solver.free();
    }
  }

  async #visit(where: number | "undo" | "redo"): Promise<void> {
    if (this.pricePreview.mw !== null && this.status.kind === "previewing") {
      this.cancelPreview();
      if (where === "undo") {
        return;
      }
    }
    await this.#committer.visit(() => this.history.visitOf(where));
  }

  protected publish(publication: Publication): void {
    const before = this.solver.formulation;
    this.states.publish(publication);
    this.comparison.cancel();
    const { formulation } = this.live.solution;
    this.solver.formulation = formulation;
    if (formulation !== before) {
      this.pricePreview.drop(); // a move that was not let go was of another model
      this.#tellLeftOut(formulation);
    }
    this.signals.setQuietly({ kind: "ready" });
    this.elements.restart();
    this.pricePreview.published();
    this.proposals.published(this.history.latest);
    this.signals.tell("state");
    this.pricePreview.show();
    this.follow();
  }

  /** Says which options have no effect in the formulation that was changed to. */
  #tellLeftOut(formulation: FormulationId): void {
    const names = this.#leftOut?.(formulation) ?? [];
    if (names.length > 0) {
      this.states.remark(this.live.revision, leftOutSentence(formulation, names));
    }
  }
}
