// The engine in Node: the same interface on the calling thread, for the server's solver threads and for tests.
import { readFile } from "node:fs/promises";
import type { Bytes, WasmModule } from "./contract/wasm.ts";
import type { Instance } from "./host/calls.ts";
import type { Engine } from "./facade/engine.ts";
import { createEngine } from "./facade/facade.ts";
import { EngineHost } from "./host/host.ts";
import { instantiate } from "./host/load.ts";
import { createThreadTransport } from "./transport/transport.ts";

export * from "./api.ts";
export type { Instance } from "./host/calls.ts";

/** Options of {@link createNodeEngine}. */
export interface NodeEngineOptions {
  /** The wasm file, its bytes, or a compiled module; default is the file of this package. */
  wasm?: URL | Bytes | WasmModule;
  /** Makes an instance in place of the default; tests inject failing instances. */
  instantiate?: (module: WasmModule) => Promise<Instance>;
}

/** The wasm file of this package. */
export const WASM_FILE = new URL("../wasm/wattbook_engine_bg.wasm", import.meta.url);

/** An engine on the calling thread, with a wasm instance of its own. */
export function createNodeEngine(options: NodeEngineOptions = {}): Engine {
  const make = options.instantiate ?? instantiate;
  let module: Promise<WebAssembly.Module> | undefined;
  const host = new EngineHost(async () => make(await (module ??= compile(options.wasm ?? WASM_FILE))));
  return createEngine(createThreadTransport(host));
}

async function compile(wasm: URL | Bytes | WasmModule): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  return WebAssembly.compile(wasm instanceof URL ? await readFile(wasm) : wasm);
}
