import { trans } from "../../text/index.ts";
import type { PlanDecision } from "../../workspace/index.ts";

/** The decision of a plan, in words. */
export function decisionName(decision: PlanDecision): string {
  switch (decision) {
    case "line_capacity":
      return trans.__("Line capacity");
    case "demand_placement":
      return trans.__("Demand placement");
    case "demand_redistribution":
      return trans.__("Demand redistribution");
  }
}
