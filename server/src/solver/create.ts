import { asset } from "../assets.ts";
import type { CatalogueCase } from "../cases/catalogue.ts";
import { engineFile } from "./engineFile.ts";
import { SolverPool } from "./pool.ts";
import type { SolverThreadData } from "./work.ts";

/** The part of the configuration that the pool uses. */
export interface SolverLimits {
  solverConcurrency: number;
  solverTimeoutSecs: number;
}

/** The solver pool for the cases of a catalogue. Nothing is compiled or copied before the first work. */
export function createSolver(
  limits: SolverLimits,
  catalogue: readonly CatalogueCase[],
  worker: URL = asset("solver.worker.mjs"),
): SolverPool {
  return new SolverPool({
    worker,
    concurrency: limits.solverConcurrency,
    timeoutSecs: limits.solverTimeoutSecs,
    data: () => threadData(catalogue),
  });
}

async function threadData(catalogue: readonly CatalogueCase[]): Promise<SolverThreadData> {
  const wasm = await (await engineFile()).compiled();
  return { wasm, modules: new Map(catalogue.map(({ entry, module }) => [entry.id, shared(module)])) };
}

/** A copy in memory that all threads share. */
function shared(bytes: Uint8Array): SharedArrayBuffer {
  const copy = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}
