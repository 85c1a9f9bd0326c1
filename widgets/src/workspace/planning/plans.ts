import type { AddedBranch, FormulationId, GoalScope, PlanOutcomeJson, PlanSpecJson, PlanTrial } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { errorText, trans } from "../../text/index.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import type { NetworkElement } from "../cases/selection.ts";
import { type CaseEdits, type ElementMove, withAdded, withMoves } from "../edits/edits.ts";
import type { ActivityLog } from "../history/activityLog.ts";
import type { CommittedState } from "../history/committedState.ts";
import type { StateHistory } from "../history/stateHistory.ts";
import type { Proposal, ProposalState } from "../proposals/proposal.ts";
import type { ProposalDesk } from "../proposals/proposalDesk.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { codeOf } from "../solving/errorCode.ts";
import { addedCircuits, type CircuitChoice, planCircuits, type PlannedChanges } from "./circuitPlans.ts";
import { planMoves, planUnit } from "./planMoves.ts";

/** A goal of planning: its purpose, the state it starts from, and its outcome. */
export interface PlanGoal {
  /** Increases from 1. */
  readonly id: number;
  /** Description of the buses whose prices are to fall. */
  readonly label: string;
  /** A note from the Study that was opened. */
  readonly note?: string;
  readonly scope?: GoalScope;
  /** Id of the saved state it starts from, from which limits and increments count. */
  readonly start: number;
  readonly formulation: FormulationId;
  readonly spec: PlanSpecJson;
  /** Null while the plan runs, and where it failed. */
  readonly outcome: PlanOutcomeJson | null;
  /** Every choice of new circuits, where these were candidates; absent from an opened Study. */
  readonly choices?: readonly CircuitChoice[];
  /** Id of the recommended candidate state; null where no trial was better than the start. */
  readonly candidate: number | null;
}

/** The state of the planning in a session. `trials` are the completed ones, in order. */
export type PlanState =
  | { readonly kind: "none" }
  | {
      readonly kind: "running";
      readonly goal: PlanGoal;
      readonly trials: readonly PlanTrial[];
      /** Whether the plan ends after the running solve. */
      readonly ending: boolean;
    }
  | { readonly kind: "done"; readonly goal: PlanGoal; readonly outcome: PlanOutcomeJson }
  | { readonly kind: "failed"; readonly goal: PlanGoal; readonly message: string };

/** The proposal of a plan before it is applied. */
export interface PlanProposal {
  readonly goal: PlanGoal;
  /** Changes from the start of the goal, in the order of the case. */
  readonly changes: readonly ElementMove<NetworkElement>[];
  /** The new circuits. */
  readonly circuits: readonly AddedBranch[];
  /** The start of the goal. */
  readonly start: CommittedState;
  /** The candidate state, whose edits would be committed. Null while the plan runs. */
  readonly candidate: CommittedState | null;
}

/**
 * The goals of a session and its planning: one plan runs at a time and leaves the live state unchanged. The result is
 * staged as a proposal, plans that agents stage are adopted, and decisions on proposals are logged.
 */
export class Plans {
  readonly #core: SessionCore;
  readonly #desk: ProposalDesk;
  readonly #activity: ActivityLog;
  readonly #changed = new Signal<this, void>(this);
  #goals: readonly PlanGoal[] = [];
  #state: PlanState = { kind: "none" };
  #running: AbortController | null = null;
  /** The previous state of the proposal. */
  #proposed: ProposalState;

  constructor(core: SessionCore, desk: ProposalDesk, activity: ActivityLog) {
    this.#core = core;
    this.#desk = desk;
    this.#activity = activity;
    this.#proposed = desk.state;
    desk.changed.connect(() => this.#proposalChanged());
  }

  /** Emitted when the state of the planning changes. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The planned goals, the first one first. */
  get goals(): readonly PlanGoal[] {
    return this.#goals;
  }

  get state(): PlanState {
    return this.#state;
  }

  /** The goal whose plan is shown; null without one. */
  get active(): PlanGoal | null {
    return this.#state.kind === "none" ? null : this.#state.goal;
  }

  /** The proposal of the shown plan, while it runs the best so far; null where nothing is better than the start. */
  get proposal(): PlanProposal | null {
    const state = this.#state;
    const goal = this.active;
    const start = goal === null ? null : this.#history.stateOf(goal.start);
    if (goal === null || start === null) {
      return null;
    }
    const changes =
      state.kind === "running"
        ? (state.trials.findLast(({ accepted }) => accepted)?.delta_mw ?? [])
        : (goal.outcome?.proposal ?? []);
    const candidate = this.#history.stateOf(goal.candidate ?? -1);
    const circuits = candidate === null ? [] : addedCircuits(start.edits, candidate.edits);
    const isEmpty = changes.length + circuits.length === 0;
    return isEmpty ? null : { goal, changes: planMoves(changes), circuits, start, candidate };
  }

  /**
   * Plans from the live state for the prices of a scope, with circuits parallel to some lines as candidates; a running
   * plan is cancelled. Resolves when the plan is done, cancelled or failed.
   */
  async run(label: string, spec: PlanSpecJson, scope?: GoalScope, lines: readonly number[] = []): Promise<void> {
    this.#running?.abort();
    const control = new AbortController();
    this.#running = control;
    const { revision } = this.#desk;
    const goal = this.#newGoal(label, spec, scope);
    const { edits } = this.#history.current;
    const { formulation } = goal;
    const own = (): boolean => this.#running === control;
    let trials: readonly PlanTrial[] = [];
    const note = (noted: readonly PlanTrial[]): void =>
      noted.forEach((trial) => this.#activity.note({ kind: "planTrial", trial, unit: planUnit(spec, formulation) }));
    this.#keep(goal);
    this.#tell({ kind: "running", goal, trials, ending: false });
    try {
      const { signal } = control;
      const options = {
        onTrial: (trial: PlanTrial): void => {
          trials = [...trials, trial];
          if (lines.length === 0) {
            note([trial]);
          }
          if (own()) {
            this.#tell({ kind: "running", goal, trials, ending: signal.aborted });
          }
        },
      };
      const { solver, queue, opened } = this.#core;
      const plan = async (from: CaseEdits, spec: PlanSpecJson): Promise<PlanOutcomeJson> => {
        trials = [];
        const beginning = queue.run(() => solver.beginPlan(from, spec, signal, options));
        return (await unlessCancelled(beginning, signal)).outcome;
      };
      const planned =
        lines.length === 0
          ? { outcome: await plan(edits, spec), circuits: [], choices: [] }
          : await planCircuits(plan, edits, spec, { lines, opened }, signal);
      if (own()) {
        if (lines.length > 0) {
          note(planned.outcome.trials);
        }
        this.#stage(this.#done(goal, planned, edits), planned, revision);
      }
    } catch (error) {
      if (own()) {
        const cancelled = codeOf(error) === "ABORTED";
        this.#tell(cancelled ? { kind: "none" } : { kind: "failed", goal, message: errorText(error) });
      }
    }
    if (own()) {
      this.#running = null;
    }
  }

  /** Ends the running plan after its present solve; its trials and the best candidate stay. */
  cancel(): void {
    this.#running?.abort();
    if (this.#state.kind === "running") {
      this.#tell({ ...this.#state, ending: true });
    }
  }

  /** Adopts a plan that an agent made and staged from the live state, with its trials. */
  adopt(label: string, { spec, outcome, circuits }: Pick<Proposal, "spec" | "outcome" | "circuits">): void {
    const goal = this.#newGoal(label, spec);
    const unit = planUnit(spec, goal.formulation);
    outcome.trials.forEach((trial) => this.#activity.note({ kind: "planTrial", trial, unit }));
    this.#done(goal, { outcome, circuits, choices: [] }, this.#history.current.edits);
  }

  /** Shows the plan of an earlier goal. */
  show(id: number): void {
    const goal = this.#goals.find((one) => one.id === id);
    if (goal !== undefined && goal.outcome !== null && this.#state.kind !== "running") {
      this.#tell({ kind: "done", goal, outcome: goal.outcome });
    }
  }

  /** Replaces the goals with those of an opened Study and shows the active one. */
  restore(goals: readonly PlanGoal[], active: number | null): void {
    this.#goals = goals;
    this.#tell({ kind: "none" });
    this.show(active ?? -1);
  }

  dispose(): void {
    this.#running?.abort();
    this.#running = null;
    Signal.clearData(this);
  }

  get #history(): StateHistory {
    return this.#core.states.history;
  }

  #newGoal(label: string, spec: PlanSpecJson, scope?: GoalScope): PlanGoal {
    const { id: start, formulation } = this.#history.current;
    const id = Math.max(0, ...this.#goals.map((goal) => goal.id)) + 1;
    return { id, label, ...(scope && { scope }), start, formulation, spec, outcome: null, candidate: null };
  }

  /** Stages a proposal, unless the live state has changed since. */
  #stage({ id, spec, candidate }: PlanGoal, { outcome, circuits }: PlannedChanges, baseRevision: number): void {
    if (candidate === null || this.#desk.revision !== baseRevision) {
      return;
    }
    this.#desk.stage({ changes: planMoves(outcome.proposal), circuits, spec, outcome, goal: `g${id}`, baseRevision });
  }

  #done(goal: PlanGoal, { outcome, circuits, choices }: PlannedChanges, from: CaseEdits): PlanGoal {
    const { proposal, best, ended } = outcome;
    const { start: parent, formulation } = goal;
    const edits = withAdded(withMoves(from, planMoves(proposal), "increment"), { branches: [...circuits] });
    const candidate =
      proposal.length + circuits.length === 0
        ? null
        : this.#history.recommend({ parent, edits, formulation, objective: best.objective });
    const planned = { ...goal, outcome, ...(choices.length > 0 && { choices }), candidate: candidate?.id ?? null };
    this.#activity.note({ kind: "planned", goal: goal.label, candidate, ended });
    this.#keep(planned);
    this.#tell({ kind: "done", goal: planned, outcome });
    return planned;
  }

  #keep(goal: PlanGoal): void {
    this.#goals = [...this.#goals.filter(({ id }) => id !== goal.id), goal];
  }

  #tell(state: PlanState): void {
    this.#state = state;
    this.#changed.emit();
  }

  #proposalChanged(): void {
    const { state } = this.#desk;
    const before = this.#proposed;
    this.#proposed = state;
    const another = proposalOf(state)?.id !== proposalOf(before)?.id;
    if (!another && state.kind === before.kind) {
      return;
    }
    const note = (decision: string, { id }: Proposal): void =>
      this.#activity.note({ kind: "decided", decision, result: trans.__("proposal %1", id.slice(0, 8)) });
    if (another && before.kind === "approved") {
      const discarded = state.kind === "none";
      note(
        discarded ? trans.__("Approved proposal discarded") : trans.__("Approved proposal replaced by another one"),
        before.proposal,
      );
    }
    if (state.kind === "none") {
      return;
    }
    if (another && state.kind === "staged" && state.proposal.goal === null) {
      this.adopt(trans.__("an agent"), state.proposal);
    }
    const decision = decisionText(state.kind, another);
    if (decision !== null) {
      note(decision, state.proposal);
    }
  }
}

function proposalOf(state: ProposalState): Proposal | null {
  return state.kind === "none" ? null : state.proposal;
}

function decisionText(kind: Exclude<ProposalState["kind"], "none">, another: boolean): string | null {
  switch (kind) {
    case "approved":
      return trans.__("Proposal approved");
    case "applied":
      return trans.__("Proposal applied");
    case "expired":
      return trans.__("Proposal expired: the live state changed");
    case "invalid":
      return trans.__("Approval invalid: goal or start changed");
    case "staged":
      return another ? null : trans.__("Approval withdrawn");
  }
}
