import type { Engine } from "@service/engine";
import { trans } from "../../text/index.ts";

/** The part of the engine that recognizes its formats by file name. */
type Formats = Pick<Engine, "formatOf" | "isDisplayFile">;

/** The class of a file by its name: JSON is recognized by content alone. */
export type FileClass =
  | { kind: "case"; format: NonNullable<ReturnType<Engine["formatOf"]>> }
  | { kind: "study" | "script" | "display" | "layer" | "text" | "json" | "list" | "unknown" };

/** The supported extensions, for messages. */
export const SUPPORTED =
  ".m, .raw, .rawx, .aux, .pwb, .epc, .cdf, .uct, .xiidm, .zip, .xml (CGMES), .dss, .json, .study.json, .pwd, .con, .mon, .sub, .csv, .geojson, .dat, .txt";

/**
 * Extensions that neither a whole name nor a format of the engine covers. Public feeders also have their coordinates in
 * `.dat` and `.txt`, and public cases of IEEE CDF end in `.txt`.
 */
const KINDS: Readonly<Record<string, "json" | "layer" | "text" | "list">> = {
  json: "json",
  csv: "layer",
  geojson: "layer",
  dat: "text",
  txt: "text",
  con: "list",
  mon: "list",
  sub: "list",
};

/** Whether a file is a saved Study, plain or gzip. */
function isStudyFile(name: string): boolean {
  return /\.study\.json(\.gz)?$/i.test(name);
}

/** Whether JSON of any name declares itself a saved Study, which is verified when it is read. */
export function saysStudy(bytes: Uint8Array): boolean {
  return /"schema"\s*:\s*"wattbook-(mc-)?study"/.test(new TextDecoder().decode(bytes));
}

/** Number of leading bytes of a text that are inspected: the page must not wait for the whole of a large file. */
const LOOKED_AT = 1 << 16;

/** Whether a text begins and ends like an object or a list of JSON. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = textOf(bytes.subarray(0, LOOKED_AT)).trimStart()[0];
  const last = textOf(bytes.subarray(-LOOKED_AT)).trimEnd().at(-1);
  return (first === "{" && last === "}") || (first === "[" && last === "]");
}

/** Whether a text of no known format may be a geographic layer: a position needs two numbers near its beginning. */
export function mayHoldPositions(bytes: Uint8Array): boolean {
  return /\d[^.\d]+\.?\d/.test(textOf(bytes.subarray(0, LOOKED_AT)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The message for a text with no recognizable content. */
export function nothingKnown(): string {
  return trans.__("The file has no case, Study, costs, demand profile or positions.");
}

/** Whether a file is the power flow of a feeder with its module inside, as written by earlier versions. */
function isFeederResult(name: string): boolean {
  return /\.feeder\.json$/i.test(name);
}

/** Classifies a file by its name. */
export function classifyFile(name: string, engine: Formats): FileClass {
  if (isStudyFile(name) || isFeederResult(name)) {
    return { kind: "study" };
  }
  const extension = extensionOf(name);
  if (extension === "dss") {
    return { kind: "script" };
  }
  if (engine.isDisplayFile(name)) {
    return { kind: "display" };
  }
  const format = engine.formatOf(name);
  if (format !== undefined) {
    return { kind: "case", format };
  }
  return { kind: KINDS[extension] ?? "unknown" };
}

/** Whether a file is an OpenDSS script. */
export function isScript(name: string): boolean {
  return extensionOf(name) === "dss";
}

/** Whether a file that could not be read may have been a case. */
export function mayBeCase(name: string, engine: Formats): boolean {
  return engine.formatOf(name) !== undefined || extensionOf(name) === "json";
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
