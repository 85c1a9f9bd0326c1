/* eslint-disable jupyter/prefer-lazy-imports -- a registry wants the factory of documents at once; the maps behind it load lazily */
import { ILabShell, ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import type { IDocumentWidget } from "@jupyterlab/docregistry";
import { IDefaultFileBrowser } from "@jupyterlab/filebrowser";
import { ILauncher } from "@jupyterlab/launcher";
import type { Contents } from "@jupyterlab/services";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { studyIcon } from "../icon.ts";
import { trackDocuments } from "./documentTracker.ts";
import { StudyDocumentFactory } from "./studyDocument.ts";
import { IWorkspace } from "../tokens.ts";

/** Name of the factory in "Open With" and in saved layouts. */
const STUDY_FACTORY = "Study";
/** The command that makes a Study file. */
const NEW_STUDY = "wattbook:new-study";
const FILE_TYPE = "wattbook-study";
const EXTENSION = ".study.json";

const NEW_ARGS = {
  args: {
    type: "object",
    properties: { cwd: { type: "string", description: "Folder of the new file" } },
    additionalProperties: false,
  },
} as const;

/** Study files: their type, their documents, and a new one from launcher and palette. */
export const studyDocumentsPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:study-documents",
  description: "Opens, makes and saves Study files as documents.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ILabShell, ILayoutRestorer, IDefaultFileBrowser, ILauncher, ICommandPalette, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    workspace: IWorkspace,
    labShell: ILabShell | null,
    restorer: ILayoutRestorer | null,
    browser: IDefaultFileBrowser | null,
    launcher: ILauncher | null,
    palette: ICommandPalette | null,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const { commands, docRegistry } = app;
    docRegistry.addFileType({
      name: FILE_TYPE,
      extensions: [EXTENSION, `${EXTENSION}.gz`],
      displayName: trans.__("Study"),
      contentType: "file",
      fileFormat: "base64",
      mimeTypes: ["application/vnd.wattbook.study-bundle+json"],
      icon: studyIcon,
    });
    const factory = new StudyDocumentFactory(workspace, app.serviceManager.contents, trans, {
      name: STUDY_FACTORY,
      label: trans.__("Study"),
      modelName: "base64",
      fileTypes: [FILE_TYPE, "json"], // of other names by "Open With"
      defaultFor: [FILE_TYPE],
    });
    docRegistry.addWidgetFactory(factory);

    trackDocuments(factory, "wattbook-study-documents", { workspace, shell: app.shell, restorer, labShell });

    commands.addCommand(NEW_STUDY, {
      label: (args) => (args["isPalette"] === true ? trans.__("New Study") : trans.__("Study")),
      caption: trans.__("Create a Study file"),
      icon: studyIcon,
      describedBy: NEW_ARGS,
      execute: async (args) => {
        const path = typeof args["cwd"] === "string" ? args["cwd"] : (browser?.model.path ?? "");
        const made = (await commands.execute("docmanager:new-untitled", {
          ...{ path, type: "file", ext: EXTENSION },
        })) as Contents.IModel;
        return (await commands.execute("docmanager:open", {
          ...{ path: made.path, factory: STUDY_FACTORY },
        })) as IDocumentWidget;
      },
    });
    launcher?.add({ command: NEW_STUDY, category: trans.__("Other"), rank: 9 });
    palette?.addItem({ command: NEW_STUDY, category: trans.__("Wattbook"), args: { isPalette: true } });
  },
};
