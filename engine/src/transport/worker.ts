// The dedicated worker: one engine host behind messages. ../../build.mjs bundles it into one self-contained ES module,
// `lib/engine.worker.js`, which differs in name from the plain compilation of this file.
import { EngineError, internalError } from "../contract/errors.ts";
import { EngineHost } from "../host/host.ts";
import { fetchModule, instantiate } from "../host/load.ts";
import { inChunks } from "./jsonChunks.ts";
import { withPieces } from "./longTexts.ts";
import { transferables, type Call, type FromWorker, type ToWorker } from "../contract/protocol.ts";

/** The part of DedicatedWorkerGlobalScope in use. The library of its types excludes that of the page. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

let host: EngineHost | undefined;
/** Pieces of the text of the next call. */
let pieces: string[] = [];

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case "init":
      return void init(data.engine, data.lock);
    case "text":
      return void pieces.push(data.text);
    case "call": {
      const call = pieces.length > 0 ? withPieces(data.call, pieces) : data.call;
      pieces = [];
      return void run(call);
    }
  }
};

async function init(engine: string | WebAssembly.Module, lock: string): Promise<void> {
  scope.postMessage({ kind: "started" });
  try {
    const module = typeof engine === "string" ? await compiled(engine) : engine;
    host = new EngineHost(() => instantiate(module));
    await host.load();
    scope.postMessage({ kind: "ready", locked: await held(lock) });
  } catch (error) {
    scope.postMessage({ kind: "failed", error: asEngineError(error).toBody() });
  }
}

/**
 * Compiles the engine. The page gets the module before an instance is made here, because its other workers wait for it.
 */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const module = await fetchModule(url);
  scope.postMessage({ kind: "compiled", module });
  return module;
}

/** Takes a lock that is released only when this thread ends. False without locks, which need a secure context. */
function held(lock: string): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return Promise.resolve(false);
  return new Promise((resolve) => {
    void locks.request(lock, () => {
      resolve(true);
      return new Promise(() => undefined);
    });
  });
}

async function run(call: Call): Promise<void> {
  try {
    const answer = inChunks(call, await (host as EngineHost).run(call));
    scope.postMessage({ kind: "answer", answer }, transferables(answer));
  } catch (error) {
    scope.postMessage({ kind: "error", error: asEngineError(error).toBody() });
  }
}

function asEngineError(error: unknown): EngineError {
  return error instanceof EngineError ? error : internalError(error);
}
