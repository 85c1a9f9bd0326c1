import type {
  BrowserFormulation,
  Capabilities,
  IngestedCase,
  SolveOptions,
  SolveRequest,
  SolveResponse,
} from "./contract.ts";
import { formatOf, isDisplayFile } from "./formats.ts";
import { caseBytes, moduleText, tokenText } from "./inputs.ts";
import { EngineStudy, type StudyHandle } from "./study.ts";
import type { Transport } from "./transport.ts";

/** Everything the engine does, the same in a page, in a worker and in Node. All operations reject with `EngineError`. */
export interface Engine {
  /** Format token of a case file by its name, undefined if unsupported. */
  formatOf(name: string): string | undefined;
  /** Whether a file holds drawing positions (.pwd). */
  isDisplayFile(name: string): boolean;
  /** Parses a case file given as bytes; the answer carries the retained module, its hash, summary and topology. */
  ingestCase(bytes: Uint8Array, format: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** The same answer for a retained module. */
  inspectModule(moduleJson: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** Stateless solve; `{}` is the base DC OPF. */
  solveModule(moduleJson: string, request?: SolveRequest, signal?: AbortSignal): Promise<SolveResponse>;
  /** Formulations, operands and parameters of this engine. */
  capabilities(): Promise<Capabilities>;
  /** Opens a study, which solves the base case once. Free it when it is discarded. */
  createStudy(
    moduleJson: string,
    formulation: BrowserFormulation,
    options?: SolveOptions,
    signal?: AbortSignal,
  ): Promise<StudyHandle>;
  /** Loads the wasm package now instead of with the first request. */
  preloadEngine(): Promise<void>;
}

/** The facade over a transport. */
export function createEngine(transport: Transport): Engine {
  return {
    formatOf,
    isDisplayFile,
    ingestCase: async (bytes, format, signal) => {
      const call = { op: "ingestCase", bytes: caseBytes(bytes), format: tokenText(format, "format") } as const;
      return parsed(await transport.request(call, signal));
    },
    inspectModule: async (moduleJson, signal) =>
      parsed(await transport.request({ op: "inspectModule", module: moduleText(moduleJson) }, signal)),
    solveModule: async (moduleJson, request = {}, signal) => {
      const call = { op: "solveModule", module: moduleText(moduleJson), request: JSON.stringify(request) } as const;
      return parsed(await transport.request(call, signal));
    },
    capabilities: async () => parsed(await transport.request({ op: "capabilities" })),
    createStudy: async (moduleJson, formulation, options = {}, signal) => {
      const recipe = { module: moduleText(moduleJson), formulation: tokenText(formulation, "formulation"), options };
      return EngineStudy.create(transport, recipe, signal);
    },
    preloadEngine: () => transport.start(),
  };
}

function parsed<T>(answer: { json?: string }): T {
  return JSON.parse(answer.json as string) as T;
}
