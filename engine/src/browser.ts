import { EngineError } from "./errors.ts";
import { EngineHost } from "./host.ts";
import { fetchModule, instantiate } from "./load.ts";
import { createThreadTransport, type Transport } from "./transport.ts";
import { WorkerTransport } from "./workerTransport.ts";

/** Where a page serves the engine's files. Relative addresses count from the document. */
export interface EngineAssets {
  /** `@service/engine/wasm/wattbook_engine_bg.wasm`. */
  wasmUrl: string | URL;
  /** `@service/engine/worker`; without it calls run on the calling thread. */
  workerUrl?: string | URL;
}

let configured: EngineAssets | undefined;

/** Says where the engine's files are. Called once, before the first use of the engine. */
export function setEngineAssets(assets: EngineAssets): void {
  configured = assets;
}

/** The assets that {@link setEngineAssets} was given. */
export function engineAssets(): EngineAssets {
  if (configured) return configured;
  throw new EngineError({ code: "INTERNAL", message: "configureEngine must be called before the engine is used." });
}

/** A dedicated module worker, or the calling thread with the same interface where a worker cannot start. */
export function createBrowserWasmTransport(assets: EngineAssets = engineAssets()): Transport {
  const wasmUrl = absolute(assets.wasmUrl);
  const workerUrl = assets.workerUrl && absolute(assets.workerUrl);
  let chosen: Promise<Transport> | undefined;

  async function choose(): Promise<Transport> {
    if (workerUrl && typeof Worker === "function") {
      const transport = new WorkerTransport(() => new Worker(workerUrl, { type: "module", name: "wattbook" }), wasmUrl);
      try {
        await transport.start();
        return transport;
      } catch (error) {
        console.warn("wattbook: no worker, the engine runs on the page's own thread.", error);
      }
    }
    let module: Promise<WebAssembly.Module> | undefined;
    return createThreadTransport(
      new EngineHost(async () => {
        module ??= fetchModule(wasmUrl);
        module.catch(() => (module = undefined));
        return instantiate(await module);
      }),
    );
  }

  const transport = () => (chosen ??= choose());
  return {
    start: async () => (await transport()).start(),
    request: async (call, signal) => (await transport()).request(call, signal),
  };
}

function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
