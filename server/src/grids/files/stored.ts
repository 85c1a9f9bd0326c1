// The power flow stored in a committed module.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { round } from "../numerics/geometry.ts";

/** A power flow as a module stores it: per unit and degrees by bus, MW and MVAr by unit. */
export interface StoredFlow {
  vm: readonly number[];
  va: readonly number[];
  pMw: readonly number[];
  qMvar: readonly number[];
}

/** Rows of a module with the power flow. */
interface Rows {
  buses: { vm: number; va: number }[];
  generators: { pg: number; qg: number }[];
}

/** The power flow of the committed grid with this id; undefined if the folder has none. */
export async function storedFlow(folder: string, id: string): Promise<StoredFlow | undefined> {
  let text: string;
  try {
    text = gunzipSync(await readFile(join(folder, `${id}.json.gz`))).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const { buses, generators } = (JSON.parse(text) as { value: { data: Rows } }).value.data;
  return {
    ...{ vm: buses.map(({ vm }) => vm), va: buses.map(({ va }) => va) },
    ...{ pMw: generators.map(({ pg }) => pg), qMvar: generators.map(({ qg }) => qg) },
  };
}

/**
 * Rounds a result of the power flow so that the last bits of a solver do not change a committed module: a stored number
 * stays if the result is within one unit of its last digit.
 */
export function settled(result: number, stored: number | undefined, digits: number): number {
  const agrees = stored !== undefined && Math.abs(result - stored) < 10 ** -digits;
  return agrees ? stored : round(result, digits);
}
