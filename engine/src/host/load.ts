import { createInstance } from "../../wasm/instance.js";
import type { Instance } from "./calls.ts";

/**
 * Fetches and compiles the wasm file. Streaming needs the type application/wasm; the fallback serves other types too.
 */
export async function fetchModule(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Makes a new instance with its own glue, independent of all earlier ones. */
export async function instantiate(module: WebAssembly.Module): Promise<Instance> {
  const instance = createInstance();
  await instance.default({ module_or_path: module });
  return instance;
}
