import { rgbaOf } from "../../ui/cssColour.ts";
import type { ColourScale } from "../colour/colourScale.ts";
import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { Field, type FieldBox } from "./field.ts";
import { fieldInPerspective } from "../perspective/field.ts";

/** A coloured field; its image covers a box in the coordinates of the map. */
export interface FieldImage {
  readonly image: HTMLCanvasElement;
  readonly box: FieldBox;
  /** Changes with the colours. */
  readonly stamp: number;
}

/** The field between the buses of one map, recoloured as their values move. */
export class Contour {
  #geometry: Geometry | null = null;
  #field: Field | null = null;
  #data: ImageData | null = null;
  #image: HTMLCanvasElement | null = null;
  #key: readonly unknown[] = [];
  #stamp = 0;

  /** The field of values on a scale; null where no bus has both a position and a value. */
  show(geometry: Geometry, values: Float64Array, scale: ColourScale | null): FieldImage | null {
    if (scale === null || geometry.busX.length === 0) {
      return null;
    }
    if (geometry !== this.#geometry || this.#field === null) {
      this.#geometry = geometry;
      this.#field = new Field(geometry);
      this.#data = new ImageData(this.#field.width, this.#field.height);
      this.#image = document.createElement("canvas");
      this.#image.width = this.#field.width;
      this.#image.height = this.#field.height;
      this.#key = [];
    }
    const [field, data, image] = [this.#field, this.#data, this.#image];
    const context = image?.getContext("2d") ?? null;
    if (data === null || image === null || context === null) {
      return null;
    }
    const key = [values, scale];
    if (key.some((part, k) => part !== this.#key[k])) {
      this.#key = key;
      this.#stamp += 1;
      const inks = scale.palette.map((colour) => {
        const [r = 0, g = 0, b = 0] = rgbaOf(colour);
        return [255 * r, 255 * g, 255 * b] as const;
      });
      field.colour(values, scale.place, inks, data.data);
      context.putImageData(data, 0, 0);
    }
    return { image, box: field.box, stamp: this.#stamp };
  }

  /** Frees the memory. */
  release(): void {
    this.#geometry = null;
    this.#field = null;
    this.#data = null;
    this.#image = null;
  }
}

/** The basemap shows through a field. */
export const FIELD_OPACITY = 0.86;

/** Draws a field on a canvas, device pixels. */
export function drawField(
  context: CanvasRenderingContext2D,
  { image, box }: FieldImage,
  camera: Camera,
  ratio: number,
): void {
  if (!camera.flat) {
    const seen = fieldInPerspective({ image, box }, camera, ratio);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = FIELD_OPACITY;
    context.drawImage(seen, 0, 0);
    context.restore();
    return;
  }
  const [ox, oy] = [camera.screenX(box.x0, box.y0), camera.screenY(box.x0, box.y0)];
  const [ux, uy] = [camera.screenX(box.x1, box.y0) - ox, camera.screenY(box.x1, box.y0) - oy];
  const [vx, vy] = [camera.screenX(box.x0, box.y1) - ox, camera.screenY(box.x0, box.y1) - oy];
  context.save();
  const { width, height } = image;
  context.setTransform(
    (ratio * ux) / width,
    (ratio * uy) / width,
    (ratio * vx) / height,
    (ratio * vy) / height,
    ratio * ox,
    ratio * oy,
  );
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  context.globalAlpha = FIELD_OPACITY;
  context.drawImage(image, 0, 0);
  context.restore();
}
