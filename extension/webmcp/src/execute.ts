import type { ToolAnswer } from "@service/widgets/workspace";
import { type Execute, runCall, type ToolContext } from "./call.ts";
import type { ToolName } from "./inputs.ts";
import { inspectCase, listCases, selectCase } from "./tools/cases.ts";
import { solveMulticonductorPf } from "./tools/feeders.ts";
import { focusNetwork, queryNetwork } from "./tools/network.ts";
import { applyCapacityPlan, proposeCapacityPlan } from "./tools/plans.ts";
import { analyzeSensitivity, previewCaseUpdate } from "./tools/prices.ts";
import { resetCase, updateCase } from "./tools/updates.ts";

/** The implementation of each tool, whose input its schema has accepted. */
const EXECUTE: Readonly<Record<ToolName, Execute<never>>> = {
  list_cases: listCases,
  select_case: selectCase,
  inspect_case: inspectCase,
  query_network: queryNetwork,
  analyze_sensitivity: analyzeSensitivity,
  focus_network: focusNetwork,
  preview_case_update: previewCaseUpdate,
  update_case: updateCase,
  reset_case: resetCase,
  propose_capacity_plan: proposeCapacityPlan,
  apply_capacity_plan: applyCapacityPlan,
  solve_multiconductor_pf: solveMulticonductorPf,
};

/** The names of the tools. */
export const TOOL_NAMES = Object.keys(EXECUTE) as readonly ToolName[];

/** Runs a call of a tool: see `runCall`. */
export function runTool(
  name: ToolName,
  sent: unknown,
  context: ToolContext,
  wanted?: AbortSignal,
): Promise<ToolAnswer> {
  return runCall(name, EXECUTE[name] as Execute<unknown>, sent, context, wanted);
}
