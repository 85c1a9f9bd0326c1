import type { JupyterFrontEndPlugin } from "@jupyterlab/application";
import { filesPlugin } from "./filesPlugin.ts";
import { studyPanelPlugin } from "./studyPanelPlugin.ts";
import { widgetPlugin } from "./widgetPlugin.ts";
import { workspacePlugin } from "./workspacePlugin.ts";

export { IWorkspace } from "./tokens.ts";

/** The plugins of Wattbook in JupyterLab. */
const plugins: JupyterFrontEndPlugin<unknown>[] = [
  workspacePlugin,
  widgetPlugin as JupyterFrontEndPlugin<unknown>,
  filesPlugin as JupyterFrontEndPlugin<unknown>,
  studyPanelPlugin as JupyterFrontEndPlugin<unknown>,
];
export default plugins;
