import { readFile } from "node:fs/promises";
import { asset } from "../assets.ts";
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

async function read(): Promise<EngineFile> {
  const bytes = await readFile(asset("wattbook_engine_bg.wasm"));
  let module: Promise<WebAssembly.Module> | undefined;
  return { sha256: sha256Of(bytes), compiled: () => (module ??= WebAssembly.compile(bytes)) };
}
