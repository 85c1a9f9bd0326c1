/* eslint-disable jupyter/prefer-lazy-imports -- outputs are rendered at once when a notebook opens */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { BUNDLE_MIME, SavedStudy } from "./savedStudy.ts";
import { IWorkspace } from "../tokens.ts";

/** Ranked before the HTML of the same output, which it shows as well. */
const RANK = 40;

/** Shows Studies of outputs with their states, and opens them in the page without a kernel. */
export const savedStudyPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:saved-study",
  description: "Shows saved Studies in notebooks, with or without a kernel.",
  autoStart: true,
  requires: [IWorkspace, IRenderMimeRegistry],
  optional: [ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    workspace: IWorkspace,
    rendermime: IRenderMimeRegistry,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const factory = {
      safe: true, // text, and HTML by JupyterLab's own renderer
      mimeTypes: [BUNDLE_MIME],
      createRenderer: () => new SavedStudy(workspace, trans, () => rendermime.createRenderer("text/html")),
    };
    rendermime.addFactory(factory, RANK);
  },
};
