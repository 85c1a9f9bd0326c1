import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** A path below the repository's top folder. */
export const at = (...parts) => join(ROOT, ...parts);

/** The project's own virtual environment. */
export const VENV = at(".venv");

/** The folder of the wheel's data files for maturin, into which the labextension builder writes. */
export const WHEEL_DATA = at("widgets", "python", "wheel", "data");

/** The labextension inside a `share/jupyter` folder. */
export const LABEXTENSION = join("share", "jupyter", "labextensions", "@service", "jupyterlab");

/** Full path of a program on PATH, or null. Nothing is started, so that the search is fast. */
export function which(program, path = process.env.PATH ?? "") {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, program);
    if (existsSync(candidate)) return candidate;
  }
  return null;
}
