// How a staging comes into being: complete in a temporary folder first, and visible at once or not at all.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BASE_FOLDER } from "../baseStore.ts";
import { CATALOGUE_FILE, parseCatalogue, type CatalogueEntry, type CatalogueFile } from "../catalogue.ts";
import { fileReason, StagingError } from "./stagingError.ts";

/** Name of a module file. It tells the content, so that a new staging never changes a file that the old one names. */
export function moduleFile(id: string, sha256: string): string {
  return `${id}-${sha256.slice(0, 16)}.json`;
}

const TEMPORARY = ".staging-";
/** A temporary folder of this age was left by a process that died. */
const ABANDONED_MS = 24 * 3600 * 1000;

/** Where a staging is made before it is published. */
export interface Room {
  /** The temporary folder, on the file system of the target. */
  temporary: string;
  /** The staging that will be replaced. */
  previous: CatalogueFile | undefined;
  /** Whether the target exists; then the files move into it, otherwise the folder itself is renamed. */
  exists: boolean;
}

/** Makes room for a staging at `target`: an absent or empty folder, or an earlier staging. */
export async function makeRoom(target: string): Promise<Room> {
  const names = await namesIn(target);
  if (names === undefined) {
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `${TEMPORARY}${basename(target)}-${randomUUID()}`);
    await mkdir(temporary);
    return { temporary, previous: undefined, exists: false };
  }
  await removeAbandoned(target, names);
  const previous = await previousIn(target, names);
  const temporary = join(target, `${TEMPORARY}${randomUUID()}`);
  await mkdir(temporary);
  return { temporary, previous, exists: true };
}

async function namesIn(target: string): Promise<string[] | undefined> {
  try {
    return await readdir(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StagingError(`${target} ${fileReason(error)}.`, { cause: error });
  }
}

async function removeAbandoned(target: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => one.startsWith(TEMPORARY))) {
    const path = join(target, name);
    if (Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

async function previousIn(target: string, names: readonly string[]): Promise<CatalogueFile | undefined> {
  const path = join(target, CATALOGUE_FILE);
  if (names.includes(CATALOGUE_FILE)) {
    try {
      return parseCatalogue(await readFile(path, "utf8"), path);
    } catch (error) {
      throw new StagingError(`${(error as Error).message} Remove it, or name another folder.`, { cause: error });
    }
  }
  const foreign = names.find((name) => !name.startsWith(".") && name !== "lost+found" && name !== BASE_FOLDER);
  if (foreign === undefined) return undefined;
  throw new StagingError(`${target} holds other files (${foreign}): name an empty folder or a staged one.`);
}

/**
 * Makes the temporary folder the staging. In an existing folder the catalogue is renamed last: until then everything that the
 * old one names is there, from then on everything that the new one names. A failure before leaves the old staging as it was.
 */
export async function publish(room: Room, target: string, cases: readonly CatalogueEntry[]): Promise<void> {
  if (!room.exists) {
    await rename(room.temporary, target);
    return;
  }
  const keep = new Set(room.previous?.cases.map(({ module }) => module));
  const moved: string[] = [];
  try {
    for (const { module } of cases) {
      await rename(join(room.temporary, module), join(target, module));
      moved.push(module);
    }
    await mkdir(join(target, BASE_FOLDER), { recursive: true });
    for (const name of (await namesIn(join(room.temporary, BASE_FOLDER))) ?? []) {
      await rename(join(room.temporary, BASE_FOLDER, name), join(target, BASE_FOLDER, name));
    }
    await rename(join(room.temporary, CATALOGUE_FILE), join(target, CATALOGUE_FILE));
  } catch (error) {
    for (const module of moved) if (!keep.has(module)) await rm(join(target, module), { force: true });
    throw error;
  }
  await removeReplaced(target, room.previous?.cases ?? [], cases);
}

/** Removes what only the old catalogue named. */
async function removeReplaced(
  target: string,
  before: readonly CatalogueEntry[],
  now: readonly CatalogueEntry[],
): Promise<void> {
  const modules = new Set(now.map(({ module }) => module));
  const prefixes = now.map(({ id, sha256 }) => `${id}-${sha256}-`);
  for (const { module } of before) if (!modules.has(module)) await rm(join(target, module), { force: true });
  for (const name of (await namesIn(join(target, BASE_FOLDER))) ?? []) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) await rm(join(target, BASE_FOLDER, name), { force: true });
  }
}
