import type { Camera } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";
import type { Basemap, Shape } from "./basemap.ts";

/** One kind of shape of the basemap with its style: filled, or stroked with a width in pixels. */
export interface BasemapStratum {
  shapes: readonly Shape[];
  fill: string | null;
  stroke: string | null;
  width: number;
}

/** Smallest scales, pixels per degree, at which these are shown. */
export const SCALES = { rivers: 6, states: 7, counties: 70 };
/** Width of the seam between two outlines, degrees. */
const SEAM_DEGREES = 0.14;

/** The layers of the basemap at a scale, from the bottom up; the background is water. */
export function basemapStrata(
  basemap: Basemap,
  counties: readonly Shape[] | null,
  { scale }: Pick<Camera, "scale">,
  theme: Theme,
): BasemapStratum[] {
  const { land, water, border } = theme;
  const line = (shapes: readonly Shape[], stroke: string, width: number): BasemapStratum => {
    return { shapes, fill: null, stroke, width };
  };
  const area = (shapes: readonly Shape[], fill: string): BasemapStratum => {
    return { shapes, fill, stroke: null, width: 0 };
  };
  return [
    area(basemap.land, land),
    line(basemap.seam, land, Math.max(2, SEAM_DEGREES * scale)),
    area(basemap.lakes, water),
    ...(scale >= SCALES.rivers ? [line(basemap.rivers, water, scale < 40 ? 0.8 : 1.6)] : []),
    ...(counties !== null && scale >= SCALES.counties ? [line(counties, theme.county, 0.7)] : []),
    ...(scale >= SCALES.states ? [line(basemap.states, border, scale < 40 ? 0.7 : 1.1)] : []),
    line(basemap.coasts, border, 0.7),
    line(basemap.borders, border, 1.1),
  ];
}

/** Whether a shape has a part inside a box of the picture. */
export function meets(shape: Shape, box: Pick<Shape, "x0" | "y0" | "x1" | "y1">): boolean {
  return shape.x1 >= box.x0 && shape.x0 <= box.x1 && shape.y1 >= box.y0 && shape.y0 <= box.y1;
}
