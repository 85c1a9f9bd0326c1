import { clientError } from "../contract/errors.ts";
import { EngineHost } from "../host/host.ts";
import { instantiate } from "../host/load.ts";
import { ModuleSource } from "./moduleSource.ts";
import { createThreadTransport, orAborted, type Transport } from "./transport.ts";
import { WorkerPool } from "./workerPool.ts";

/** URLs of the engine's files. Relative URLs are resolved against the document. */
export interface EngineAssets {
  /** `@service/engine/wasm/wattbook_engine_bg.wasm`. */
  wasmUrl: string | URL;
  /** `@service/engine/worker`; if absent, calls run on the calling thread. */
  workerUrl?: string | URL;
}

let configured: EngineAssets | undefined;

/** Sets the URLs of the engine's files. Call it once, before the first use of the engine. */
export function setEngineAssets(assets: EngineAssets): void {
  configured = assets;
}

/** The assets of {@link setEngineAssets}. */
function engineAssets(): EngineAssets {
  if (configured) return configured;
  throw clientError("INTERNAL", "client.engine_not_configured", {});
}

/** Dedicated module workers, or the calling thread with the same interface if no worker can start. */
export function createBrowserWasmTransport(assets: EngineAssets = engineAssets()): Transport {
  const wasmUrl = absolute(assets.wasmUrl);
  const workerUrl = assets.workerUrl && absolute(assets.workerUrl);
  const source = new ModuleSource(wasmUrl);
  let chosen: Promise<Transport> | undefined;
  let there: Transport | undefined;

  /** `ahead` also starts the worker for the first Study. */
  async function choose(ahead: boolean): Promise<Transport> {
    if (workerUrl && typeof Worker === "function") {
      try {
        return await startedPool(workerUrl, source, ahead);
      } catch (error) {
        console.warn("wattbook: no worker, the engine runs on the page's own thread.", error);
      }
    }
    return createThreadTransport(new EngineHost(async () => instantiate(await source.here())));
  }

  const transport = (ahead = false) => (chosen ??= choose(ahead).then((one) => (there = one)));
  return {
    start: async () => (await transport(true)).start(),
    request: (call, signal) =>
      there
        ? there.request(call, signal)
        : orAborted(
            transport().then((one) => one.request(call, signal)),
            signal,
          ),
    opened: (answer, sha256) => there?.opened?.(answer, sha256),
  };
}

/** Chromium starts no module worker for a page from the disk. The worker is one file and runs as either type. */
function workerType(): WorkerType {
  return globalThis.location?.protocol === "file:" ? "classic" : "module";
}

/**
 * Workers from a copy of their script, so that later workers match the build of this page even if the files on the
 * server have changed or the server is gone. If a policy forbids copies, workers start from the URL itself.
 */
async function startedPool(workerUrl: string, source: ModuleSource, ahead: boolean): Promise<WorkerPool> {
  const from = async (url: string) => {
    const pool = new WorkerPool(() => new Worker(url, { type: workerType(), name: "wattbook" }), source);
    await (ahead ? pool.start() : pool.probe());
    return pool;
  };
  const copy = await copyOf(workerUrl).catch(() => undefined);
  if (copy === undefined) return from(workerUrl);
  try {
    return await from(copy);
  } catch {
    URL.revokeObjectURL(copy);
    return from(workerUrl);
  }
}

async function copyOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: "text/javascript" }));
}

function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
