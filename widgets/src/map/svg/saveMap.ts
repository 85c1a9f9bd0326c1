import { trans } from "../../text/index.ts";
import { type CaseSession, isSynthetic, type MadeFile, type WorkspaceEngine } from "../../workspace/index.ts";
import type { LegendContent } from "../colour/legend.ts";
import type { Stage } from "../view/stage.ts";
import { pictureCaption } from "./pictureCaption.ts";
import { type PictureFormat, savePicture } from "./savePicture.ts";

/** How a saved map is laid out; with its caption, as wide as on the screen, unless told otherwise. */
export interface SavedLayout {
  readonly caption?: boolean;
  readonly widthCm?: number;
  readonly dpi?: number;
  readonly crop?: boolean;
}

/** What a map shows of a session, as a file. Rejects while there is nothing on it. */
export function saveMap(
  engine: Pick<WorkspaceEngine, "figurePdf">,
  session: CaseSession,
  stage: Stage,
  legend: LegendContent | null,
  format: PictureFormat,
  { caption = true, widthCm, dpi, crop }: SavedLayout = {},
): Promise<MadeFile> {
  const notes = isSynthetic(session.opened) ? [trans.__("Synthetic network")] : [];
  const lines = caption ? pictureCaption(session, legend) : [];
  return savePicture(format, {
    engine,
    stage,
    legend,
    name: session.caseName,
    caption: lines,
    notes,
    widthCm,
    dpi,
    crop,
  });
}
