import { exportedFile, parsed } from "../contract/answers.ts";
import type {
  AssumedCosts,
  GeoAppliedHead,
  IngestedCase,
  IngestedCaseHead,
  IngestedDistribution,
  IngestedJsonDrop,
  IngestedJsonDropHead,
  IngestedNetwork,
  IngestedNetworkHead,
  JsonDropClassification,
  McOptions,
  SolutionModule,
  SolutionModuleHead,
  Solved,
} from "../contract.generated.ts";
import { caseOf, networkOf } from "./caseRows.ts";
import type { Engine } from "./engine.ts";
import { runExplaining } from "../jobs/explaining.ts";
import { EngineFeeder, type McSolution, replayed } from "./feeder.ts";
import { formatOf, isDisplayFile } from "../contract/formats.ts";
import {
  caseBytes,
  companionFiles,
  editsJson,
  flatPositions,
  layoutPlace,
  moduleGiven,
  moduleText,
  solutionModuleText,
  tokenText,
} from "./inputs.ts";
import { runLayout } from "../jobs/layout.ts";
import { assembleChunks } from "../transport/jsonChunks.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import { byName, StudyRows, type ColumnsByName } from "./rows.ts";
import { EngineStudy } from "./study.ts";
import type { Transport } from "../transport/transport.ts";

/** The request of costs to assume, with the bytes of a table, which are empty without one. */
function assumedCosts(
  costs: Parameters<Engine["assumeCosts"]>[1],
  fuels: readonly string[] | undefined,
): { costs: string; table: Uint8Array } {
  const assumed: AssumedCosts = {
    ...(Array.isArray(costs) ? { given: costs } : {}),
    ...(fuels && { fuels: [...fuels] }),
  };
  const table = costs instanceof Uint8Array ? caseBytes(costs, "client.cost_table") : new Uint8Array();
  return { costs: JSON.stringify(assumed), table };
}

const itself = (found: IngestedCase): IngestedCase => found;

/** The engine over a transport. */
export function createEngine(transport: Transport): Engine {
  /** Requests an answer whose type follows from the operation. */
  async function ask<T>(call: Call, signal?: AbortSignal): Promise<T> {
    const answer = await transport.request(call, signal);
    return parse<T>(call, answer);
  }

  /**
   * Requests an answer whose numbers are columns. `caseIn` names the case that stays open in the worker that read it.
   */
  async function requestColumns<Head, T>(
    call: Call,
    made: (head: Head, columns: ColumnsByName) => T,
    signal?: AbortSignal,
    caseIn: (found: T) => { sha256: string; model: string } | null = () => null,
  ): Promise<T> {
    const answer = await transport.request(call, signal);
    const found = made(await parse<Head>(call, answer), byName(answer.columns));
    const opened = caseIn(found);
    if (opened?.model === "balanced") transport.opened?.(answer, opened.sha256);
    return found;
  }

  async function parse<T>(call: Call, answer: Answer): Promise<T> {
    if (answer.chunks === undefined) return parsed<T>(answer);
    return (await assembleChunks(answer.chunks, "module" in call ? call.module : undefined)) as T;
  }

  async function solveFeeder(module: string, options?: McOptions, signal?: AbortSignal): Promise<McSolution> {
    const feeder = await EngineFeeder.create(transport, module, options, {}, signal);
    await feeder.free();
    return feeder.current;
  }

  return {
    formatOf,
    isDisplayFile,
    classifyJson: async (bytes) => ask({ op: "classifyJson", bytes: caseBytes(bytes) }),
    ingestJsonDrop: async (bytes, signal) =>
      requestColumns(
        { op: "ingestJsonDrop", bytes: caseBytes(bytes) },
        ({ payload, ...head }: IngestedJsonDropHead, columns) =>
          ({ ...head, payload: payload && networkOf(payload, columns) }) as IngestedJsonDrop,
        signal,
        ({ payload }) => payload,
      ),
    ingestCase: async (bytes, format, signal) =>
      requestColumns(
        { op: "ingestCase", bytes: caseBytes(bytes), format: tokenText(format, "format") },
        caseOf,
        signal,
        itself,
      ),
    ingestDistribution: async (bytes, format, companions = {}, signal) => {
      const file = { bytes: caseBytes(bytes), format: tokenText(format, "format") };
      return ask({ op: "ingestDistribution", ...file, companions: companionFiles(companions) }, signal);
    },
    parseDisplay: async (bytes, signal) =>
      ask({ op: "parseDisplay", bytes: caseBytes(bytes, "client.display_file") }, signal),

    inspectModule: async (given, signal) => {
      const { module, ...known } = moduleGiven(given);
      const whole = (head: IngestedCaseHead, columns: ColumnsByName) =>
        caseOf(head.module_json === "" ? { ...head, module_json: module } : head, columns); // the worker does not send the module back
      return requestColumns({ op: "inspectModule", module, ...known }, whole, signal, itself);
    },
    inspectDistribution: async (moduleJson, signal) =>
      ask({ op: "inspectDistribution", module: moduleText(moduleJson) }, signal),
    applyGeo: async (moduleJson, bytes, signal) => {
      const layer = caseBytes(bytes, "client.geographic_layer");
      const call = { op: "applyGeo", module: moduleText(moduleJson), bytes: layer } as const;
      const made = (head: GeoAppliedHead, columns: ColumnsByName) => ({ ...head, case: networkOf(head.case, columns) });
      return requestColumns(call, made, signal);
    },
    geoJson: async (moduleJson) => {
      const { json } = await transport.request({ op: "geoJson", module: moduleText(moduleJson) });
      return json as string;
    },
    layoutModule: async (moduleJson, options) => runLayout(transport, moduleText(moduleJson), options),
    applyLayout: async (moduleJson, positions, place) => {
      const stamp = { positions: flatPositions(positions), ...layoutPlace(place) };
      return requestColumns<IngestedNetworkHead, IngestedNetwork>(
        { op: "applyLayout", module: moduleText(moduleJson), ...stamp },
        networkOf,
      );
    },
    placementOf: async (moduleJson) => ask({ op: "placement", module: moduleText(moduleJson) }),

    materializeModule: async (moduleJson, deltas, rates, further) => {
      const edits = editsJson(deltas, rates, further);
      const { json } = await transport.request({ op: "materialize", module: moduleText(moduleJson), edits });
      return json as string;
    },
    typicalCosts: async () => ask({ op: "typicalCosts" }),
    unitsByFuel: async (moduleJson, fuels) =>
      ask({ op: "unitsByFuel", module: moduleText(moduleJson), fuels: JSON.stringify(fuels ?? null) }),
    readSecurityLists: async (moduleJson, files, signal) =>
      ask({ op: "readSecurityLists", module: moduleText(moduleJson), files: companionFiles(files) }, signal),
    isSecurityList: async (name, bytes) => ask({ op: "isSecurityList", name, bytes: caseBytes(bytes) }),
    isCostTable: async (bytes) => ask({ op: "isCostTable", bytes: caseBytes(bytes, "client.cost_table") }),
    assumeCosts: async (moduleJson, costs, fuels, signal) => {
      const call = { op: "assumeCosts", module: moduleText(moduleJson), ...assumedCosts(costs, fuels) } as const;
      const { json } = await transport.request(call, signal);
      return json as string;
    },
    costEdits: async (moduleJson, costs, fuels, signal) =>
      ask({ op: "costEdits", module: moduleText(moduleJson), ...assumedCosts(costs, fuels) }, signal),
    exportFormats: async () => ask({ op: "exportFormats" }),
    exportModule: async (moduleJson, format) => {
      const call = { op: "exportModule", module: moduleText(moduleJson), format: tokenText(format, "format") } as const;
      return exportedFile(await transport.request(call));
    },
    readSolutionModule: async (text, signal) => {
      const made = ({ solution, rows, ...head }: SolutionModuleHead, columns: ColumnsByName): SolutionModule => ({
        ...head,
        solution: new StudyRows(() => rows, columns).solution(solution, columns),
      });
      return requestColumns({ op: "readSolutionModule", module: solutionModuleText(text) }, made, signal);
    },
    readStudyBundle: async (bytes, signal) =>
      ask({ op: "readStudyBundle", bytes: caseBytes(bytes, "client.study_file") }, signal),
    writeStudyBundle: async (bundle, { gzip = false } = {}) => {
      const answer = await transport.request({ op: "writeStudyBundle", bundle: JSON.stringify(bundle), gzip });
      return answer.bytes as Uint8Array;
    },
    readMcStudyBundle: async (bytes, signal) => {
      const call = { op: "readMcStudyBundle", bytes: caseBytes(bytes, "client.study_file") } as const;
      return (await transport.request(call, signal)).json as string;
    },
    writeMcStudyBundle: async (text, { gzip = false } = {}) => {
      const answer = await transport.request({ op: "writeMcStudyBundle", text: tokenText(text, "text"), gzip });
      return answer.bytes as Uint8Array;
    },
    figurePdf: async (svg, widthCm) => {
      const answer = await transport.request({ op: "figurePdf", svg: tokenText(svg, "svg"), widthCm });
      return answer.bytes as Uint8Array;
    },
    solveModule: async (moduleJson, request = {}, signal) => {
      const call = { op: "solveModule", module: moduleText(moduleJson), request: JSON.stringify(request) } as const;
      const answer = await transport.request(call, signal);
      const { response, rows } = parsed<Solved>(answer);
      return new StudyRows(() => rows, byName(answer.columns)).response(response, answer);
    },
    explainModule: async (moduleJson, request = {}, options) => {
      const what = { module: moduleText(moduleJson), request: JSON.stringify(request) };
      return runExplaining(transport, { kind: "explanationOfModule", ...what }, options);
    },
    capabilities: async () => ask({ op: "capabilities" }),
    createStudy: async (module, formulation, options = {}, signal, onProgress) => {
      const recipe = { ...moduleGiven(module), formulation: tokenText(formulation, "formulation"), options };
      return EngineStudy.create(transport, recipe, { signal, onProgress });
    },
    solveMcModule: async (moduleJson, options, signal) => solveFeeder(moduleText(moduleJson), options, signal),
    solveMcBmopf: async (text, options, signal) => {
      const bytes = new TextEncoder().encode(tokenText(text, "text"));
      const { format } = await ask<JsonDropClassification>({ op: "classifyJson", bytes }, signal);
      const file = { bytes, format: format ?? "bmopf-json", companions: [] };
      const read = await ask<IngestedDistribution>({ op: "ingestDistribution", ...file }, signal);
      return solveFeeder(read.module_json, options, signal);
    },
    createMcStudy: async (moduleJson, options, signal, loads) =>
      EngineFeeder.create(transport, moduleText(moduleJson), options, loads, signal),
    solveMcStudy: async (moduleJson, options, signal, loads) => {
      const feeder = await EngineFeeder.create(transport, moduleText(moduleJson), options, loads, signal);
      return feeder.save(signal).finally(() => void feeder.free());
    },
    replayMcStudy: async (text, signal) => {
      const call = { op: "mcReplay", text: tokenText(text, "text") } as const;
      return replayed(await transport.request(call, signal));
    },
    applyMcStudyGeo: async (text, layer, signal) => {
      const bytes = caseBytes(layer, "client.geographic_layer");
      const call = { op: "mcApplyGeo", text: tokenText(text, "text"), bytes } as const;
      const { json } = await transport.request(call, signal);
      return json as string;
    },
    preloadEngine: () => transport.start(),
  };
}
