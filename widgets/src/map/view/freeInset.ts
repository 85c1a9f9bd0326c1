import { Camera, type Inset, turnedBounds } from "./camera.ts";
import type { Geometry } from "./geometry.ts";

/** Shares of the covered corner's width and height tried as insets. */
const SHARES = [0, 0.25, 0.5, 0.75, 1];

/**
 * If fitting beside the corner needs less than this share of the full scale, the corner stays covered: the picture is
 * too small.
 */
const LEAST_SCALE = 0.35;

/**
 * The inset that shows the network largest with no bus in the lower left corner of `corner.width` by `corner.height`
 * pixels. Excluding the whole column or the whole row of the corner always works; often less suffices.
 */
export function freeInset(
  size: { width: number; height: number },
  geometry: Geometry,
  padding: number,
  corner: { width: number; height: number },
  bearing = 0,
): Inset {
  const camera = new Camera();
  camera.resize(size.width, size.height);
  camera.turnTo(bearing);
  const bounds = turnedBounds(geometry, camera);
  const tried = SHARES.flatMap((x) => SHARES.map((y) => ({ left: x * corner.width, bottom: y * corner.height })));
  const views = tried.map((inset) => {
    camera.fit(bounds, padding, inset);
    return { inset, scale: camera.scale };
  });
  views.sort((a, b) => b.scale - a.scale || a.inset.left + a.inset.bottom - b.inset.left - b.inset.bottom);
  const most = views[0]?.scale ?? 0;
  const covered = ({ inset }: { inset: Inset }): boolean => {
    camera.fit(bounds, padding, inset);
    return geometry.busX.some((x, row) => {
      const y = geometry.busY[row] ?? NaN;
      return (
        camera.screenX(x, y) < corner.width + padding / 2 &&
        camera.screenY(x, y) > size.height - corner.height - padding / 2
      );
    });
  };
  const best = views.find((view) => view.scale < LEAST_SCALE * most || !covered(view));
  return best === undefined || best.scale < LEAST_SCALE * most ? { left: 0, bottom: 0 } : best.inset;
}
