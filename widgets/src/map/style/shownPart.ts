import type { NetworkGraph, OpenedCase } from "../../workspace/index.ts";
import type { Geometry } from "../view/geometry.ts";
import type { MapStyle } from "./mapStyle.ts";

/** Whether every bus is drawn, by row; null where all are. */
export function shownBuses({ buses }: Pick<OpenedCase, "buses">, style: MapStyle): Uint8Array | null {
  const { levels, areas, zones } = style;
  if (levels === null && areas === null && zones === null) {
    return null;
  }
  const has = (wanted: readonly number[] | null, value: number | null): boolean =>
    wanted === null || (value !== null && wanted.includes(value));
  return Uint8Array.from(buses, ({ base_kv, area, zone }) =>
    Number(has(levels, base_kv) && has(areas, area) && has(zones, zone)),
  );
}

/** The visible part of a network: hidden buses, and lines and links with an end at one of them, have no position. */
export function partOf(
  geometry: Geometry,
  { fromRow, toRow, linkEnds = [] }: Pick<NetworkGraph, "fromRow" | "toRow" | "linkEnds">,
  shown: Uint8Array,
): Geometry {
  const shownValues = (values: Float64Array): Float64Array =>
    values.map((value, row) => (shown[row] === 1 ? value : NaN));
  const paths = geometry.paths.map((path, row) => {
    const [from, to] = [fromRow[row] ?? -1, toRow[row] ?? -1];
    return shown[from] === 1 && shown[to] === 1 ? path : new Float64Array();
  });
  const links = geometry.links?.map((path, row) =>
    linkEnds[row]?.every((bus) => shown[bus] === 1) === true ? path : new Float64Array(),
  );
  const part = links === undefined ? geometry : { ...geometry, links };
  return { ...part, busX: shownValues(geometry.busX), busY: shownValues(geometry.busY), paths };
}
