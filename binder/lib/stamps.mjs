import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT, at } from "./paths.mjs";

/** Folders of installed or built files, never inputs. */
const SKIP = new Set(["node_modules", "target", "__pycache__"]);

function* files(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory() && SKIP.has(entry.name)) continue;
    yield* files(join(path, entry.name));
  }
}

/**
 * SHA-256 over the names and contents of files and folders (relative to the repository's top folder) and over further
 * strings. Missing paths count as empty.
 */
export function hashOf(paths, ...strings) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of files(at(path))) {
      const content = readFileSync(file);
      hash.update(`${relative(ROOT, file)}\0${content.length}\0`).update(content);
    }
  }
  for (const text of strings) hash.update(`\0${text}`);
  return hash.digest("hex");
}

/** The stamp that a step wrote into `folder` when it last succeeded: `{ key, mode }`, or null. */
export function readStamp(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  } catch {
    return null; // never ran, or was interrupted while writing: the step runs again
  }
}

/** Records a step's success. */
export function writeStamp(folder, name, stamp) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(stamp)}\n`);
}
