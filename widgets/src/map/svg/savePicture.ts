import { fileName, type MadeFile, type WorkspaceEngine } from "../../workspace/index.ts";
import type { LegendContent } from "../colour/legend.ts";
import type { Stage } from "../view/stage.ts";
import { svgPicture } from "./svgPicture.ts";
import { trans } from "../../text/index.ts";

/** Pixels of a saved PNG per screen pixel. */
const PNG_SCALE = 2;
/** Largest number of ground pixels per screen pixel; the ground has no finer detail. */
const MOST_GROUND = 4;
/** Default width of a PDF, cm: the text width of a page. */
const USUAL_CM = 16;

/** The formats of a saved picture. */
export type PictureFormat = "png" | "svg" | "pdf";

/** The picture on the screen as a file. Rejects while there is nothing on it. */
export async function savePicture(
  format: PictureFormat,
  {
    engine,
    stage,
    legend,
    name,
    caption,
    notes,
    widthCm,
    dpi,
    crop,
  }: {
    /** Writes PDF. */
    engine: Pick<WorkspaceEngine, "figurePdf">;
    stage: Stage;
    legend: LegendContent | null;
    name: string;
    /** Lines above the picture. */
    caption: readonly string[];
    notes: readonly string[];
    /** Width on paper, and pixels per inch of a PNG; by default the size of the screen at twice the resolution. */
    widthCm?: number | undefined;
    dpi?: number | undefined;
    /** Whether it is cropped to the network. */
    crop?: boolean | undefined;
  },
): Promise<MadeFile> {
  const { shown } = stage;
  if (shown === null) {
    throw new Error(trans.__("There is no picture to save: the network has no positions yet."));
  }
  const scaleOf = (width: number): number =>
    widthCm === undefined || dpi === undefined ? PNG_SCALE : ((widthCm / 2.54) * dpi) / width;
  const sharp = format === "png" ? scaleOf(shown.frame.camera.width) : PNG_SCALE;
  const picture = svgPicture({
    ...shown,
    legend,
    ground: stage.ground(Math.max(1, Math.min(MOST_GROUND, sharp))),
    overlays: stage.plane === "map" ? stage.overlays.shown : [],
    title: name,
    caption,
    notes,
    crop: crop ?? false,
    widthCm: format === "pdf" ? (widthCm ?? USUAL_CM) : widthCm,
  });
  return { name: `${fileName(name)}.${format}`, bytes: await encoded(picture), warnings: [] };

  async function encoded({ text, ...size }: ReturnType<typeof svgPicture>): Promise<Uint8Array> {
    switch (format) {
      case "pdf":
        return engine.figurePdf(text, widthCm ?? USUAL_CM);
      case "png":
        return rasterised(new TextEncoder().encode(text), size, scaleOf(size.width));
      case "svg":
        return new TextEncoder().encode(widthCm === undefined ? text : onPaper(text, size, widthCm));
    }
  }
}

/** The same picture with its size in centimetres. */
export function onPaper(text: string, { width, height }: { width: number; height: number }, widthCm: number): string {
  const tall = (widthCm * height) / width;
  return text.replace(
    `width="${width}" height="${height}"`,
    `width="${widthCm}cm" height="${Number(tall.toFixed(3))}cm"`,
  );
}

async function rasterised(
  svg: Uint8Array,
  { width, height }: { width: number; height: number },
  scale: number,
): Promise<Uint8Array> {
  const url = URL.createObjectURL(new Blob([svg as Uint8Array<ArrayBuffer>], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(scale * width);
    canvas.height = Math.round(scale * height);
    const context = canvas.getContext("2d");
    if (context === null) {
      throw new Error(trans.__("This browser provides no canvas to draw on."));
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) {
      throw new Error(trans.__("This browser could not make a PNG of the picture."));
    }
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}
