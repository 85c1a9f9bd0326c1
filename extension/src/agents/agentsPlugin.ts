/* eslint-disable jupyter/prefer-lazy-imports -- cases are followed from the first one on; the tools load lazily */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import { ServerAgents } from "./serverAgents.ts";
import { IWorkspace } from "../tokens.ts";

/**
 * Offers the open cases as tools to agents of the browser, if it supports them, and to MCP clients of the Jupyter
 * server. Loads nothing if neither is available.
 */
export const agentsPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:agents",
  description: "Offers the tools of Wattbook to browser agents (WebMCP) and to MCP clients of the Jupyter server.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ISettingRegistry],
  activate: (app: JupyterFrontEnd, workspace: IWorkspace, registry: ISettingRegistry | null) => {
    const report = (error: unknown): void => {
      workspace.journal.tell(error instanceof Error ? error.message : String(error));
    };
    if ("modelContext" in document) {
      import("@service/webmcp").then(({ offerTools }) => offerTools(workspace), report);
    }
    const agents = new ServerAgents(workspace, app.serviceManager.serverSettings);
    if (registry === null) {
      agents.follow(null);
    } else {
      registry.load(agentsPlugin.id).then((settings) => agents.follow(settings), report);
    }
  },
};
