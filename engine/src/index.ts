// The engine of a page: a worker that starts on the first use, behind free functions and the object `engine`.
import { createBrowserWasmTransport, setEngineAssets, type EngineAssets } from "./transport/browser.ts";
import { createEngine } from "./facade/facade.ts";
import type { Engine } from "./facade/engine.ts";
import type { Transport } from "./transport/transport.ts";

export * from "./api.ts";
export { createBrowserWasmTransport, type EngineAssets } from "./transport/browser.ts";
export type { Transport } from "./transport/transport.ts";

let running: Transport | undefined;

/** Sets the URLs of the engine's files. Call it once, before the first use. */
export function configureEngine(assets: EngineAssets): void {
  setEngineAssets(assets);
  running = undefined;
}

const started = () => (running ??= createBrowserWasmTransport());

/** The engine of this page. It loads nothing before the first request or `preloadEngine`. */
export const engine: Engine = createEngine({
  start: async () => started().start(),
  request: async (call, signal) => started().request(call, signal),
  opened: (answer, sha256) => started().opened?.(answer, sha256),
});

export const {
  applyGeo,
  applyLayout,
  applyMcStudyGeo,
  capabilities,
  classifyJson,
  createMcStudy,
  createStudy,
  explainModule,
  exportFormats,
  exportModule,
  figurePdf,
  geoJson,
  ingestCase,
  ingestDistribution,
  ingestJsonDrop,
  inspectDistribution,
  inspectModule,
  layoutModule,
  materializeModule,
  parseDisplay,
  placementOf,
  preloadEngine,
  readMcStudyBundle,
  readSolutionModule,
  readStudyBundle,
  replayMcStudy,
  solveMcBmopf,
  solveMcModule,
  solveMcStudy,
  solveModule,
  writeMcStudyBundle,
  writeStudyBundle,
} = engine;
