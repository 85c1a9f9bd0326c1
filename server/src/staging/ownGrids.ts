import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { sha256Of } from "../http/bodies.ts";
import { CatalogueEntry, type CatalogueCase } from "../cases/catalogue.ts";
import { moduleFile } from "./publish.ts";
import { StagingError, unreadable } from "./stagingError.ts";

/** The manifest of the committed grids; `module` is packed. The generator adds parameters and metrics. */
const Manifest = Type.Object({
  schema: Type.Literal("wattbook-grids"),
  version: Type.Literal(1),
  grids: Type.Array(CatalogueEntry, { minItems: 1 }),
});
const ManifestCheck = Compile(Manifest);

const MANIFEST = "manifest.json";

/** Folder of the committed grids: beside the bundle, or `server/grids` in a checkout without a bundle. */
export function gridsFolder(): string {
  const packed = ["./grids/", "../../dist/grids/", "../grids/", "../../grids/"]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(join(folder, MANIFEST)));
  if (packed === undefined) {
    throw new StagingError(
      "CASE.NONE_BUNDLED",
      "This installation has no grids of its own: name case files with --from CASE,COORDS.",
    );
  }
  return packed;
}

/** Reads the grids of a folder and checks each against its hash. */
export async function readGrids(folder: string): Promise<CatalogueCase[]> {
  const path = join(folder, MANIFEST);
  const manifest = parsed(await read(path), path);
  if (!ManifestCheck.Check(manifest))
    throw new StagingError("CASE.CATALOGUE", `${path} is not a manifest of grids (version 1).`);
  return Promise.all(manifest.grids.map((grid) => readGrid(folder, grid)));
}

async function readGrid(folder: string, grid: CatalogueEntry): Promise<CatalogueCase> {
  const path = join(folder, grid.module);
  const module = unpacked(await read(path), path);
  if (sha256Of(module) !== grid.sha256)
    throw new StagingError("CASE.CATALOGUE", `${path} is not the file that ${MANIFEST} names.`);
  const { id, name, description, sha256, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch, license } = grid;
  const counts = { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch };
  const entry = { id, name, description, module: moduleFile(id, sha256), sha256, ...counts, license, synthetic: true };
  return { entry, module, unavailable: undefined };
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function parsed(bytes: Buffer, path: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new StagingError("CASE.CATALOGUE", `${path} is not JSON.`, { cause: error });
  }
}

function unpacked(bytes: Buffer, path: string): Buffer {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new StagingError("CASE.CATALOGUE", `${path} is damaged: it cannot be unpacked.`, { cause: error });
  }
}
