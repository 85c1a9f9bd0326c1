import { trans } from "../../text/index.ts";
import { type CaseSession, isSynthetic, type MadeFile, type WorkspaceEngine } from "../../workspace/index.ts";
import type { LegendContent } from "../colour/legend.ts";
import type { Stage } from "../view/stage.ts";
import { pictureCaption } from "./pictureCaption.ts";
import { type PictureFormat, savePicture } from "./savePicture.ts";

/** The layout of a saved map; by default with its caption, at the width of the screen. */
export interface SavedLayout {
  readonly caption?: boolean;
  readonly widthCm?: number;
  readonly dpi?: number;
  readonly crop?: boolean;
}

/** A map of a session as a file. Rejects while there is nothing on it. */
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
