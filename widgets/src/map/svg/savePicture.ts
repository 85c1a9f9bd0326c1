import { fileName, type MadeFile } from "../../workspace/index.ts";
import { basemapStore } from "../basemap/loadBasemap.ts";
import type { LegendContent } from "../colour/legend.ts";
import type { Stage } from "../view/stage.ts";
import { svgPicture } from "./svgPicture.ts";
import { trans } from "../../text/index.ts";

/** Pixels of a saved PNG for one of the screen. */
const PNG_SCALE = 2;

/** What a picture is saved as. */
export type PictureFormat = "png" | "svg";

/** The picture on the screen as a file. Rejects while there is nothing on it. */
export async function savePicture(
  format: PictureFormat,
  {
    stage,
    legend,
    name,
    caption,
    notes,
    widthCm,
    dpi,
  }: {
    stage: Stage;
    legend: LegendContent | null;
    name: string;
    /** Lines above the picture. */
    caption: readonly string[];
    notes: readonly string[];
    /** Width on paper, and pixels an inch of it in a PNG; without them as large as on the screen, twice as sharp. */
    widthCm?: number | undefined;
    dpi?: number | undefined;
  },
): Promise<MadeFile> {
  const { shown } = stage;
  if (shown === null) {
    throw new Error(trans.__("There is no picture to save: the network has no positions yet."));
  }
  const { basemap, counties } = basemapStore;
  const picture = svgPicture({
    ...shown,
    legend,
    basemap: stage.plane === "map" && basemap !== null ? { basemap, counties } : null,
    overlays: stage.plane === "map" ? stage.overlays.shown : [],
    title: name,
    caption,
    notes,
  });
  const sized = widthCm === undefined ? picture.text : onPaper(picture.text, picture, widthCm);
  const svg = new TextEncoder().encode(format === "svg" ? sized : picture.text);
  const scale = widthCm === undefined || dpi === undefined ? PNG_SCALE : ((widthCm / 2.54) * dpi) / picture.width;
  const bytes = format === "svg" ? svg : await rasterised(svg, picture, scale);
  return { name: `${fileName(name)}.${format}`, bytes, warnings: [] };
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
