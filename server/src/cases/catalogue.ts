import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import type { Message } from "@service/engine/node";
import { sha256Of } from "../http/bodies.ts";
import { serviceMessage } from "../http/errors.ts";
import { Sentence } from "../http/schemas.ts";
import { ConfigError } from "../config.ts";

/** One case of a catalogue file. Counts are those of `ingestCase`. */
export const CatalogueEntry = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" }),
  name: Type.String(),
  description: Type.String(),
  /** Module file beside the catalogue, and the SHA-256 of its text. */
  module: Type.String({ pattern: "^[A-Za-z0-9_-][A-Za-z0-9_.-]*$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  n_bus: Type.Integer(),
  n_branch: Type.Integer(),
  n_gen: Type.Integer(),
  n_analysis_bus: Type.Integer(),
  n_analysis_branch: Type.Integer(),
  license: Type.String(),
  /** Whether the network was generated and not surveyed. */
  synthetic: Type.Optional(Type.Boolean()),
  /** Why the case cannot be served, as found when it was staged, and the message of which this is the English text. */
  unavailable_reason: Type.Optional(Type.String()),
  unavailable_sentence: Type.Optional(Sentence),
});
export type CatalogueEntry = Static<typeof CatalogueEntry>;

const CatalogueFile = Type.Object({
  schema: Type.Literal("wattbook-catalogue"),
  version: Type.Literal(1),
  cases: Type.Array(CatalogueEntry),
});
export type CatalogueFile = Static<typeof CatalogueFile>;
const CatalogueCheck = Compile(CatalogueFile);

/** A catalogued case as read from its folder. */
export interface CatalogueCase {
  entry: CatalogueEntry;
  /** Module text, UTF-8; empty for a case that cannot be served. */
  module: Buffer;
  /** Why the case cannot be served. */
  unavailable: Message | undefined;
}

export const CATALOGUE_FILE = "catalogue.json";

/** Number of reads of a folder that changes meanwhile; the last one counts. */
const MOST_READS = 5;

/**
 * Reads a folder of cases, ascending by id. It reads all served data, so that the folder may be replaced afterwards. A
 * case with missing or changed files stays in the list with the reason; a malformed catalogue is an error. A folder
 * that is replaced during the read is read again.
 */
export async function readCatalogue(folder: string): Promise<CatalogueCase[]> {
  const path = join(folder, CATALOGUE_FILE);
  let text = await readFile(path, "utf8");
  for (let reads = 1; ; reads++) {
    const cases = await Promise.all(parseCatalogue(text, path).cases.map((entry) => readCase(folder, entry)));
    const after = await readFile(path, "utf8");
    if (after === text || reads === MOST_READS) return cases.sort((a, b) => (a.entry.id < b.entry.id ? -1 : 1));
    text = after;
  }
}

/** The content of a catalogue file. Throws with a message that names the file. */
export function parseCatalogue(text: string, path: string): CatalogueFile {
  const parsed = jsonOf(text);
  if (!CatalogueCheck.Check(parsed)) throw new ConfigError(`${path} is not a catalogue of cases (version 1).`);
  if (parsed.cases.length === 0) throw new ConfigError(`${path} names no case.`);
  const ids = new Set(parsed.cases.map((entry) => entry.id));
  if (ids.size < parsed.cases.length) throw new ConfigError(`${path} names a case twice.`);
  return parsed;
}

/** The value of a JSON text; undefined, which is not a valid catalogue, if the text is malformed. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readCase(folder: string, entry: CatalogueEntry): Promise<CatalogueCase> {
  const unusable = (reason: Message): CatalogueCase => ({ entry, module: Buffer.alloc(0), unavailable: reason });
  if (entry.unavailable_sentence !== undefined) return unusable(entry.unavailable_sentence);
  try {
    const module = await readFile(join(folder, entry.module));
    if (sha256Of(module) === entry.sha256) return { entry, module, unavailable: undefined };
    return unusable(serviceMessage("service.module_changed", { file: { text: entry.module } }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const values = { file: { text: entry.module }, cause: { text: code ?? message } };
    return unusable(serviceMessage("service.module_unreadable", values));
  }
}
