/**
 * What a Study document says of a session besides its artifacts: the shapes of schema `wattbook-study`, version 2. Ids are keys of
 * their table: `s3`, `g1`, `e12`, `d2`.
 */

import type {
  BranchEdits,
  DemandDeltas,
  GeneratorEdits,
  FormulationId,
  GoalScope,
  PlanOutcomeJson,
  PlanSpecJson,
} from "@service/engine";

/** The kinds of experiments. People are shown `observation`, `edit`, `solve`, `planning trial`, `decision`. */
export type ExperimentKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/** A saved state: what it was called, and the edits and formulation that its result is a function of. */
export interface StateRecord {
  /** Its name, or what was done to reach it, in words. */
  label: string;
  /** The name given to it. */
  name?: string;
  /** A note. */
  note?: string;
  formulation: FormulationId;
  /** The state that it was reached from; absent for the first one. */
  parent?: string;
  /** Changes from the base input: demand in MW by bus, ratings in MW (MVA in the relaxation) by branch, reactive demand in MVAr. */
  deltas: DemandDeltas;
  rates: DemandDeltas;
  reactive?: DemandDeltas;
  /** Values of generators and branches in place of those of the base input. */
  generators?: GeneratorEdits;
  branches?: BranchEdits;
  /** The revision at which it was published first; absent for a candidate that was not. */
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

/** A goal of planning, with the plan that came of it. */
export interface GoalRecord {
  label: string;
  /** A note. */
  note?: string;
  /** Whose prices it looks at, where its writer says so. */
  scope?: GoalScope;
  formulation: FormulationId;
  /** Amounts of the goal count from this state. */
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
  /** The state and the goal that it is about; of a planning trial also its `exact_solve` in the outcome of the goal. */
  state?: string;
  goal?: string;
  trial?: number;
  /** Of one of kind `decision`. */
  decision?: string;
}

/** A decision on a proposal. It grants nothing: approvals are not part of a Study. */
export interface DecisionRecord {
  label: string;
  result: string;
  note?: string;
  goal?: string;
  state?: string;
  /** ISO 8601. */
  at: string;
}

/** The part of a Study document that a session knows. */
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
