// A Node thread in place of the browser's worker: the page's own transport and worker bundle run over it.
import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import { at } from "../../binder/lib/paths.mjs";

/** The environment of the worker bundle, then the bundle. On request it reports its memory after collecting garbage. */
const SCOPE = `
  const { parentPort } = require("node:worker_threads");
  const { instantiate } = WebAssembly;
  let engine;
  WebAssembly.instantiate = async (...source) => {
    const made = await instantiate(...source);
    const { exports } = made.instance ?? made;
    if ("__wbindgen_malloc" in exports) engine = exports.memory; // Node's fetch has a separate module
    return made;
  };
  const memory = () => {
    require("node:v8").setFlagsFromString("--expose-gc");
    require("node:vm").runInNewContext("gc")();
    return { wasm: engine?.buffer.byteLength ?? 0, heap: process.memoryUsage().heapUsed };
  };
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.navigator ??= {};
  parentPort.on("message", (data) =>
    data === "memory" ? parentPort.postMessage({ memory: memory() }) : globalThis.onmessage({ data }),
  );
  import(${JSON.stringify(new URL(`file://${at("engine", "lib", "engine.worker.js")}`).href)}).then(() => parentPort.postMessage("there"));
`;

/** Stands for the browser's `Worker`. Messages wait until the bundle listens. */
class NodeWorker {
  static all = [];
  onmessage = () => undefined;
  onerror = () => undefined;
  #thread = new Thread(SCOPE, { eval: true });
  #early = [];
  #received = () => undefined;

  constructor() {
    NodeWorker.all.push(this);
    this.#thread.on("message", (data) => {
      if (data.memory) return this.#received(data.memory);
      if (data !== "there") return this.onmessage({ data });
      for (const message of this.#early) this.#thread.postMessage(message);
      this.#early = undefined;
    });
    this.#thread.on("error", (error) => this.onerror({ message: String(error), preventDefault: () => undefined }));
  }

  postMessage(message) {
    if (this.#early) this.#early.push(message);
    else this.#thread.postMessage(message);
  }

  /** Bytes of the engine's WebAssembly and of the thread's own heap. */
  memory() {
    return new Promise((resolve) => {
      this.#received = resolve;
      this.postMessage("memory");
    });
  }

  /** Ends an idle worker on behalf of the pool; an ended worker has no memory. */
  terminate() {
    const place = NodeWorker.all.indexOf(this);
    if (place >= 0) NodeWorker.all.splice(place, 1);
    this.#received({ wasm: 0, heap: 0 });
    return this.#thread.terminate();
  }
}

/** Runs `work` with the built engine as in a page; `work` gets the engine and a list of the workers it started. */
export async function withWorkers(wasm, work) {
  const { configureEngine, engine } = await import(at("engine", "lib", "index.js"));
  const { Worker: before } = globalThis;
  globalThis.Worker = NodeWorker;
  const file = (path, type) => URL.createObjectURL(new Blob([readFileSync(path)], { type }));
  const workerUrl = file(at("engine", "lib", "engine.worker.js"), "text/javascript");
  try {
    configureEngine({ wasmUrl: file(wasm, "application/wasm"), workerUrl });
    return await work(engine, NodeWorker.all);
  } finally {
    globalThis.Worker = before;
    await Promise.all([...NodeWorker.all].map((worker) => worker.terminate()));
  }
}
