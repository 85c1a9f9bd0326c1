import type { Camera } from "../view/camera.ts";
import { unproject } from "../view/geometry.ts";
import { zoomOf } from "./groundStyle.ts";

/** The camera of MapLibre that shows what ours does. */
export function libreView({ view }: Pick<Camera, "view">): {
  center: [number, number];
  zoom: number;
  bearing: number;
  pitch: number;
} {
  return { center: unproject(view.x, view.y), zoom: zoomOf(view.scale), bearing: view.bearing, pitch: view.pitch };
}

/** What MapLibre calls the way in which a camera of ours sees the earth. */
export function libreProjection({ round }: Pick<Camera, "round">): "vertical-perspective" | "mercator" {
  return round ? "vertical-perspective" : "mercator";
}
