import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { ConfigError } from "./config.ts";

/** One case of a catalogue file. Counts are those of `ingestCase`. */
export const CatalogueEntry = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" }),
  name: Type.String(),
  description: Type.String(),
  /** Module file beside the catalogue, and the SHA-256 of its text. */
  module: Type.String({ pattern: "^[A-Za-z0-9_.-]+$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  n_bus: Type.Integer(),
  n_branch: Type.Integer(),
  n_gen: Type.Integer(),
  n_analysis_bus: Type.Integer(),
  n_analysis_branch: Type.Integer(),
  license: Type.String(),
});
export type CatalogueEntry = Static<typeof CatalogueEntry>;

const CatalogueFile = Compile(
  Type.Object({
    schema: Type.Literal("wattbook-catalogue"),
    version: Type.Literal(1),
    cases: Type.Array(CatalogueEntry),
  }),
);

/** A catalogued case as read from its folder. */
export interface CatalogueCase {
  entry: CatalogueEntry;
  /** Module text in memory that the solver threads share. */
  module: SharedArrayBuffer;
  /** Why the case cannot be served. */
  unavailable: string | undefined;
}

export const CATALOGUE_FILE = "catalogue.json";

/**
 * Reads a folder of cases, ascending by id. A case whose files are missing or changed stays in the list with its reason; a
 * catalogue that is not one is an error.
 */
export async function readCatalogue(folder: string): Promise<CatalogueCase[]> {
  const path = join(folder, CATALOGUE_FILE);
  const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
  if (!CatalogueFile.Check(parsed)) throw new ConfigError(`${path} is not a catalogue of cases (version 1).`);
  const ids = new Set(parsed.cases.map((entry) => entry.id));
  if (ids.size < parsed.cases.length) throw new ConfigError(`${path} names a case twice.`);
  const cases = await Promise.all(parsed.cases.map((entry) => readCase(folder, entry)));
  return cases.sort((a, b) => (a.entry.id < b.entry.id ? -1 : 1));
}

async function readCase(folder: string, entry: CatalogueEntry): Promise<CatalogueCase> {
  try {
    const text = await readFile(join(folder, entry.module));
    const found = createHash("sha256").update(text).digest("hex");
    if (found !== entry.sha256) throw new Error(`${entry.module} is not the file that the catalogue names`);
    const module = new SharedArrayBuffer(text.byteLength);
    new Uint8Array(module).set(text);
    return { entry, module, unavailable: undefined };
  } catch (error) {
    const reason = `${entry.module} cannot be used (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`;
    return { entry, module: new SharedArrayBuffer(0), unavailable: reason };
  }
}
