/* eslint-disable jupyter/prefer-lazy-imports -- outputs are rendered at once when a notebook opens */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { DocumentRegistry, IDocumentWidget } from "@jupyterlab/docregistry";
import type { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import type { Widget } from "@lumino/widgets";
import { SavedMap, STUDY_MIME } from "./savedMap.ts";
import { ILiveMaps } from "./tokens.ts";

/** Before the widget itself, whose renderer has rank -10 and shows "model not found" where no kernel runs. */
const RANK = -20;

/** A notebook as the document registry knows it; each has renderers of its own. */
type Notebook = IDocumentWidget<Widget & { readonly rendermime: IRenderMimeRegistry }>;

/** Shows case maps of notebooks: live, or the picture that was saved where no kernel has the map. */
export const savedMapPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:saved-map",
  description: "Shows the saved picture of a case map in notebooks whose kernel does not run.",
  autoStart: true,
  requires: [ILiveMaps],
  optional: [ITranslator],
  activate: (app: JupyterFrontEnd, live: ILiveMaps, translator: ITranslator | null) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const extension: DocumentRegistry.IWidgetExtension<Notebook, DocumentRegistry.IModel> = {
      createNew: ({ content: { rendermime } }) => {
        const factory = {
          safe: true, // an image and text
          mimeTypes: [STUDY_MIME],
          createRenderer: () => new SavedMap(live, rendermime, trans),
        };
        rendermime.addFactory(factory, RANK);
      },
    };
    app.docRegistry.addWidgetExtension("Notebook", extension as unknown as DocumentRegistry.WidgetExtension);
  },
};
