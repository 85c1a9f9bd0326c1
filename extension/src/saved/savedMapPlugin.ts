/* eslint-disable jupyter/prefer-lazy-imports -- outputs are rendered at once when a notebook opens */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { SavedMap, STUDY_MIME } from "./savedMap.ts";
import { ILiveMaps } from "../tokens.ts";

/** Ranked before the widget itself, whose renderer has rank -10 and shows "model not found" without a kernel. */
const RANK = -20;

/**
 * Shows case maps of outputs: live, or the saved picture where no kernel has the map. Notebooks and consoles derive
 * their renderers from those of the application.
 */
export const savedMapPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:saved-map",
  description: "Shows the saved picture of a case map in notebooks whose kernel does not run.",
  autoStart: true,
  requires: [ILiveMaps, IRenderMimeRegistry],
  optional: [ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    live: ILiveMaps,
    rendermime: IRenderMimeRegistry,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const factory = {
      safe: true, // an image and text
      mimeTypes: [STUDY_MIME],
      createRenderer: () => new SavedMap(live, trans),
    };
    rendermime.addFactory(factory, RANK);
  },
};
