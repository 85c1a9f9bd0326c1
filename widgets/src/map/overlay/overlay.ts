import { mercator } from "../view/geometry.ts";

/** A layer that the user draws below the network, in map coordinates; positions as x, y pairs. */
export interface Overlay {
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
  /** Width of lines and size of points, pixels. */
  readonly width: number;
  readonly size: number;
  readonly opacity: number;
  readonly points: Float64Array;
  readonly lines: readonly Float64Array[];
  /** Areas by their rings. */
  readonly polygons: readonly (readonly Float64Array[])[];
}

/** Opacity of an area relative to its outline. */
export const AREA_SHARE = 0.2;

/** Parses the kernel's layers (widgets/python/wattbook/map/overlays.py); invalid ones are dropped. */
export function overlaysOf(given: unknown): readonly Overlay[] {
  return (Array.isArray(given) ? (given as unknown[]) : []).flatMap((one) => overlayOf(one) ?? []);
}

function overlayOf(given: unknown): Overlay | null {
  const from = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const { name, color } = from;
  const [width, size, opacity] = [from["width"], from["size"], from["opacity"]].map(Number);
  const numbers = [width, size, opacity].every(Number.isFinite);
  if (typeof name !== "string" || typeof color !== "string" || !CSS.supports("color", color) || !numbers) {
    return null;
  }
  return {
    ...{ name, color, width: width ?? 1, size: size ?? 1, opacity: opacity ?? 1 },
    points: pathOf(from["points"]),
    lines: listOf(from["lines"]).map(pathOf),
    polygons: listOf(from["polygons"]).map((rings) => listOf(rings).map(pathOf)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Longitudes and latitudes to the coordinates of the map. */
function pathOf(value: unknown): Float64Array {
  const places = listOf(value);
  const path = new Float64Array(2 * places.length);
  places.forEach((place, k) => {
    const [lon, lat] = listOf(place).map(Number);
    path.set(mercator([lon ?? NaN, lat ?? NaN]), 2 * k);
  });
  return path;
}
