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
  return { center: unproject(view.x, view.y), zoom: zoomOf(view.scale), bearing: view.bearing, pitch: 0 };
}
