// How lines run between their substations.
import { distanceKm, Plane, round, type LonLat } from "../numerics/geometry.ts";

/** Lines shorter than this run straight, km; parallel circuits lie this far apart. */
const STRAIGHT_KM = 25;
const CIRCUIT_KM = 0.5;
/** Sideways bend of a long line over its length. */
const BEND = 0.035;

/**
 * The way of one circuit, or undefined where it is the straight line: long lines bend a little, one way or the other by the
 * middle of their ends, and parallel circuits run side by side. Points in degrees, rounded to 4 decimals.
 */
export function routeOf(
  ends: readonly [LonLat, LonLat],
  km: number,
  circuit: number,
  circuits: number,
  level: number,
): LonLat[] | undefined {
  const sideways = CIRCUIT_KM * (circuit - (circuits - 1) / 2);
  const bends = km >= STRAIGHT_KM;
  if (!bends && sideways === 0) return undefined;
  const [a, b] = ends;
  const plane = new Plane(a);
  const [x, y] = plane.toPlane(b);
  const length = Math.max(distanceKm(a, b), 0.001);
  // To the left of the line from a to b.
  const [nx, ny] = [-y / length, x / length];
  const east = Math.round((a[0] + b[0]) * 10) + Math.round((a[1] + b[1]) * 10) + level;
  const bow = bends ? (east % 2 === 0 ? 1 : -1) * BEND * km : 0;
  const at = (part: number, off: number): LonLat => {
    const [lon, lat] = plane.toLonLat([part * x + off * nx, part * y + off * ny]);
    return [round(lon, 4), round(lat, 4)];
  };
  const [near, far] = bends ? [0.22, 0.71] : [0.15, 0.85];
  return [a, at(near, 0.8 * bow + sideways), at(far, bow + sideways), b];
}
