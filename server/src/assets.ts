import { existsSync } from "node:fs";

/**
 * A file or folder of the built server: beside the bundle, or in `server/dist` when the sources run unbundled.
 */
export function asset(name: string): URL {
  const beside = new URL(name, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../dist/${name}`, import.meta.url);
}
