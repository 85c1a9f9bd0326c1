import { layoutNetwork } from "../diagram/index.ts";
import type { OpenedCase } from "../workspace/index.ts";

/** A case in drawing coordinates, y downwards. Buses without a position hold NaN. */
export interface Geometry {
  busX: Float64Array;
  busY: Float64Array;
  /** Points of each branch as x, y pairs; a straight branch has two. */
  paths: Float64Array[];
  bounds: { x0: number; y0: number; x1: number; y1: number };
  /** The positions are not those of real equipment. */
  synthetic: boolean;
}

const made = new WeakMap<OpenedCase, Promise<Geometry>>();

/** Where the buses and branches of a case are drawn; computed once per case, in slices that leave the page alive. */
export function geometryOf(opened: OpenedCase): Promise<Geometry> {
  let geometry = made.get(opened);
  if (geometry === undefined) {
    geometry = opened.view === null ? fromLayout(opened) : Promise.resolve(fromView(opened));
    made.set(opened, geometry);
  }
  return geometry;
}

async function fromLayout(opened: OpenedCase): Promise<Geometry> {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const { x, y } = await layoutNetwork(opened.buses.length, opened.fromRow, opened.toRow, pause);
  return assemble(
    opened,
    x,
    y.map((value) => -value),
    () => null,
    true,
  );
}

function fromView(opened: OpenedCase): Geometry {
  const busX = new Float64Array(opened.buses.length).fill(NaN);
  const busY = busX.slice();
  for (const bus of opened.view?.buses ?? []) {
    const row = opened.busRow(bus.id);
    [busX[row], busY[row]] = mercator(bus.lon, bus.lat);
  }
  const routes = new Map(opened.view?.branches.map((branch) => [branch.id, branch.path]));
  const route = (id: number): Float64Array | null => {
    const path = routes.get(id);
    return path === undefined ? null : Float64Array.from(path.flatMap(([lon, lat]) => mercator(lon, lat)));
  };
  return assemble(opened, busX, busY, route, opened.view?.synthetic_coords ?? false);
}

function assemble(
  opened: OpenedCase,
  busX: Float64Array,
  busY: Float64Array,
  route: (branch: number) => Float64Array | null,
  synthetic: boolean,
): Geometry {
  const paths = opened.branches.map((branch, row) => {
    const [from, to] = [opened.fromRow[row] ?? -1, opened.toRow[row] ?? -1];
    return route(branch.id) ?? Float64Array.of(busX[from] ?? NaN, busY[from] ?? NaN, busX[to] ?? NaN, busY[to] ?? NaN);
  });
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  busX.forEach((x, row) => {
    const y = busY[row] ?? NaN;
    if (Number.isFinite(x) && Number.isFinite(y)) {
      bounds.x0 = Math.min(bounds.x0, x);
      bounds.x1 = Math.max(bounds.x1, x);
      bounds.y0 = Math.min(bounds.y0, y);
      bounds.y1 = Math.max(bounds.y1, y);
    }
  });
  return { busX, busY, paths, bounds, synthetic };
}

/** Web Mercator in units where the world is 360 wide, y downwards. */
function mercator(lon: number, lat: number): [number, number] {
  const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
  return [lon, (-y * 180) / Math.PI];
}
