import type { NetworkGraph, Point, Positions } from "../../workspace/index.ts";

/** A network in the coordinates of a picture, y downwards. Buses without a position are NaN. */
export interface Geometry {
  busX: Float64Array;
  busY: Float64Array;
  /** Points of each branch as x, y pairs; a straight branch has two. */
  paths: Float64Array[];
  /** Points of each HVDC link in the same form; absent without links. */
  links?: readonly Float64Array[];
  bounds: { x0: number; y0: number; x1: number; y1: number };
}

/** The world between 75 degrees south and north, for a map without a placed network. */
const WORLD: Geometry["bounds"] = { x0: -180, y0: mercator([0, 75])[1], x1: 180, y1: mercator([0, -75])[1] };

/** An empty geometry. */
export const NOWHERE: Geometry = { busX: new Float64Array(), busY: new Float64Array(), paths: [], bounds: WORLD };

/** Segments of the arc of a link, and its height for each line or link that it passes, as a share of its length. */
const ARC = { segments: 16, height: 0.1 };

/** Map positions in Web Mercator, in units where the world is 360 wide. */
export function mapGeometry(positions: Positions, graph: NetworkGraph): Geometry {
  return assemble(positions, graph, mercator);
}

/** A drawing flipped vertically, because y points downwards on screens. */
export function drawingGeometry(positions: Positions, graph: NetworkGraph): Geometry {
  return assemble(positions, graph, ([x, y]) => [x, -y]);
}

/** Longitude and latitude to the picture's coordinates. */
export function mercator([lon, lat]: Point): [number, number] {
  return [lon, mercatorY(lat)];
}

/** Latitude to the picture's coordinate. */
export function mercatorY(lat: number): number {
  const y = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return (-y * 180) / Math.PI;
}

/** The longitude and latitude of a point of the picture. */
export function unproject(x: number, y: number): [lon: number, lat: number] {
  return [x, (Math.atan(Math.sinh((-y * Math.PI) / 180)) * 180) / Math.PI];
}

/** The middle of a path. */
export function middleOf(path: Float64Array = new Float64Array()): [x: number, y: number] {
  const points = path.length / 2;
  const [a, b] = [2 * Math.floor((points - 1) / 2), 2 * Math.ceil((points - 1) / 2)];
  const between = (k: 0 | 1): number => ((path[a + k] ?? NaN) + (path[b + k] ?? NaN)) / 2;
  return [between(0), between(1)];
}

function assemble(
  { x, y, routes }: Positions,
  graph: NetworkGraph,
  project: (point: Point) => [number, number],
): Geometry {
  const busX = new Float64Array(graph.busCount).fill(NaN);
  const busY = busX.slice();
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let row = 0; row < graph.busCount; row += 1) {
    const [px, py] = project([x[row] ?? NaN, y[row] ?? NaN]);
    if (Number.isFinite(px) && Number.isFinite(py)) {
      busX[row] = px;
      busY[row] = py;
      bounds.x0 = Math.min(bounds.x0, px);
      bounds.x1 = Math.max(bounds.x1, px);
      bounds.y0 = Math.min(bounds.y0, py);
      bounds.y1 = Math.max(bounds.y1, py);
    }
  }
  const paths = Array.from(graph.fromRow, (from, row) => {
    const route = routes.get(row);
    if (route !== undefined) {
      return Float64Array.from(route.flatMap(project));
    }
    const to = graph.toRow[row] ?? -1;
    return Float64Array.of(busX[from] ?? NaN, busY[from] ?? NaN, busX[to] ?? NaN, busY[to] ?? NaN);
  });
  const at = (bus: number): [number, number] => [busX[bus] ?? NaN, busY[bus] ?? NaN];
  const links = graph.linkEnds?.map(([from, to], row) => arc(at(from), at(to), besides(graph, row)));
  return { busX, busY, paths, bounds, ...(links === undefined ? {} : { links }) };
}

/** The number of branches, and of links before one, that join the same two buses. */
function besides({ fromRow, toRow, linkEnds = [] }: NetworkGraph, link: number): number {
  const [a, b] = linkEnds[link] ?? [];
  const joins = (from: number | undefined, to: number | undefined): boolean =>
    (from === a && to === b) || (from === b && to === a);
  const branches = fromRow.reduce((count, from, row) => count + Number(joins(from, toRow[row])), 0);
  return Math.min(1, branches) + linkEnds.slice(0, link).filter(([from, to]) => joins(from, to)).length;
}

/** A straight path, or an arc beside the elements that join the same two places. */
function arc([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], beside: number): Float64Array {
  const segments = beside === 0 ? 1 : ARC.segments;
  const points = Array.from({ length: segments + 1 }, (_, k) => {
    const share = k / segments;
    const height = 4 * share * (1 - share) * ARC.height * beside;
    return [ax + share * (bx - ax) + height * (by - ay), ay + share * (by - ay) - height * (bx - ax)];
  });
  return Float64Array.from(points.flat());
}
