import { readFile } from "node:fs/promises";
import { asset } from "../assets.ts";
import type { CatalogueCase } from "../catalogue.ts";
import type { ServerConfig } from "../config.ts";
import { SolverPool } from "./pool.ts";

let engine: Promise<WebAssembly.Module> | undefined;

/** The solver pool over the cases of a catalogue. The wasm file is compiled once in a process. */
export async function createSolver(
  config: ServerConfig,
  catalogue: readonly CatalogueCase[],
  worker: URL = asset("solver.worker.mjs"),
): Promise<SolverPool> {
  return new SolverPool({
    worker,
    concurrency: config.solverConcurrency,
    timeoutSecs: config.solverTimeoutSecs,
    data: {
      wasm: await (engine ??= readFile(asset("wattbook_engine_bg.wasm")).then((file) => WebAssembly.compile(file))),
      modules: new Map(catalogue.map(({ entry, module }) => [entry.id, module])),
    },
  });
}
