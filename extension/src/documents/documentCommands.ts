import type { TranslationBundle } from "@jupyterlab/translation";
import type { CommandRegistry } from "@lumino/commands";
import type { IntakeFile } from "@service/widgets/workspace";
import { bytesOfBase64, fileOfBytes, mayOpen } from "../files/files.ts";
import { CommandIDs, NO_ARGS } from "../commands.ts";
import type { IWorkspace } from "../tokens.ts";

const PATHS_ARGS = {
  args: {
    type: "object",
    properties: {
      paths: {
        type: "array",
        items: { type: "string" },
        description: "Paths of the file browser, opened as one batch",
      },
    },
    required: ["paths"],
    additionalProperties: false,
  },
} as const;

const BYTES_ARGS = {
  args: {
    type: "object",
    properties: {
      name: { type: "string", description: "File name; its extension says the format" },
      base64: { type: "string", description: "Content of the file, base64" },
    },
    required: ["name", "base64"],
    additionalProperties: false,
  },
} as const;

/** The parts of JupyterLab that the commands use. */
export interface DocumentAccess {
  icon: CommandRegistry.ICommandOptions["icon"];
  /** A file of the server. Rejects if it does not exist. */
  fileOf(path: string): Promise<IntakeFile>;
  /** The selected items of the file browser. */
  selected(): { path: string; name: string; type: string }[];
}

/** Adds the commands that open files of the server and bytes without a file. */
export function addDocumentCommands(
  commands: CommandRegistry,
  workspace: IWorkspace,
  trans: TranslationBundle,
  { icon, fileOf, selected }: DocumentAccess,
): void {
  const openPaths = async (paths: readonly string[]): Promise<void> => {
    const files = await Promise.all(paths.map(fileOf));
    await commands.execute(CommandIDs.showStudyPanel); // which shows the progress of the files
    await workspace.intake.take(files);
  };
  const selectedFiles = (): { path: string; name: string }[] => selected().filter(({ type }) => type !== "directory");

  commands.addCommand(CommandIDs.openPaths, {
    label: trans.__("Open Files as Case Maps"),
    caption: trans.__("Open cases, coordinates and drawings from the file browser, together and in any order"),
    describedBy: PATHS_ARGS,
    execute: async ({ paths }) => {
      if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string")) {
        throw new Error(trans.__("Name at least one path."));
      }
      await openPaths(paths);
    },
  });
  commands.addCommand(CommandIDs.openSelected, {
    label: trans.__("Open as Case Map"),
    caption: trans.__("Open the selected case, coordinate and drawing files together"),
    icon,
    describedBy: NO_ARGS,
    isVisible: () => selectedFiles().length > 0 && selectedFiles().every(({ name }) => mayOpen(name)),
    execute: () => openPaths(selectedFiles().map(({ path }) => path)),
  });
  commands.addCommand(CommandIDs.openBytes, {
    label: trans.__("Open Bytes as a Case Map"),
    caption: trans.__("Open a case file that has no path"),
    describedBy: BYTES_ARGS,
    execute: async ({ name, base64 }) => {
      const bytes = typeof base64 === "string" ? bytesOfBase64(base64) : null;
      if (typeof name !== "string" || bytes === null) {
        throw new Error(trans.__("Give a name, and the content as base64."));
      }
      await workspace.intake.take([fileOfBytes(name, bytes)]);
    },
  });
}
