import type { JupyterFrontEndPlugin } from "@jupyterlab/application";
import { agentsPlugin } from "./agents/agentsPlugin.ts";
import { documentsPlugin } from "./documents/documentsPlugin.ts";
import { filesPlugin } from "./files/filesPlugin.ts";
import { mapsPlugin } from "./mapsPlugin.ts";
import { savedMapPlugin } from "./saved/savedMapPlugin.ts";
import { savedStudyPlugin } from "./saved/savedStudyPlugin.ts";
import { studyDocumentsPlugin } from "./documents/studyDocumentsPlugin.ts";
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
  mapsPlugin as JupyterFrontEndPlugin<unknown>,
  filesPlugin as JupyterFrontEndPlugin<unknown>,
  documentsPlugin as JupyterFrontEndPlugin<unknown>,
  studyDocumentsPlugin as JupyterFrontEndPlugin<unknown>,
  studyPanelPlugin as JupyterFrontEndPlugin<unknown>,
  agentsPlugin as JupyterFrontEndPlugin<unknown>,
];
export default plugins;
