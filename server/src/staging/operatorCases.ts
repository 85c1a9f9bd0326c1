import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { createNodeEngine, EngineError, type Engine, type IngestedCase } from "@service/engine/node";
import type { CatalogueCase } from "../cases/catalogue.ts";
import { engineFile } from "../solver/engineFile.ts";
import { moduleFile } from "./publish.ts";
import { StagingError, unreadable } from "./stagingError.ts";

/** An operator's case, with notes for the operator. */
export interface OperatorCase extends CatalogueCase {
  notes: string[];
}

/** Largest number of notes of one case. */
const MOST_NOTES = 5;

/** Extensions of geographic layers. Any other file of places is read as a case with coordinates. */
const LAYERS = [".csv", ".json", ".geojson", ".txt"];

/**
 * Reads the operator's groups `CASE[,COORDS[,ROUTES]]`: case file, positions of its buses (CSV, JSON, GeoJSON, or a
 * case file with coordinates, such as .aux), routes of its branches (JSON, GeoJSON, CSV). Throws a `StagingError` that
 * names the first unusable file.
 */
export async function readOperatorCases(pairs: readonly string[]): Promise<OperatorCase[]> {
  const engine = createNodeEngine({ wasm: await (await engineFile()).compiled() });
  const cases: OperatorCase[] = [];
  for (const pair of pairs) {
    const read = await readPair(engine, pair);
    if (cases.some(({ entry }) => entry.id === read.entry.id)) {
      throw new StagingError(
        "OPTION.MALFORMED",
        `Two of the cases would be called "${read.entry.id}": rename one of the files.`,
      );
    }
    cases.push(read);
  }
  return cases;
}

async function readPair(engine: Engine, pair: string): Promise<OperatorCase> {
  const [casePath, ...layers] = filesOf(pair);
  let ingested = await readCaseFile(engine, casePath);
  const notes = ingested.warnings.map(({ message }) => message);
  for (const path of layers) {
    const applied = await placed(engine, ingested, path);
    ingested = applied.ingested;
    notes.push(...applied.notes);
  }
  if (!ingested.view) {
    throw new StagingError(
      "INPUT.PLACEMENT",
      `${casePath} places no bus on the map: name a file with places, --from ${casePath},COORDS.`,
    );
  }
  const { module_json, sha256, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch } = ingested;
  const left = unplaced(ingested);
  if (left > 0) notes.push(`${left} of its buses have no position and are omitted from the map.`);
  const id = idOf(casePath);
  const counts = { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch };
  const files = [casePath, ...layers].map((path) => basename(path)).join(", ");
  const about = { name: ingested.name || id, description: `Staged from ${files}.`, license: "not stated" };
  return {
    entry: { id, ...about, module: moduleFile(id, sha256), sha256, ...counts },
    module: Buffer.from(module_json),
    unavailable: undefined,
    notes: fewest(notes),
  };
}

/** Number of buses in service without a position. */
function unplaced({ topology, view }: IngestedCase): number {
  const placed = new Set(view?.buses.map(({ id }) => id));
  return topology.buses.filter(({ id, in_service }) => in_service && !placed.has(id)).length;
}

/** The files of a group. A file whose own name contains commas may stand alone. */
function filesOf(pair: string): [string, ...string[]] {
  const [first = "", ...rest] = existsSync(pair) ? [pair] : pair.split(",").map((path) => path.trim());
  if (!first || rest.length > 2 || rest.includes("")) {
    throw new StagingError("OPTION.MALFORMED", `--from takes CASE[,COORDS[,ROUTES]], not "${pair}".`);
  }
  return [first, ...rest];
}

async function readCaseFile(engine: Engine, path: string): Promise<IngestedCase> {
  const bytes = await readBytes(path);
  if (extname(path).toLowerCase() === ".json") {
    const { payload } = await named(path, engine.ingestJsonDrop(bytes));
    if (payload?.model === "balanced") return payload;
    throw new StagingError("INPUT.FORMAT", `${path} is not a balanced case: only those are served.`);
  }
  const format = engine.formatOf(path);
  if (format === undefined || format === "dss") {
    throw new StagingError(
      "INPUT.FORMAT",
      `${path} is not a case that can be served: .m, .raw, .rawx, .aux, .pwb, .epc, .cdf, .uct, .xiidm, .zip (CGMES) or a case's .json.`,
    );
  }
  return named(path, engine.ingestCase(bytes, format));
}

/** Applies one file of places to a case. */
async function placed(
  engine: Engine,
  { module_json }: IngestedCase,
  path: string,
): Promise<{ ingested: IngestedCase; notes: string[] }> {
  const layer = LAYERS.includes(extname(path).toLowerCase())
    ? await readBytes(path)
    : Buffer.from(await engine.geoJson((await readCaseFile(engine, path)).module_json));
  const { case: joined, report } = await named(path, engine.applyGeo(module_json, layer));
  if (joined.model !== "balanced") throw new StagingError("INPUT.PLACEMENT", `${path} made another model of the case.`);
  if (report.space !== "geographic") {
    throw new StagingError("INPUT.PLACEMENT", `${path} holds positions of a drawing, not longitudes and latitudes.`);
  }
  const left = report.unmatched_records;
  const first = report.warnings[0];
  const why = first ? ` Record ${first.record}: ${first.message}` : "";
  const notes = left > 0 ? [`${left} records of ${path} match nothing in the case.${why}`] : [];
  return { ingested: joined, notes };
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Prefixes the engine's message with the name of the file. */
async function named<T>(path: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof EngineError) throw new StagingError(error.code, `${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The id of a case: the name of its file, reduced to characters that are safe in an address. */
function idOf(path: string): string {
  const stem = basename(path, extname(path));
  const id = stem.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "");
  if (!id) throw new StagingError("INPUT.FORMAT", `${path} has no name that could serve as an id: rename the file.`);
  return id.slice(0, 64);
}

function fewest(notes: readonly string[]): string[] {
  if (notes.length <= MOST_NOTES) return [...notes];
  return [...notes.slice(0, MOST_NOTES), `${notes.length - MOST_NOTES} more notes are not shown.`];
}
