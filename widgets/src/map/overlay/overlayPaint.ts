import type { Camera } from "../view/camera.ts";
import { AREA_SHARE, type Overlay } from "./overlay.ts";

/** The paths of a layer relative to an origin, because canvases compute in single precision. */
interface Paths {
  readonly origin: readonly [x: number, y: number];
  readonly areas: Path2D;
  readonly lines: Path2D;
  readonly points: Path2D;
}

/** Length of the line whose round caps draw a point, degrees: canvases skip lines of zero length. */
const DOT = 1e-7;

const PATHS = new WeakMap<Overlay, Paths>();

/** Draws layers on a canvas with `ratio` pixels per screen pixel. */
export function drawOverlays(
  context: CanvasRenderingContext2D,
  overlays: readonly Overlay[],
  camera: Camera,
  ratio: number,
): void {
  const { cos, sin } = camera;
  const scale = camera.scale * ratio;
  context.save();
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const overlay of overlays) {
    if (!camera.flat) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawInPerspective(context, overlay, camera);
      continue;
    }
    const { origin, areas, lines, points } = pathsOf(overlay);
    const [x, y] = [ratio * camera.screenX(...origin), ratio * camera.screenY(...origin)];
    context.setTransform(scale * cos, -scale * sin, scale * sin, scale * cos, x, y);
    context.fillStyle = context.strokeStyle = overlay.color;
    context.globalAlpha = AREA_SHARE * overlay.opacity;
    context.fill(areas, "evenodd");
    context.globalAlpha = overlay.opacity;
    context.lineWidth = overlay.width / camera.scale;
    context.stroke(areas);
    context.stroke(lines);
    context.lineWidth = overlay.size / camera.scale;
    context.stroke(points);
  }
  context.restore();
}

function drawInPerspective(context: CanvasRenderingContext2D, overlay: Overlay, { projection }: Camera): void {
  const { points, lines, polygons, color, opacity, width, size } = overlay;
  const [areas, ways, dots] = [new Path2D(), new Path2D(), new Path2D()];
  for (const ring of polygons.flat()) {
    for (const way of projection.way(ring, true)) {
      trace(areas, way, [0, 0]);
      areas.closePath();
    }
  }
  lines.flatMap((line) => projection.way(line, false)).forEach((way) => trace(ways, way, [0, 0]));
  for (let k = 0; k < points.length; k += 2) {
    const [x, y] = projection.toScreen(points[k] ?? NaN, points[k + 1] ?? NaN);
    if (Number.isFinite(x + y)) {
      dots.moveTo(x + size / 2, y);
      dots.arc(x, y, size / 2, 0, 2 * Math.PI);
    }
  }
  context.fillStyle = context.strokeStyle = color;
  context.globalAlpha = AREA_SHARE * opacity;
  context.fill(areas, "evenodd");
  context.globalAlpha = opacity;
  context.lineWidth = width;
  context.stroke(areas);
  context.stroke(ways);
  context.fill(dots);
}

function pathsOf(overlay: Overlay): Paths {
  let paths = PATHS.get(overlay);
  if (paths === undefined) {
    const { points, lines, polygons } = overlay;
    const first = [points, ...lines, ...polygons.flat()].find(({ length }) => length > 0);
    const origin = [first?.[0] ?? 0, first?.[1] ?? 0] as const;
    paths = { origin, areas: new Path2D(), lines: new Path2D(), points: new Path2D() };
    for (const ring of polygons.flat()) {
      trace(paths.areas, ring, origin);
      paths.areas.closePath();
    }
    for (const line of lines) {
      trace(paths.lines, line, origin);
    }
    for (let k = 0; k < points.length; k += 2) {
      const [x, y] = [(points[k] ?? NaN) - origin[0], (points[k + 1] ?? NaN) - origin[1]];
      paths.points.moveTo(x, y);
      paths.points.lineTo(x + DOT, y);
    }
    PATHS.set(overlay, paths);
  }
  return paths;
}

function trace(path: Path2D, places: ArrayLike<number>, [x0, y0]: readonly [number, number]): void {
  for (let k = 0; k + 1 < places.length; k += 2) {
    const [x, y] = [(places[k] ?? NaN) - x0, (places[k + 1] ?? NaN) - y0];
    if (k === 0) {
      path.moveTo(x, y);
    } else {
      path.lineTo(x, y);
    }
  }
}
