import type { ExportedFile } from "../contract/answers.ts";
import type {
  Capabilities,
  CaseModule,
  DemandDeltas,
  Display,
  Explanation,
  ExportFormat,
  FormulationId,
  GeoApplied,
  IngestedCase,
  IngestedDistribution,
  IngestedJsonDrop,
  IngestedNetwork,
  JsonDropClassification,
  Placement,
  RatingDeltas,
  SolutionModule,
  SolutionOf,
  SolveOptions,
  SolveRequest,
  SolveResponse,
} from "../contract/contract.ts";
import type { ExplainOptions } from "../jobs/explaining.ts";
import type { LayoutOptions, LayoutResult } from "../jobs/layout.ts";
import type { SolvingOptions } from "../jobs/solving.ts";
import type { StudyHandle } from "./studyHandle.ts";

/** Position and scale of a layout on the map. */
export interface LayoutPlace {
  /** Longitude and latitude of the origin of the layout, degrees. */
  centre: readonly [lon: number, lat: number];
  /** Kilometres per unit of the layout; by default about 10 km between neighbours. */
  scale_km?: number;
}

/**
 * The engine, with the same interface in a page, in a worker and in Node. Files are passed as bytes, never as strings. All
 * operations reject with `EngineError`; an aborted signal rejects them with `ABORTED`.
 */
export interface Engine {
  /** Format token of a case file by its name, undefined if unsupported. */
  formatOf(name: string): string | undefined;
  /** Whether a file holds drawing positions (.pwd). */
  isDisplayFile(name: string): boolean;
  /** Classifies a JSON document by its content. A geographic layer is `unknown`. */
  classifyJson(bytes: Uint8Array): Promise<JsonDropClassification>;
  /** Reads a JSON document of a recognised kind; rejects `ambiguous` and `unknown` ones. */
  ingestJsonDrop(bytes: Uint8Array, signal?: AbortSignal): Promise<IngestedJsonDrop>;
  /** Reads a balanced case file; returns the retained module, its hash, summary and topology. */
  ingestCase(bytes: Uint8Array, format: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** Reads a multiconductor case file. `companions` are the files it includes, by relative path. */
  ingestDistribution(
    bytes: Uint8Array,
    format: string,
    companions?: Record<string, Uint8Array>,
    signal?: AbortSignal,
  ): Promise<IngestedDistribution>;
  /** Reads a drawing (.pwd) in its own units; its coordinates are not longitude and latitude. */
  parseDisplay(bytes: Uint8Array, signal?: AbortSignal): Promise<Display>;
  /** The result of `ingestCase` for the retained module of a balanced case. */
  inspectModule(moduleJson: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** The result of `ingestDistribution` for the retained module of a multiconductor case. */
  inspectDistribution(moduleJson: string, signal?: AbortSignal): Promise<IngestedDistribution>;
  /** Applies a geographic layer (CSV, JSON, GeoJSON) to a case of either model. Rejects a layer that matches no bus. */
  applyGeo(moduleJson: string, bytes: Uint8Array, signal?: AbortSignal): Promise<GeoApplied>;
  /** Positions and routes of a module as GeoJSON text, for a `.geo.json` file. */
  geoJson(moduleJson: string): Promise<string>;
  /** Computes a deterministic synthetic layout, for a case without coordinates. Other calls run between its steps. */
  layoutModule(moduleJson: string, options?: LayoutOptions): Promise<LayoutResult>;
  /** Stores a layout in the module as synthetic positions; also accepts the positions of `placementOf`. */
  applyLayout(
    moduleJson: string,
    positions: Float64Array | readonly (readonly [number, number])[],
    place: LayoutPlace,
  ): Promise<IngestedNetwork>;
  /** The layout stored in a module, to move or rescale it; null unless its coordinates are synthetic. */
  placementOf(moduleJson: string): Promise<Placement | null>;
  /** The module with edits (MW from the base case) stored as demands and ratings, without a solve: a new case. */
  materializeModule(
    moduleJson: string,
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    reactive?: DemandDeltas,
  ): Promise<string>;
  /** The export formats of cases. */
  exportFormats(): Promise<ExportFormat[]>;
  /** Writes a module in one of these formats. */
  exportModule(moduleJson: string, format: string): Promise<ExportedFile>;
  /**
   * Reads a module written by `saveSolutionModule`, without a solve: the result bit for bit, and the solved network as a separate
   * module. Rejects a modified module (`MODULE.TAMPERED`); one of another producer has a diagnostic.
   */
  readSolutionModule(text: string, signal?: AbortSignal): Promise<SolutionModule>;
  /** Stateless solve; `{}` is the base DC OPF. */
  solveModule(moduleJson: string, request?: SolveRequest, signal?: AbortSignal): Promise<SolveResponse>;
  /**
   * Why a request has no solution: the conflicting limits, and the minimum relaxation in MW; null if it has one. For modules
   * without a Study, because their base case has no solution; otherwise use `StudyHandle.explain`.
   */
  explainModule(moduleJson: string, request?: SolveRequest, options?: ExplainOptions): Promise<Explanation | null>;
  /** Formulations, operands and parameters of this engine. */
  capabilities(): Promise<Capabilities>;
  /** Creates a Study and solves its base case, in steps where the formulation iterates. Free it after use. */
  createStudy<F extends FormulationId>(
    module: string | CaseModule,
    formulation: F,
    options?: SolveOptions,
    signal?: AbortSignal,
    onProgress?: SolvingOptions["onProgress"],
  ): Promise<StudyHandle<SolutionOf<F>>>;
  /** Loads the wasm package now instead of on the first request. */
  preloadEngine(): Promise<void>;
}
