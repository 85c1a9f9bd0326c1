import { trans } from "../text/index.ts";
import type { Profile } from "../workspace/index.ts";

/**
 * A profile of the kernel: changes from the base case in MW, those of the buses, then those of the lines, step by step.
 */
export interface GivenProfile {
  steps: readonly string[];
  buses: readonly number[];
  branches: readonly number[];
  /** Little-endian f64. */
  changes_mw: DataView;
}

/** Converts a profile of the kernel for the session of its map. */
export function profileOfKernel({ steps, buses, branches, changes_mw: bytes }: GivenProfile): Profile {
  const count = Math.floor(bytes.byteLength / 8);
  const changesMw = Float64Array.from({ length: count }, (_, k) => bytes.getFloat64(8 * k, true));
  return { name: trans.__("Profile of the notebook"), steps, buses, branches, changesMw };
}
