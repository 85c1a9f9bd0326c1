import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { asset, sharedFiles } from "../assets.ts";
import { sha256Of } from "../http/bodies.ts";

/** The engine's wasm file: read once in a process, compiled when a thread first needs it. */
export interface EngineFile {
  sha256: string;
  /** The compiled module, shared by all threads. */
  compiled(): Promise<WebAssembly.Module>;
}

let file: Promise<EngineFile> | undefined;

export function engineFile(): Promise<EngineFile> {
  return (file ??= read());
}

const NAME = "wattbook_engine_bg";

/** Beside the server, or where it is installed without a copy of its own: that of the page, which is the JupyterLab extension's. */
function place(): URL | string {
  const beside = asset(`${NAME}.wasm`);
  if (existsSync(beside)) return beside;
  return [...sharedFiles()].find(([name]) => name.startsWith(`page/assets/${NAME}-`))?.[1] ?? beside;
}

async function read(): Promise<EngineFile> {
  const bytes = await readFile(place());
  let module: Promise<WebAssembly.Module> | undefined;
  return { sha256: sha256Of(bytes), compiled: () => (module ??= WebAssembly.compile(bytes)) };
}
