/* eslint-disable jupyter/prefer-lazy-imports -- cases are followed from the first one on; the tools load lazily */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import { ServerAgents } from "./serverAgents.ts";
import { IWorkspace } from "../tokens.ts";

/**
 * Offers the open cases to the agents of browsers that have a place for tools, and to the MCP clients of the Jupyter server; without
 * either nothing is loaded.
 */
export const agentsPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:agents",
  description: "Offers the tools of Wattbook to browser agents (WebMCP) and to MCP clients of the Jupyter server.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ISettingRegistry],
  activate: (app: JupyterFrontEnd, workspace: IWorkspace, registry: ISettingRegistry | null) => {
    const tell = (error: unknown): void => {
      workspace.journal.tell(error instanceof Error ? error.message : String(error));
    };
    if ("modelContext" in document) {
      import("@service/webmcp").then(({ offerTools }) => offerTools(workspace), tell);
    }
    const agents = new ServerAgents(workspace, app.serviceManager.serverSettings);
    if (registry === null) {
      agents.follow(null);
    } else {
      registry.load(agentsPlugin.id).then((settings) => agents.follow(settings), tell);
    }
  },
};
