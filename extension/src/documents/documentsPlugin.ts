/* eslint-disable jupyter/prefer-lazy-imports -- a registry wants the factory of documents at once; the maps behind it load lazily */
import { ILabShell, ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IDefaultFileBrowser } from "@jupyterlab/filebrowser";
import { ServerConnection } from "@jupyterlab/services";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import type { IntakeFile } from "@service/widgets/workspace";
import { CaseDocumentFactory } from "./caseDocument.ts";
import { DEFAULT_TYPES, fileTypes, OPENED_TYPES } from "../files/caseFiles.ts";
import { addDocumentCommands } from "./documentCommands.ts";
import { trackDocuments } from "./documentTracker.ts";
import { fileOfPath } from "../files/files.ts";
import { studyIcon } from "../icon.ts";
import { IWorkspace } from "../tokens.ts";

/** Name of the factory in "Open With" and in saved layouts. */
const FACTORY = "Case map";

/** File types, "Open With > Case map", and the commands that open files of the server or bytes without a file. */
export const documentsPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:documents",
  description: "Opens case files of the file browser as case maps.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ILabShell, ILayoutRestorer, IDefaultFileBrowser, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    workspace: IWorkspace,
    labShell: ILabShell | null,
    restorer: ILayoutRestorer | null,
    browser: IDefaultFileBrowser | null,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const { docRegistry } = app;
    fileTypes(trans).forEach((type) => docRegistry.addFileType(type));
    const factory = new CaseDocumentFactory(workspace, {
      name: FACTORY,
      label: trans.__("Case map"),
      modelName: "base64",
      fileTypes: OPENED_TYPES,
      defaultFor: DEFAULT_TYPES,
      readOnly: true,
    });
    docRegistry.addWidgetFactory(factory);

    trackDocuments(factory, "wattbook-case-documents", { workspace, shell: app.shell, restorer, labShell });
    const { contents, serverSettings } = app.serviceManager;
    const fetchBytes = async (url: string): Promise<ArrayBuffer> => {
      const response = await ServerConnection.makeRequest(url, {}, serverSettings);
      if (!response.ok) {
        throw new Error(trans.__("The server answered %1.", response.status));
      }
      return response.arrayBuffer();
    };
    const fileOf = async (path: string): Promise<IntakeFile> => {
      try {
        return await fileOfPath(contents, path, fetchBytes);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(trans.__("%1 cannot be read: %2", path, reason), { cause: error });
      }
    };
    addDocumentCommands(app.commands, workspace, trans, {
      icon: studyIcon,
      fileOf,
      selected: () => [...(browser?.selectedItems() ?? [])],
    });
  },
};
