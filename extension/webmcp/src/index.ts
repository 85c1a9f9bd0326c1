import type { IWorkspace } from "@service/widgets/workspace";
import { modelContextOf } from "./modelContext.ts";
import { OfferedTools } from "./offer.ts";

export { AGENT_TOOLS } from "./tools.generated.ts";
export type { ModelContext, ModelContextTool, ToolClient } from "./modelContext.ts";
export { CONTRACT, type ToolContract, type ToolName } from "./inputs.ts";
export { OfferedTools } from "./offer.ts";

/**
 * Offers the tools of a workspace to the agents of the browser; returns null where the browser does not support tools.
 */
export function offerTools(workspace: IWorkspace): OfferedTools | null {
  const context = modelContextOf(document);
  return context && new OfferedTools(workspace, context);
}

export { type Link, ServerLink } from "./link/serverLink.ts";
