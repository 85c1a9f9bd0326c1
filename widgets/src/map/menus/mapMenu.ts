import { chooseFiles, downloadFile } from "../../files/index.ts";
import {
  type CaseSession,
  exportCase,
  type MadeFile,
  saveGeography,
  saveModule,
  saveStudy,
  type WorkspaceEngine,
} from "../../workspace/index.ts";
import { stepItems } from "./contextItems.ts";
import { ICONS } from "../../ui/icons.ts";
import { Menu } from "../../ui/menu.ts";
import type { MenuItem } from "../../ui/MenuGroups.tsx";
import type { Placing } from "../gestures/placing.ts";
import type { PictureFormat } from "../svg/savePicture.ts";
import { errorText, trans } from "../../text/index.ts";

/** Objects and actions of a map's menu. */
export interface MapMenuParts {
  session: CaseSession;
  engine: Pick<WorkspaceEngine, "exportFormats" | "exportModule" | "writeStudyBundle">;
  /** Opens chosen files. */
  take(files: File[]): Promise<void>;
  placing: Placing;
  /** Saves the picture on the screen. */
  save(format: PictureFormat): Promise<MadeFile>;
  /** Asks for the size of a figure and saves it. */
  figure(): void;
  /** Undoes or redoes an edit. */
  step(step: "undo" | "redo"): void;
  /** Open the search, toggle the table, and show the whole network, where the bar has no room for their buttons. */
  search(): void;
  toggleTable(): void;
  tableOpen(): boolean;
  fit(): void;
  /** Shows the list of keys. */
  showKeys(): void;
  /** Reports a file that was made, or the error that prevented it. */
  report(made: MadeFile | Error): void;
}

/** The menu of a case map: files, placement, pictures, export and keys. */
export function mapMenu(parts: MapMenuParts): Menu {
  const { session, engine, showKeys } = parts;
  const formats = exportFormats(engine); // they never change, and asking during a solve would delay the open menu
  return new Menu(trans.__("Menu"), ICONS.menu, async () => [
    stepItems(session, (step) => parts.step(step)),
    [
      { label: trans.__("Search"), run: () => parts.search() },
      tableItem(parts),
      { label: trans.__("Show everything"), run: () => parts.fit() },
    ],
    openItems(parts),
    placementItems(parts),
    pictureItems(parts),
    exportItems(parts, await formats),
    [{ label: trans.__("Shortcuts\u2026"), run: showKeys }],
  ]);
}

function tableItem({ tableOpen, toggleTable }: MapMenuParts): MenuItem {
  return { label: tableOpen() ? trans.__("Close the table of buses") : trans.__("Table of buses"), run: toggleTable };
}

/** Saves the picture on the screen: at once, or as a figure of a given size. */
export function pictureItems({ save, report, figure }: Pick<MapMenuParts, "save" | "report" | "figure">): MenuItem[] {
  const pictures = (["png", "svg", "pdf"] as const).map((format) => ({
    label: trans.__("Save picture as %1", format.toUpperCase()),
    run: () => void make(() => save(format), report),
  }));
  const figures = { label: trans.__("Save figure\u2026"), run: figure };
  return [{ label: trans.__("Save picture\u2026"), run: () => undefined, items: [...pictures, figures] }];
}

function openItems({ take }: MapMenuParts): MenuItem[] {
  const open = async (): Promise<void> => take(await chooseFiles());
  return [{ label: trans.__("Open case files\u2026"), run: () => void open() }];
}

function placementItems({ session, placing, report }: MapMenuParts): MenuItem[] {
  const { geography } = session.opened;
  const items: MenuItem[] = [];
  if (placing.available) {
    items.push({ label: trans.__("Move case"), run: () => placing.begin() });
  }
  if (geography.canUndo) {
    items.push({ label: trans.__("Undo the last placement or layer"), run: () => void geography.undo() });
  }
  if (geography.map !== null) {
    items.push({
      label: trans.__("Download .geo.json"),
      run: () => void make(() => saveGeography(session.opened), report),
    });
  }
  return items;
}

type Formats = Awaited<ReturnType<WorkspaceEngine["exportFormats"]>>;

/** The engine's export formats, or the error that prevented listing them. */
async function exportFormats(engine: Pick<WorkspaceEngine, "exportFormats">): Promise<Formats | string> {
  try {
    return await engine.exportFormats();
  } catch (error) {
    return errorText(error);
  }
}

function exportItems({ session, engine, report }: MapMenuParts, formats: Formats | string): MenuItem[] {
  const title = trans.__("Export case as\u2026");
  return [
    { label: trans.__("Save Study"), run: () => void make(() => saveStudy(session, engine), report) },
    { label: trans.__("Save module"), run: () => void make(() => saveModule(session), report) },
    typeof formats === "string"
      ? { label: title, run: () => undefined, disabled: formats }
      : {
          label: title,
          run: () => undefined,
          items: formats.map(({ format, label, extension }) => ({
            label: `${label} (.${extension})`,
            run: () => void make(() => exportCase(session, format, engine), report),
          })),
        },
  ];
}

/** Makes a file, downloads it and reports it. */
export async function make(work: () => Promise<MadeFile>, report: MapMenuParts["report"]): Promise<void> {
  try {
    const made = await work();
    downloadFile(made);
    report(made);
  } catch (error) {
    report(error instanceof Error ? error : new Error(String(error)));
  }
}
