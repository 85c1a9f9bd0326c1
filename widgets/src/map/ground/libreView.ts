import type { Camera } from "../view/camera.ts";
import { unproject } from "../view/geometry.ts";
import { zoomOf } from "./groundStyle.ts";

/** MapLibre's camera for the view of ours. */
export function libreView({ view }: Pick<Camera, "view">): {
  center: [number, number];
  zoom: number;
  bearing: number;
  pitch: number;
} {
  return { center: unproject(view.x, view.y), zoom: zoomOf(view.scale), bearing: view.bearing, pitch: view.pitch };
}

/** MapLibre's name of the projection of a camera. */
export function libreProjection({ round }: Pick<Camera, "round">): "vertical-perspective" | "mercator" {
  return round ? "vertical-perspective" : "mercator";
}
