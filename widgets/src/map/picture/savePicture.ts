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
  }: {
    stage: Stage;
    legend: LegendContent | null;
    name: string;
    /** Lines above the picture. */
    caption: readonly string[];
    notes: readonly string[];
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
    title: name,
    caption,
    notes,
  });
  const svg = new TextEncoder().encode(picture.text);
  const bytes = format === "svg" ? svg : await rasterised(svg, picture);
  return { name: `${fileName(name)}.${format}`, bytes, warnings: [] };
}

async function rasterised(svg: Uint8Array, { width, height }: { width: number; height: number }): Promise<Uint8Array> {
  const url = URL.createObjectURL(new Blob([svg as Uint8Array<ArrayBuffer>], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(PNG_SCALE * width);
    canvas.height = Math.round(PNG_SCALE * height);
    const context = canvas.getContext("2d");
    if (context === null) {
      throw new Error(trans.__("This browser gives no canvas to draw on."));
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) {
      throw new Error(trans.__("This browser made no PNG of the picture."));
    }
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}
