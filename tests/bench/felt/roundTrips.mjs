// Round trips to the engine's worker in Node: the page's own transport and worker bundle, with a thread of Node in the place of the
// browser's worker. Beside them the solver alone in WebAssembly.
import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import { at } from "../../../binder/lib/paths.mjs";
import { least } from "../sides.mjs";
import { WasmSession } from "../solver.mjs";
import { percentile } from "../table.mjs";

const BUSES = 25;

/** What the worker bundle expects around it, then the bundle. */
const SCOPE = `
  const { parentPort } = require("node:worker_threads");
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.navigator ??= {};
  parentPort.on("message", (data) => globalThis.onmessage({ data }));
  import(${JSON.stringify(new URL(`file://${at("engine", "lib", "engine.worker.js")}`).href)}).then(() => parentPort.postMessage("there"));
`;

/** Stands for the browser's `Worker`. Messages wait until the bundle listens. */
class NodeWorker {
  static all = [];
  onmessage = () => undefined;
  onerror = () => undefined;
  #thread = new Thread(SCOPE, { eval: true });
  #early = [];

  constructor() {
    NodeWorker.all.push(this);
    this.#thread.on("message", (data) => {
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

  terminate() {
    return this.#thread.terminate();
  }
}

/** Commits of the steps that the solver does, ms: `cases` are names with the texts of their modules. */
export async function roundTrips({ cases, module, wasm, repeats, steps }) {
  const { configureEngine, engine } = await import(at("engine", "lib", "index.js"));
  const { Worker: before } = globalThis;
  globalThis.Worker = NodeWorker;
  const file = (path, type) => URL.createObjectURL(new Blob([readFileSync(path)], { type }));
  const workerUrl = file(at("engine", "lib", "engine.worker.js"), "text/javascript");
  try {
    configureEngine({ wasmUrl: file(wasm, "application/wasm"), workerUrl });
    const found = [];
    for (const { name, text, path } of cases) {
      const solver = new WasmSession(module);
      solver.open(path, "service");
      const base = least(repeats, () => solver.build() && solver.solve()).ms;
      solver.prepare(BUSES, steps, 0);
      const study = await engine.createStudy(text, "dcopf");
      const trips = [];
      const alone = [];
      for (const { k, bus, mw } of solver.moves()) {
        alone.push(least(repeats, () => solver.step(k)).ms);
        let [trip, inside] = [Infinity, Infinity];
        for (let again = 0; again < repeats; again += 1) {
          await study.reset("felt");
          const began = performance.now();
          const { solution } = await study.commit("felt", { [bus]: mw });
          trip = Math.min(trip, performance.now() - began);
          inside = Math.min(inside, solution.solve_ms);
        }
        trips.push({ trip, inside });
      }
      await study.free();
      const middle = (list) => percentile(list, 50);
      found.push({
        case: name,
        steps: trips.length,
        base_ms: base,
        step_ms: middle(alone),
        worker_ms: middle(trips.map(({ inside }) => inside)),
        trip_ms: middle(trips.map(({ trip }) => trip)),
      });
    }
    return found;
  } finally {
    globalThis.Worker = before;
    await Promise.all(NodeWorker.all.map((worker) => worker.terminate()));
  }
}
