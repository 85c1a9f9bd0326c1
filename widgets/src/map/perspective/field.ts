import type { Camera } from "../view/camera.ts";
import type { FieldBox } from "../contour/field.ts";

/**
 * Number of patches of a field in each direction: within a patch the perspective is affine to a fraction of a pixel.
 */
const PATCHES = 24;
/** Cells by which patches overlap, so that no seam is visible. */
const OVER = 1;

/** A field in perspective, on a canvas with `ratio` pixels per screen pixel. */
export function fieldInPerspective(
  { image, box }: { image: HTMLCanvasElement; box: FieldBox },
  { projection, width, height }: Camera,
  ratio: number,
): HTMLCanvasElement {
  const seen = document.createElement("canvas");
  [seen.width, seen.height] = [Math.round(ratio * width), Math.round(ratio * height)];
  const context = seen.getContext("2d");
  if (context === null) {
    return seen; // the picture itself reports a missing context
  }
  context.imageSmoothingQuality = "high";
  const at = (column: number, row: number): [x: number, y: number] =>
    projection.toScreen(
      box.x0 + (column / image.width) * (box.x1 - box.x0),
      box.y0 + (row / image.height) * (box.y1 - box.y0),
    );
  const [wide, tall] = [image.width / PATCHES, image.height / PATCHES];
  for (let row = 0; row < PATCHES; row += 1) {
    for (let column = 0; column < PATCHES; column += 1) {
      const [left, top] = [column * wide, row * tall];
      const [ox, oy] = at(left, top);
      const [ux, uy] = at(left + wide, top);
      const [vx, vy] = at(left, top + tall);
      if (!Number.isFinite(ox + oy + ux + uy + vx + vy)) {
        continue;
      }
      const [a, b] = [(ratio * (ux - ox)) / wide, (ratio * (uy - oy)) / wide];
      const [c, d] = [(ratio * (vx - ox)) / tall, (ratio * (vy - oy)) / tall];
      context.setTransform(a, b, c, d, ratio * ox - a * left - c * top, ratio * oy - b * left - d * top);
      const [x0, y0] = [Math.max(0, left - OVER), Math.max(0, top - OVER)];
      const x1 = Math.min(image.width, left + wide + OVER);
      const y1 = Math.min(image.height, top + tall + OVER);
      context.drawImage(image, x0, y0, x1 - x0, y1 - y0, x0, y0, x1 - x0, y1 - y0);
    }
  }
  return seen;
}
