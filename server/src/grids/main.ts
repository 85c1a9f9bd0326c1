// What `npm run grids` does, apart from drawing: builds the grids and writes them with manifest and report.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createNodeEngine } from "@service/engine/node";
import { buildGrid, type BuiltGrid } from "./build.ts";
import { manifestEntry, manifestText, reportText, type OutsideCheck } from "./files/manifest.ts";
import { packed } from "./files/pack.ts";
import { pictureOf } from "./files/picture.ts";
import { storedFlow } from "./files/stored.ts";
import { GRIDS, type GridSpec } from "./spec.ts";

export interface MakeOptions {
  /** Folder of the committed grids. */
  folder: string;
  /** Engine to solve with. */
  wasm: URL;
  /** Draws an SVG into a PNG file. */
  draw: (svg: string, size: { width: number; height: number }, file: string) => Promise<void>;
  /** Called with a line for each completed grid. */
  log: (line: string) => void;
}

/** Results of `check/check.py`, by grid. */
const CHECKS_FILE = "check/results.json";

/** Builds all grids anew and writes modules, pictures and manifest. */
export async function makeGrids({ folder, wasm, draw, log }: MakeOptions): Promise<BuiltGrid[]> {
  const engine = createNodeEngine({ wasm });
  await mkdir(join(folder, "pictures"), { recursive: true });
  const built: BuiltGrid[] = [];
  for (const spec of GRIDS) {
    const since = performance.now();
    const one = await buildGrid(spec, engine, await storedFlow(folder, spec.id));
    await writeFile(join(folder, `${spec.id}.json.gz`), packed(one.text));
    const { svg, ...size } = pictureOf(one);
    await draw(svg, size, join(folder, "pictures", `${spec.id}.png`));
    log(`${spec.id} ${one.sha256} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    built.push(one);
  }
  await writeFile(join(folder, "manifest.json"), manifestText(built.map(manifestEntry)));
  return built;
}

/** Writes the report: the criteria of the grids, and the results of other tools. */
export async function writeReport(folder: string, built: readonly BuiltGrid[]): Promise<void> {
  await writeFile(join(folder, "metrics.md"), reportText(built, await checksOf(folder)));
}

/** Builds one grid beside the committed ones, for the test. */
export async function makeGrid(spec: GridSpec, wasm: URL, folder?: string): Promise<BuiltGrid> {
  return buildGrid(
    spec,
    createNodeEngine({ wasm }),
    folder === undefined ? undefined : await storedFlow(folder, spec.id),
  );
}

async function checksOf(folder: string): Promise<Record<string, OutsideCheck>> {
  try {
    return JSON.parse(await readFile(join(folder, CHECKS_FILE), "utf8")) as Record<string, OutsideCheck>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
