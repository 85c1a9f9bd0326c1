import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
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

const NAME = "wattbook_engine_bg";

/** Beside the server, or where it is installed without a copy of its own: that of the page. */
async function place(): Promise<URL> {
  const beside = asset(`${NAME}.wasm`);
  if (existsSync(beside)) return beside;
  const folder = asset("page/assets/");
  const name = (await readdir(folder)).find((one) => one.startsWith(`${NAME}-`) && one.endsWith(".wasm"));
  return name === undefined ? beside : new URL(name, folder);
}

async function read(): Promise<EngineFile> {
  const bytes = await readFile(await place());
  let module: Promise<WebAssembly.Module> | undefined;
  return { sha256: sha256Of(bytes), compiled: () => (module ??= WebAssembly.compile(bytes)) };
}
