import { plainColour } from "../../ui/cssColour.ts";
import { AREA_SHARE, type Overlay } from "../overlay/overlay.ts";
import type { Camera } from "../view/camera.ts";
import { way } from "./svgWay.ts";
import { px, xmlText } from "./svgText.ts";

/** A layer of the user as a separate group. */
export function overlayGroup(
  { name, color, width, size, opacity, points, lines, polygons }: Overlay,
  camera: Camera,
): string {
  const colour = plainColour(color);
  const areas = polygons.map((rings) => rings.map((ring) => way(ring, camera, true)).join(""));
  const marks = Array.from({ length: points.length / 2 }, (_, k) => {
    const [x, y] = [points[2 * k] ?? NaN, points[2 * k + 1] ?? NaN];
    const [sx, sy] = [camera.screenX(x, y), camera.screenY(x, y)];
    return Number.isFinite(sx + sy) ? `<circle cx="${px(sx)}" cy="${px(sy)}" r="${px(size / 2)}"/>` : "";
  });
  const style = `stroke="${colour}" stroke-width="${px(width)}" stroke-linecap="round" stroke-linejoin="round"`;
  return [
    `<g class="layer" opacity="${opacity}"><title>${xmlText(name)}</title>`,
    ...areas.map((d) => `<path d="${d}" fill="${colour}" fill-opacity="${AREA_SHARE}" fill-rule="evenodd" ${style}/>`),
    ...lines.map((line) => `<path d="${way(line, camera)}" fill="none" ${style}/>`),
    ...(marks.length > 0 ? [`<g fill="${colour}">${marks.join("")}</g>`] : []),
    "</g>",
  ].join("\n");
}
