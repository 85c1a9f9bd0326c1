import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, MainAreaWidget, WidgetTracker } from "@jupyterlab/apputils";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import type { LocalOpening } from "@service/widgets/workspace";
import { CaseTab } from "./caseTab.ts";
import { addFileCommands, CommandIDs } from "./commands.ts";
import { studyIcon } from "./icon.ts";
import { IWorkspace } from "./tokens.ts";

/**
 * Opens case files in tabs of the main area. The tabs live without a kernel and end with the page: the files were never
 * uploaded, so a reload cannot bring them back.
 */
export const filesPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:files",
  description: "Opens case files dropped on a map or chosen, in tabs of the main area.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ILabShell, ICommandPalette, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    workspace: IWorkspace,
    labShell: ILabShell | null,
    palette: ICommandPalette | null,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const tracker = new WidgetTracker<MainAreaWidget<CaseTab>>({ namespace: "wattbook-case-tabs" });
    workspace.opening.connect((_, opening: LocalOpening) => {
      const content = new CaseTab(workspace, opening);
      const tab = new MainAreaWidget({ content });
      tab.id = `wattbook-case-tab-${tracker.size + 1}-${Date.now()}`;
      tab.title.label = content.caseName;
      tab.title.caption = trans.__("Case map of %1", content.caseName);
      tab.title.icon = studyIcon;
      tab.toolbar.hide(); // the map has its own bar
      app.shell.add(tab, "main", { type: "Case map" });
      void tracker.add(tab);
      app.shell.activateById(tab.id);
      content.bringToFront();
    });
    // The tab in front is the one that panel and commands act on; a click into the panel does not change that.
    labShell?.currentChanged.connect((_, { newValue }) => {
      if (newValue !== null && tracker.has(newValue)) {
        (newValue as MainAreaWidget<CaseTab>).content.bringToFront();
      }
    });
    addFileCommands(app, workspace, trans, palette, () => app.commands.execute(CommandIDs.showStudyPanel));
  },
};
