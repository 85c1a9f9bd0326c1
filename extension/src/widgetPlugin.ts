import { type ExportMap, IJupyterWidgetRegistry } from "@jupyter-widgets/base";
import type { JupyterFrontEndPlugin } from "@jupyterlab/application";
import { LiveMaps } from "./liveMaps.ts";
import { ILiveMaps, IWorkspace } from "./tokens.ts";

/** Registers the case map for notebooks; its code is loaded with the first map. */
export const widgetPlugin: JupyterFrontEndPlugin<ILiveMaps> = {
  id: "@service/jupyterlab:widget",
  description: "Shows case maps in notebook cells.",
  autoStart: true,
  requires: [IWorkspace],
  provides: ILiveMaps,
  optional: [IJupyterWidgetRegistry],
  activate: (_app, workspace: IWorkspace, registry: IJupyterWidgetRegistry | null) => {
    const live = new LiveMaps();
    registry?.registerWidget({
      name: "@service/jupyterlab",
      version: "0.1.0",
      exports: async (): Promise<ExportMap> => {
        // The first map is announced while its cell still runs, so the engine starts in the meantime. The map reports a
        // failure.
        workspace.engine.preloadEngine().catch(() => undefined);
        try {
          const { notebookExports } = await import("@service/widgets/notebook");
          return notebookExports(workspace, live) as unknown as ExportMap;
        } catch (error) {
          live.fail(error);
          throw error;
        }
      },
    });
    return live;
  },
};
