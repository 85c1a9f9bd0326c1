import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

/**
 * Names the folder of the JupyterLab extension's files. The Python package sets it, because its wheel stores these
 * files only there.
 */
const SHARED_VARIABLE = "WATTBOOK_SHARED_FILES";

/**
 * A file or folder of the built server: beside the bundle, or in `server/dist` when the sources run unbundled.
 */
export function asset(name: string): URL {
  const beside = new URL(name, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../dist/${name}`, import.meta.url);
}

let shared: ReadonlyMap<string, string> | undefined;

/**
 * Files of the built server that are stored with the JupyterLab extension, by their names here: a wheel contains the
 * engine and the basemap once (`binder/backend.py`). Empty outside a wheel.
 */
export function sharedFiles(): ReadonlyMap<string, string> {
  return (shared ??= readShared());
}

function readShared(): ReadonlyMap<string, string> {
  const table = asset("shared.json");
  if (!existsSync(table)) return new Map();
  const folder = process.env[SHARED_VARIABLE];
  if (folder === undefined || !existsSync(folder)) {
    throw new ConfigError(
      `${SHARED_VARIABLE} must name the folder of the JupyterLab extension's files; \`wattbook serve\` sets it.`,
    );
  }
  const names = JSON.parse(readFileSync(table, "utf8")) as Record<string, string>;
  return new Map(Object.entries(names).map(([name, there]) => [name, join(folder, there)]));
}
