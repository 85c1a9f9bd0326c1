import type { DemandChange, FormulationId, PlanSpecJson, PlanTrial, RatingIncrease } from "@service/engine";
import type { PowerUnit } from "../../text/index.ts";
import type { NetworkElement } from "../cases/selection.ts";
import type { ElementMove } from "../edits/edits.ts";
import { editUnit } from "../quantities/branchPower.ts";

/** The kind of decision of a plan. */
export type PlanDecision = "line_capacity" | "demand_placement" | "demand_redistribution";

/** The decision of a specification. */
export function decisionOf(spec: PlanSpecJson): PlanDecision {
  return "kind" in spec ? spec.kind : "line_capacity";
}

/** Whether a decision changes the demand of buses rather than the rating of lines. */
export function isOfBuses(decision: PlanDecision): boolean {
  return decision !== "line_capacity";
}

/** The unit of the amounts of a plan. */
export function planUnit(spec: PlanSpecJson, formulation: FormulationId): PowerUnit {
  return editUnit(isOfBuses(decisionOf(spec)) ? "bus" : "branch", formulation);
}

/** Maximum number of elements that a specification lets change. */
export function mostChanged(spec: PlanSpecJson): number {
  return "kind" in spec ? spec.max_changed_buses : spec.max_changed_lines;
}

/** Changes of ratings or of demand as changes of elements. */
export function planMoves(changes: readonly (RatingIncrease | DemandChange)[]): ElementMove<NetworkElement>[] {
  return changes.map((change) => ({
    element: "branch" in change ? { kind: "branch", id: change.branch } : { kind: "bus", id: change.bus },
    mw: change.delta_mw,
  }));
}

/** The changes of a trial from the best state before it. */
export function trialStep(trial: PlanTrial): ElementMove[] {
  return planMoves("line" in trial ? [trial.line] : trial.step);
}
