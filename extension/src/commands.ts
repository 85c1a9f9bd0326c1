import type { JupyterFrontEnd } from "@jupyterlab/application";
import type { ICommandPalette } from "@jupyterlab/apputils";
import type { TranslationBundle } from "@jupyterlab/translation";
import type { CommandRegistry } from "@lumino/commands";
import type { CaseSession, Selection } from "@service/widgets/workspace";
import { whyNotShown } from "@service/widgets/text";
import type { IWorkspace } from "./tokens.ts";

/** Ids of our commands. */
export const CommandIDs = {
  showStudyPanel: "wattbook:show-study-panel",
  selectElement: "wattbook:select-element",
  resetCase: "wattbook:reset-case",
  undoEdit: "wattbook:undo-edit",
  redoEdit: "wattbook:redo-edit",
  goToState: "wattbook:go-to-state",
  nameState: "wattbook:name-state",
  openFiles: "wattbook:open-files",
  openPaths: "wattbook:open-paths",
  openSelected: "wattbook:open-selected",
  openBytes: "wattbook:open-bytes",
} as const;

/** Description of a command without arguments. */
export const NO_ARGS = { args: { type: "object", properties: {}, additionalProperties: false } } as const;

const SELECT_ARGS = {
  args: {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["bus", "branch"], description: "What to select" },
      id: { type: "number", description: "Bus number or 1-based branch row" },
    },
    required: ["kind", "id"],
    additionalProperties: false,
  },
} as const;

const STATE = { type: "integer", minimum: 0, description: "Number of the state: 0 is the base case" } as const;

const STATE_ARGS = {
  args: { type: "object", properties: { state: STATE }, required: ["state"], additionalProperties: false },
} as const;

const NAME_ARGS = {
  args: {
    type: "object",
    properties: {
      name: { type: "string", description: "Its name; empty takes the name away" },
      state: { ...STATE, description: `${STATE.description}; without it the state that is shown` },
    },
    required: ["name"],
    additionalProperties: false,
  },
} as const;

/** Adds the commands for the map in front; those without arguments also appear in the palette. */
export function addCommands(
  app: JupyterFrontEnd,
  workspace: IWorkspace,
  trans: TranslationBundle,
  palette: ICommandPalette | null,
  showPanel: () => void,
): void {
  const { commands } = app;
  const hasCase = (): boolean => workspace.active !== null;
  commands.addCommand(CommandIDs.showStudyPanel, {
    label: trans.__("Show Study Panel"),
    caption: trans.__("Show details of the active case map"),
    describedBy: NO_ARGS,
    execute: showPanel,
  });
  commands.addCommand(CommandIDs.selectElement, {
    label: trans.__("Select a Bus or Line on the Map"),
    describedBy: SELECT_ARGS,
    isEnabled: hasCase,
    execute: async (args) => {
      const selection = selectionOf(args, trans);
      const session = workspace.active;
      if (session === null || session.opened.rowOf(selection) < 0) {
        throw new Error(trans.__("The active map has no %1 %2.", selection.kind, selection.id));
      }
      await session.select(selection);
    },
  });
  commands.addCommand(CommandIDs.resetCase, {
    label: trans.__("Reset to the Base Case"),
    caption: trans.__("Solve the base case of the active map"),
    describedBy: NO_ARGS,
    isEnabled: hasCase,
    execute: () => workspace.active?.reset(),
  });
  addHistoryCommands(app, workspace, trans);
  for (const command of [CommandIDs.showStudyPanel, CommandIDs.resetCase, CommandIDs.undoEdit, CommandIDs.redoEdit]) {
    palette?.addItem({ command, category: trans.__("Wattbook") });
  }
}

/** Adds the undo and redo commands of the map in front. Maps and panel handle these keys themselves. */
function addHistoryCommands({ commands }: JupyterFrontEnd, workspace: IWorkspace, trans: TranslationBundle): void {
  commands.addCommand(CommandIDs.undoEdit, {
    label: trans.__("Undo the Last Edit of the Map"),
    caption: () => stepCaption(workspace.active, "undoable"),
    describedBy: NO_ARGS,
    isEnabled: () => workspace.active?.history.undoable != null,
    isVisible: () => workspace.active !== null,
    execute: () => workspace.active?.undo(),
  });
  commands.addCommand(CommandIDs.redoEdit, {
    label: trans.__("Redo the Edit of the Map"),
    caption: () => stepCaption(workspace.active, "redoable"),
    describedBy: NO_ARGS,
    isEnabled: () => workspace.active?.history.redoable != null,
    isVisible: () => workspace.active !== null,
    execute: () => workspace.active?.redo(),
  });
  const stateOf = (state: unknown): [session: CaseSession, id: number] => {
    const session = workspace.active;
    const id = state ?? session?.history.current.id;
    if (session === null || typeof id !== "number" || session.history.stateOf(id) === null) {
      throw new Error(trans.__("The active map has no state %1.", String(state)));
    }
    return [session, id];
  };
  commands.addCommand(CommandIDs.goToState, {
    label: trans.__("Go to a State of the Map"),
    describedBy: STATE_ARGS,
    isEnabled: () => workspace.active !== null,
    execute: async ({ state }) => {
      const [session, id] = stateOf(state ?? "");
      await session.goTo(id);
    },
  });
  commands.addCommand(CommandIDs.nameState, {
    label: trans.__("Name a State of the Map"),
    describedBy: NAME_ARGS,
    isEnabled: () => workspace.active !== null,
    execute: ({ name, state }) => {
      const [session, id] = stateOf(state);
      if (typeof name !== "string") {
        throw new Error(trans.__("Give the state a name."));
      }
      session.history.rename(id, name);
    },
  });
}

/** The effect of undo or redo on the map in front, in words; empty without one. */
function stepCaption(session: CaseSession | null, which: "undoable" | "redoable"): string {
  const step = session?.history[which] ?? null;
  return session === null || step === null ? "" : session.stepText(step.event);
}

/**
 * Adds the command that opens a dialog for case files, and puts it into the palette; the plugin's schema adds it to the
 * File menu.
 */
export function addFileCommands(
  app: JupyterFrontEnd,
  workspace: IWorkspace,
  trans: TranslationBundle,
  palette: ICommandPalette | null,
  icon: CommandRegistry.ICommandOptions["icon"],
  showPanel: () => Promise<unknown>,
): void {
  app.commands.addCommand(CommandIDs.openFiles, {
    label: trans.__("Open Case Files\u2026"),
    caption: trans.__("Open case, geography and drawing files from this computer; they stay in this page"),
    icon,
    describedBy: NO_ARGS,
    execute: async () => {
      const files = await chosenFiles();
      if (files.length > 0) {
        await showPanel(); // which shows the progress of the files
        await workspace.intake.take(files);
      }
    },
  });
  palette?.addItem({ command: CommandIDs.openFiles, category: trans.__("Wattbook") });
}

/**
 * The files that the user chooses in a dialog. Empty if the code of the dialog cannot be loaded, which a notification
 * reports.
 */
async function chosenFiles(): Promise<File[]> {
  try {
    const { chooseFiles } = await import("@service/widgets/files");
    return await chooseFiles();
  } catch (error) {
    const { Notification } = await import("@jupyterlab/apputils"); // a shared module, so it is loaded already
    Notification.error(whyNotShown(error));
    return [];
  }
}

function selectionOf(args: Readonly<Record<string, unknown>>, trans: TranslationBundle): Selection {
  const { kind, id } = args;
  if ((kind !== "bus" && kind !== "branch") || typeof id !== "number") {
    throw new Error(trans.__("Name a kind, bus or branch, and an id."));
  }
  return { kind, id };
}
