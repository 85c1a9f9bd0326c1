import { exportedFile, parsed } from "../contract/answers.ts";
import type { IngestedCase } from "../contract.generated.ts";
import type { Engine } from "./engine.ts";
import { runExplaining } from "../jobs/explaining.ts";
import { formatOf, isDisplayFile } from "../contract/formats.ts";
import {
  caseBytes,
  companionFiles,
  editsJson,
  flatPositions,
  layoutPlace,
  moduleText,
  solutionModuleText,
  tokenText,
} from "./inputs.ts";
import { runLayout } from "../jobs/layout.ts";
import { assembleChunks } from "../transport/jsonChunks.ts";
import type { Call } from "../contract/protocol.ts";
import { EngineStudy } from "./study.ts";
import type { Transport } from "../transport/transport.ts";

/** The facade over a transport. */
export function createEngine(transport: Transport): Engine {
  /** Asks for an answer that is JSON; the operation says of which type. */
  async function ask<T>(call: Call, signal?: AbortSignal): Promise<T> {
    const answer = await transport.request(call, signal);
    if (answer.chunks === undefined) return parsed<T>(answer);
    return (await assembleChunks(answer.chunks, "module" in call ? call.module : undefined)) as T;
  }

  return {
    formatOf,
    isDisplayFile,
    classifyJson: async (bytes) => ask({ op: "classifyJson", bytes: caseBytes(bytes) }),
    ingestJsonDrop: async (bytes, signal) => ask({ op: "ingestJsonDrop", bytes: caseBytes(bytes) }, signal),
    ingestCase: async (bytes, format, signal) =>
      ask({ op: "ingestCase", bytes: caseBytes(bytes), format: tokenText(format, "format") }, signal),
    ingestDistribution: async (bytes, format, companions = {}, signal) => {
      const file = { bytes: caseBytes(bytes), format: tokenText(format, "format") };
      return ask({ op: "ingestDistribution", ...file, companions: companionFiles(companions) }, signal);
    },
    parseDisplay: async (bytes, signal) =>
      ask({ op: "parseDisplay", bytes: caseBytes(bytes, "client.display_file") }, signal),

    inspectModule: async (moduleJson, signal) => {
      const module = moduleText(moduleJson);
      const found = await ask<IngestedCase>({ op: "inspectModule", module }, signal);
      return found.module_json === "" ? { ...found, module_json: module } : found; // it does not come back as it went
    },
    inspectDistribution: async (moduleJson, signal) =>
      ask({ op: "inspectDistribution", module: moduleText(moduleJson) }, signal),
    applyGeo: async (moduleJson, bytes, signal) => {
      const layer = caseBytes(bytes, "client.geographic_layer");
      return ask({ op: "applyGeo", module: moduleText(moduleJson), bytes: layer }, signal);
    },
    geoJson: async (moduleJson) => {
      const { json } = await transport.request({ op: "geoJson", module: moduleText(moduleJson) });
      return json as string;
    },
    layoutModule: async (moduleJson, options) => runLayout(transport, moduleText(moduleJson), options),
    applyLayout: async (moduleJson, positions, place) => {
      const stamp = { positions: flatPositions(positions), ...layoutPlace(place) };
      return ask({ op: "applyLayout", module: moduleText(moduleJson), ...stamp });
    },
    placementOf: async (moduleJson) => ask({ op: "placement", module: moduleText(moduleJson) }),

    materializeModule: async (moduleJson, deltas, rates, reactive) => {
      const edits = editsJson(deltas, rates, reactive);
      const { json } = await transport.request({ op: "materialize", module: moduleText(moduleJson), ...edits });
      return json as string;
    },
    exportFormats: async () => ask({ op: "exportFormats" }),
    exportModule: async (moduleJson, format) => {
      const call = { op: "exportModule", module: moduleText(moduleJson), format: tokenText(format, "format") } as const;
      return exportedFile(await transport.request(call));
    },
    readSolutionModule: async (text, signal) =>
      ask({ op: "readSolutionModule", module: solutionModuleText(text) }, signal),
    solveModule: async (moduleJson, request = {}, signal) =>
      ask({ op: "solveModule", module: moduleText(moduleJson), request: JSON.stringify(request) }, signal),
    explainModule: async (moduleJson, request = {}, options) => {
      const what = { module: moduleText(moduleJson), request: JSON.stringify(request) };
      return runExplaining(transport, { kind: "explanationOfModule", ...what }, options);
    },
    capabilities: async () => ask({ op: "capabilities" }),
    createStudy: async (module, formulation, options = {}, signal, onProgress) => {
      const known = typeof module === "object" && module !== null ? module : undefined;
      const text = moduleText(known ? known.module_json : module);
      const of = { module: text, ...(known && { sha256: tokenText(known.sha256, "sha256") }) };
      const recipe = { ...of, formulation: tokenText(formulation, "formulation"), options };
      return EngineStudy.create(transport, recipe, { signal, onProgress });
    },
    preloadEngine: () => transport.start(),
  };
}
