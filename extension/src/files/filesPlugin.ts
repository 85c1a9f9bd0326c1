/* eslint-disable jupyter/prefer-lazy-imports -- commands are registered when the plugin is activated; what they open loads lazily */
import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, MainAreaWidget, WidgetTracker } from "@jupyterlab/apputils";
import { ILauncher } from "@jupyterlab/launcher";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import type { LocalOpening } from "@service/widgets/workspace";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import { CaseTab } from "../documents/caseTab.ts";
import { addFileCommands, CommandIDs } from "../commands.ts";
import { studyIcon } from "../icon.ts";
import { IWorkspace } from "../tokens.ts";

/**
 * Opens case files in tabs of the main area. The tabs do not need a kernel and end with the page: files are never
 * uploaded, so a reload cannot restore them.
 */
export const filesPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:files",
  description: "Opens case files dropped on a map or chosen, in tabs of the main area.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ILabShell, ICommandPalette, ILauncher, ISettingRegistry, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    workspace: IWorkspace,
    labShell: ILabShell | null,
    palette: ICommandPalette | null,
    launcher: ILauncher | null,
    registry: ISettingRegistry | null,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const preferences = new Preferences();
    void registry?.load(filesPlugin.id).then((settings) => preferences.follow(settings));
    const tracker = new WidgetTracker<MainAreaWidget<CaseTab>>({ namespace: "wattbook-case-tabs" });
    workspace.opening.connect((_, opening: LocalOpening) => {
      if (opening.kind === "case" && opening.restored !== true) {
        opening.session.previewMode = preferences.previewMode;
      }
      if (opening.origin?.(opening)) {
        return; // shown in the document of the file
      }
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
    workspace.showing.connect((_, shown) => {
      const tab = tracker.find(({ content }) => content.shows(shown));
      if (tab !== undefined) {
        app.shell.activateById(tab.id);
      }
    });
    // Panel and commands act on the tab in front; a click into the panel does not change that.
    labShell?.currentChanged.connect((_, { newValue }) => {
      if (newValue !== null && tracker.has(newValue)) {
        (newValue as MainAreaWidget<CaseTab>).content.bringToFront();
      }
    });
    launcher?.add({ command: CommandIDs.openFiles, category: trans.__("Other"), rank: 10 });
    addFileCommands(app, workspace, trans, palette, studyIcon, () => app.commands.execute(CommandIDs.showStudyPanel));
  },
};

/** The user's settings for cases opened from files. */
class Preferences {
  previewMode: "first_order" | "exact" = "exact";

  follow(settings: ISettingRegistry.ISettings): void {
    const read = (): void => {
      this.previewMode = settings.composite["previewMode"] === "first_order" ? "first_order" : "exact";
    };
    read();
    settings.changed.connect(read);
  }
}
