import type { JupyterFrontEndPlugin } from "@jupyterlab/application";
import { agentsPlugin } from "./agentsPlugin.ts";
import { documentsPlugin } from "./documentsPlugin.ts";
import { filesPlugin } from "./filesPlugin.ts";
import { savedMapPlugin } from "./savedMapPlugin.ts";
import { savedStudyPlugin } from "./savedStudyPlugin.ts";
import { studyDocumentsPlugin } from "./studyDocumentsPlugin.ts";
import { studyPanelPlugin } from "./studyPanelPlugin.ts";
import { widgetPlugin } from "./widgetPlugin.ts";
import { workspacePlugin } from "./workspacePlugin.ts";

export { ILiveMaps, IWorkspace } from "./tokens.ts";

/** The plugins of Wattbook in JupyterLab. */
const plugins: JupyterFrontEndPlugin<unknown>[] = [
  workspacePlugin,
  widgetPlugin as JupyterFrontEndPlugin<unknown>,
  savedMapPlugin as JupyterFrontEndPlugin<unknown>,
  savedStudyPlugin as JupyterFrontEndPlugin<unknown>,
  filesPlugin as JupyterFrontEndPlugin<unknown>,
  documentsPlugin as JupyterFrontEndPlugin<unknown>,
  studyDocumentsPlugin as JupyterFrontEndPlugin<unknown>,
  studyPanelPlugin as JupyterFrontEndPlugin<unknown>,
  agentsPlugin as JupyterFrontEndPlugin<unknown>,
];
export default plugins;
