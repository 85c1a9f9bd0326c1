import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { asset, sharedFiles } from "../assets.ts";
import { sha256Of } from "../http/bodies.ts";

/** The engine's wasm file: read once per process, compiled when a thread first needs it. */
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

/**
 * Beside the server, or in the one place where a package stores the engine: with the page, or in a wheel with the
 * JupyterLab extension.
 */
async function place(): Promise<URL | string> {
  const beside = asset(`${NAME}.wasm`);
  if (existsSync(beside)) return beside;
  const isEngine = (name: string): boolean => name.startsWith(`${NAME}-`) && name.endsWith(".wasm");
  const folder = "page/assets/";
  const shared = [...sharedFiles()].find(([name]) => name.startsWith(folder) && isEngine(name.slice(folder.length)));
  if (shared !== undefined) return shared[1];
  const own = (await readdir(asset(folder))).find(isEngine);
  return own === undefined ? beside : new URL(own, asset(folder));
}

async function read(): Promise<EngineFile> {
  const bytes = await readFile(await place());
  let module: Promise<WebAssembly.Module> | undefined;
  return { sha256: sha256Of(bytes), compiled: () => (module ??= WebAssembly.compile(bytes)) };
}
