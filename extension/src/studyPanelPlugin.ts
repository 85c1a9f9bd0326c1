/* eslint-disable jupyter/prefer-lazy-imports -- commands are registered when the plugin is activated; what they open loads lazily */
import { ILabShell, ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, ReactWidget } from "@jupyterlab/apputils";
import { ITranslator, nullTranslator, type TranslationBundle } from "@jupyterlab/translation";
import { SidePanel } from "@jupyterlab/ui-components";
import type { OpenLarge } from "@service/widgets/panel";
import { whyNotShown } from "@service/widgets/text";
import { createElement, lazy, Suspense } from "react";
import { addCommands } from "./commands.ts";
import { studyIcon } from "./icon.ts";
import { largeViews } from "./largeViews.ts";
import { IWorkspace } from "./tokens.ts";

/** Loaded when the panel is shown for the first time. */
const StudyPanel = lazy(async () => {
  try {
    return { default: (await import("@service/widgets/panel")).StudyPanel };
  } catch (error) {
    const problem = whyNotShown(error);
    return { default: () => createElement("p", { className: "wb-Message", role: "alert" }, problem) };
  }
});

/** Between Lab's own panels on the right (property inspector and debugger) and its last one. */
const RANK = 600;

/** The Study panel on the right, and the commands on the map in front. */
export const studyPanelPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:study-panel",
  description: "Shows the Study panel, which follows the case map in front.",
  autoStart: true,
  requires: [IWorkspace],
  optional: [ILabShell, ILayoutRestorer, ICommandPalette, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    workspace: IWorkspace,
    labShell: ILabShell | null,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    translator: ITranslator | null,
  ) => {
    const trans = (translator ?? nullTranslator).load("wattbook");
    const panel = createPanel(workspace, trans, largeViews(app));
    app.shell.add(panel, "right", { rank: RANK, type: "Study" });
    restorer?.add(panel, panel.id);
    addCommands(app, workspace, trans, palette, () => {
      labShell?.expandRight();
      app.shell.activateById(panel.id);
    });
  },
};

function createPanel(workspace: IWorkspace, trans: TranslationBundle, openLarge: OpenLarge): SidePanel {
  const panel = new SidePanel();
  panel.id = "wattbook-study-panel";
  panel.title.icon = studyIcon;
  panel.title.caption = trans.__("Study");
  const body = ReactWidget.create(createElement(Suspense, null, createElement(StudyPanel, { workspace, openLarge })));
  body.title.label = trans.__("Study");
  panel.addWidget(body);
  return panel;
}
