/* eslint-disable jupyter/prefer-lazy-imports -- this plugin provides the workspace itself; the engine behind it loads lazily */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ITranslator } from "@jupyterlab/translation";
import { configureEngine, engine } from "@service/engine";
import { setTranslation } from "@service/widgets/translation";
import { Workspace } from "@service/widgets/workspace";
import { IWorkspace } from "./tokens.ts";

/**
 * Provides the workspace of the page over the engine in its worker, and sets the language of the views; all plugins
 * with views require it. Nothing is loaded before the first case.
 */
export const workspacePlugin: JupyterFrontEndPlugin<IWorkspace> = {
  id: "@service/jupyterlab:workspace",
  description: "Provides the open cases of Wattbook and the engine that solves them.",
  autoStart: true,
  provides: IWorkspace,
  optional: [ITranslator],
  activate: (_app: JupyterFrontEnd, translator: ITranslator | null) => {
    setTranslation(translator?.load("wattbook") ?? null);
    configureEngine({
      wasmUrl: new URL("@service/engine/wasm/wattbook_engine_bg.wasm", import.meta.url),
      workerUrl: new URL("@service/engine/worker", import.meta.url),
    });
    return new Workspace(engine);
  },
};
