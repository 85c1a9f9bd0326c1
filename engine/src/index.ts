// The engine in a page: a lazily loaded worker behind free functions and the facade object `engine`.
import { createBrowserWasmTransport, setEngineAssets, type EngineAssets } from "./browser.ts";
import { createEngine, type Engine } from "./facade.ts";
import { formatOf, isDisplayFile } from "./formats.ts";

export * from "./api.ts";
export { createBrowserWasmTransport, type EngineAssets } from "./browser.ts";
export type { Transport } from "./transport.ts";

let running: Engine | undefined;

/** Says where the page serves the engine's files. Called once, before the first use. */
export function configureEngine(assets: EngineAssets): void {
  setEngineAssets(assets);
  running = undefined;
}

async function started(): Promise<Engine> {
  return (running ??= createEngine(createBrowserWasmTransport()));
}

/** The engine of this page. Nothing is loaded before the first request or `preloadEngine`. */
export const engine: Engine = {
  formatOf,
  isDisplayFile,
  ingestCase: async (...args) => (await started()).ingestCase(...args),
  inspectModule: async (...args) => (await started()).inspectModule(...args),
  solveModule: async (...args) => (await started()).solveModule(...args),
  capabilities: async () => (await started()).capabilities(),
  createStudy: async (...args) => (await started()).createStudy(...args),
  preloadEngine: async () => (await started()).preloadEngine(),
};

export const { ingestCase, inspectModule, solveModule, capabilities, createStudy, preloadEngine } = engine;
