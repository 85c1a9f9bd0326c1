// Publishes a staging: it is completed in a temporary folder, and then becomes visible at once or not at all.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BASE_FOLDER, removeOlder } from "../cases/baseStore.ts";
import { CATALOGUE_FILE, parseCatalogue, type CatalogueEntry } from "../cases/catalogue.ts";
import { fileReason, StagingError } from "./stagingError.ts";

/**
 * Name of a module file. It contains the hash of the content, so that a new staging never changes a file of the old
 * one.
 */
export function moduleFile(id: string, sha256: string): string {
  return `${id}-${sha256.slice(0, 16)}.json`;
}

const TEMPORARY = ".staging-";
/** A temporary folder older than this was left by a process that died. */
const ABANDONED_MS = 24 * 3600 * 1000;
/** A file moved longer ago than this does not belong to a running staging. */
const SETTLED_MS = 60_000;

/** The folders of a staging before it is published. */
export interface Room {
  /** The temporary folder, on the file system of the target. */
  temporary: string;
  /** Whether the target exists: then the files move into it, otherwise the folder itself is renamed. */
  exists: boolean;
}

/** Prepares a staging at `target`, which may be absent, an empty folder, or an earlier staging. */
export async function makeRoom(target: string): Promise<Room> {
  const names = await namesIn(target);
  if (names === undefined) {
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `${TEMPORARY}${basename(target)}-${randomUUID()}`);
    await mkdir(temporary);
    return { temporary, exists: false };
  }
  await removeAbandoned(target, names);
  await checkOurs(target, names);
  const temporary = join(target, `${TEMPORARY}${randomUUID()}`);
  await mkdir(temporary);
  return { temporary, exists: true };
}

async function namesIn(target: string): Promise<string[] | undefined> {
  try {
    return await readdir(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StagingError("OUTPUT.UNWRITABLE", `${target} ${fileReason(error)}.`, { cause: error });
  }
}

async function removeAbandoned(target: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => one.startsWith(TEMPORARY))) {
    await removeOlder(join(target, name), ABANDONED_MS);
  }
}

/** Refuses a folder that contains anything but a staging. */
async function checkOurs(target: string, names: readonly string[]): Promise<void> {
  const path = join(target, CATALOGUE_FILE);
  if (names.includes(CATALOGUE_FILE)) {
    try {
      parseCatalogue(await readFile(path, "utf8"), path);
    } catch (error) {
      throw new StagingError("OUTPUT.UNWRITABLE", `${(error as Error).message} Remove it, or name another folder.`, {
        cause: error,
      });
    }
    return;
  }
  const foreign = names.find(
    (name) => !name.startsWith(".") && name !== "lost+found" && name !== BASE_FOLDER && !MODULE_FILE.test(name),
  );
  if (foreign !== undefined)
    throw new StagingError(
      "OUTPUT.UNWRITABLE",
      `${target} holds other files (${foreign}): name an empty folder or a staged one.`,
    );
}

/**
 * Makes the temporary folder the staging. In an existing folder the catalogue is renamed last: until then all files of
 * the old one exist, from then on all files of the new one. Of two concurrent stagings the later rename wins, and both
 * leave a complete folder.
 */
export async function publish(room: Room, target: string, cases: readonly CatalogueEntry[]): Promise<void> {
  if (!room.exists) {
    await rename(room.temporary, target);
    return;
  }
  const bases = (await namesIn(join(room.temporary, BASE_FOLDER))) ?? [];
  await mkdir(join(target, BASE_FOLDER), { recursive: true });
  for (const name of [...cases.map(({ module }) => module), ...bases.map((base) => join(BASE_FOLDER, base))]) {
    await moveIn(join(room.temporary, name), join(target, name));
  }
  await rename(join(room.temporary, CATALOGUE_FILE), join(target, CATALOGUE_FILE));
  await removeReplaced(target);
}

/** Moves a file into the staging and sets its time to that of the move. */
async function moveIn(from: string, to: string): Promise<void> {
  const now = new Date();
  await utimes(from, now, now);
  await rename(from, to);
}

/** Names of module files that `moduleFile` makes. */
const MODULE_FILE = /^[A-Za-z0-9][A-Za-z0-9_-]*-[0-9a-f]{16}\.json$/;

/**
 * Removes modules and bases that the catalogue does not name. Files of the last minute stay, because a concurrent
 * staging may not have renamed its catalogue yet.
 */
async function removeReplaced(target: string): Promise<void> {
  const path = join(target, CATALOGUE_FILE);
  const { cases } = parseCatalogue(await readFile(path, "utf8"), path);
  const modules = new Set(cases.map(({ module }) => module));
  const prefixes = cases.map(({ id, sha256 }) => `${id}-${sha256}-`);
  const left = ((await namesIn(target)) ?? []).filter((name) => MODULE_FILE.test(name) && !modules.has(name));
  const bases = ((await namesIn(join(target, BASE_FOLDER))) ?? [])
    .filter((name) => !prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(BASE_FOLDER, name));
  for (const name of [...left, ...bases]) await removeOlder(join(target, name), SETTLED_MS);
}
