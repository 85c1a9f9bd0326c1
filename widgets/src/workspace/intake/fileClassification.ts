import type { Engine } from "@service/engine";
import { trans } from "../../text/index.ts";

/** The part of the engine that knows its formats by their file names. */
type Formats = Pick<Engine, "formatOf" | "isDisplayFile">;

/** What a file is by its name: JSON is known by its content only. */
export type FileClass =
  | { kind: "case"; format: NonNullable<ReturnType<Engine["formatOf"]>> }
  | { kind: "study" | "script" | "display" | "layer" | "text" | "json" | "unknown" };

/** The extensions that are read, for people. */
export const SUPPORTED = ".m, .raw, .aux, .pwb, .epc, .dss, .json, .study.json, .pwd, .csv, .geojson, .dat, .txt";

/** What is not known by a whole name or by a format of the engine. Public feeders have their coordinates in `.dat` and `.txt` too. */
const KINDS: Readonly<Record<string, "json" | "layer" | "text">> = {
  json: "json",
  csv: "layer",
  geojson: "layer",
  dat: "text",
  txt: "text",
};

/** Whether a file is a saved Study, plain or gzip. */
function isStudyFile(name: string): boolean {
  return /\.study\.json(\.gz)?$/i.test(name);
}

/** Whether JSON of any name says that it is a saved Study. What it is worth is checked when it is read. */
export function saysStudy(bytes: Uint8Array): boolean {
  return /"schema"\s*:\s*"wattbook-(mc-)?study"/.test(new TextDecoder().decode(bytes));
}

/** How much of a text is looked at here, bytes: the page does not wait for the whole of a large file. */
const LOOKED_AT = 1 << 16;

/** Whether a text begins and ends as an object or a list of JSON does. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = textOf(bytes.subarray(0, LOOKED_AT)).trimStart()[0];
  const last = textOf(bytes.subarray(-LOOKED_AT)).trimEnd().at(-1);
  return (first === "{" && last === "}") || (first === "[" && last === "]");
}

/** Whether a text of no known format may be a geographic layer: a position has two numbers, not far from its beginning. */
export function mayHoldPositions(bytes: Uint8Array): boolean {
  return /\d[^.\d]+\.?\d/.test(textOf(bytes.subarray(0, LOOKED_AT)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** What is said of a text without any content that is read. */
export function nothingKnown(): string {
  return trans.__("The file has no case, Study, costs, demand profile or positions.");
}

/** Whether a file is the power flow of a feeder with its module inside, as earlier versions wrote it. */
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
