// The generator of the four grids as a library: what its command and its tests use.
export { makeGrid } from "./main.ts";
export type { ManifestEntry } from "./files/manifest.ts";
export { packed } from "./files/pack.ts";
export { gridSpec, GRIDS } from "./spec.ts";
