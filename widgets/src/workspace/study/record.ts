/**
 * The content of a Study document about a session besides its artifacts, in the shapes of schema `wattbook-study`,
 * version 2. Ids are keys of their table: `s3`, `g1`, `e12`, `d2`.
 */

import type { FormulationId, GoalScope, PlanOutcomeJson, PlanSpecJson } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";

/** The kinds of experiments. People are shown `observation`, `edit`, `solve`, `planning trial`, `decision`. */
export type ExperimentKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/** A saved state: its label, and the edits from the base input and the formulation that determine its result. */
export interface StateRecord extends CaseEdits {
  /** Its name, or the text of the step that led to it. */
  label: string;
  /** Its name, where a user set one. */
  name?: string;
  /** A note of the user. */
  note?: string;
  formulation: FormulationId;
  /** The state it was reached from; absent for the first one. */
  parent?: string;
  /** The revision at which it was first published; absent for an unpublished candidate. */
  revision?: number;
  /** ISO 8601. */
  at: string;
  /** $/h, where the formulation has a cost. */
  objective?: number;
  /** Hash of its result; absent where it was not solved. */
  result_sha256?: string;
  solve_ms?: number;
  /** Whether it was committed in a kernel. */
  remote?: boolean;
}

/** A goal of planning, with its plan. */
export interface GoalRecord {
  label: string;
  /** A note of the user. */
  note?: string;
  /** The buses whose prices it concerns, where the writer stored them. */
  scope?: GoalScope;
  formulation: FormulationId;
  /** The state from which the amounts of the goal count. */
  start_state: string;
  spec: PlanSpecJson;
  outcome?: PlanOutcomeJson;
  /** The state that the plan recommends. */
  candidate_state?: string;
}

/** An entry of the activity log. */
export interface ExperimentRecord {
  kind: ExperimentKind;
  label: string;
  result: string;
  failed?: boolean;
  /** ISO 8601. */
  at: string;
  ms?: number;
  remote?: boolean;
  /** The state and the goal it concerns; a planning trial also has its `exact_solve` in the outcome of the goal. */
  state?: string;
  goal?: string;
  trial?: number;
  /** The decision of an entry of kind `decision`. */
  decision?: string;
}

/** A decision on a proposal. It is a record only: approvals are not part of a Study. */
export interface DecisionRecord {
  label: string;
  result: string;
  note?: string;
  goal?: string;
  state?: string;
  /** ISO 8601. */
  at: string;
}

/** The part of a Study document that comes from a session. */
export interface StudyRecord {
  formulation: FormulationId;
  revision: number;
  states: Record<string, StateRecord>;
  goals: Record<string, GoalRecord>;
  experiments: Record<string, ExperimentRecord>;
  experiment_order: string[];
  decisions: Record<string, DecisionRecord>;
  inspected_state: string;
  recommended_state?: string;
  applied_state: string;
  active_goal?: string;
}
