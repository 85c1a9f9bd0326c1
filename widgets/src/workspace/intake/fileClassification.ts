import type { Engine } from "@service/engine";

/** The part of the engine that knows its formats by their file names. */
type Formats = Pick<Engine, "formatOf" | "isDisplayFile">;

/** What a file is by its name: JSON is known by its content only. */
export type FileClass =
  | { kind: "case"; format: NonNullable<ReturnType<Engine["formatOf"]>> }
  | { kind: "script" | "display" | "layer" | "json" | "unknown" };

/** The extensions that are read, for people. */
export const SUPPORTED = ".m, .raw, .aux, .pwb, .epc, .dss, .json, .pwd, .csv, .geojson";

/** Classifies a file by its name. */
export function classifyFile(name: string, engine: Formats): FileClass {
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
  const layer = extension === "csv" || extension === "geojson";
  return { kind: extension === "json" ? "json" : layer ? "layer" : "unknown" };
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
