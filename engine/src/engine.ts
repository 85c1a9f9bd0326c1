import type { ExportedFile } from "./answers.ts";
import type {
  BrowserFormulation,
  Capabilities,
  CaseModule,
  DemandDeltas,
  Display,
  Explanation,
  ExportFormat,
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
} from "./contract.ts";
import type { ExplainOptions } from "./explaining.ts";
import type { LayoutOptions, LayoutResult } from "./layout.ts";
import type { StudyHandle } from "./study.ts";

/** Where a layout is put on the map. */
export interface LayoutPlace {
  /** Longitude and latitude of the layout's origin, degrees. */
  centre: readonly [lon: number, lat: number];
  /** Kilometres to one unit of the layout; by itself 10 km between neighbours. */
  scale_km?: number;
}

/**
 * Everything the engine does, the same in a page, in a worker and in Node. Files are given as bytes, never as strings. All
 * operations reject with `EngineError`; a signal that fires rejects them with `ABORTED`.
 */
export interface Engine {
  /** Format token of a case file by its name, undefined if unsupported. */
  formatOf(name: string): string | undefined;
  /** Whether a file holds drawing positions (.pwd). */
  isDisplayFile(name: string): boolean;
  /** What a JSON document is, by its content. A geographic layer is `unknown`. */
  classifyJson(bytes: Uint8Array): Promise<JsonDropClassification>;
  /** Reads a JSON document as what it is; `ambiguous` and `unknown` ones are not read. */
  ingestJsonDrop(bytes: Uint8Array, signal?: AbortSignal): Promise<IngestedJsonDrop>;
  /** Reads a balanced case file; the answer carries the retained module, its hash, summary and topology. */
  ingestCase(bytes: Uint8Array, format: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** Reads a multiconductor case file. `companions` are the files it refers to, by path relative to it. */
  ingestDistribution(
    bytes: Uint8Array,
    format: string,
    companions?: Record<string, Uint8Array>,
    signal?: AbortSignal,
  ): Promise<IngestedDistribution>;
  /** Reads a drawing (.pwd) in its own units; its coordinates are no longitudes and latitudes. */
  parseDisplay(bytes: Uint8Array, signal?: AbortSignal): Promise<Display>;
  /** What `ingestCase` answered, for the retained module of a balanced case. */
  inspectModule(moduleJson: string, signal?: AbortSignal): Promise<IngestedCase>;
  /** What `ingestDistribution` answered, for the retained module of a multiconductor case. */
  inspectDistribution(moduleJson: string, signal?: AbortSignal): Promise<IngestedDistribution>;
  /** Joins a geographic layer (CSV, JSON, GeoJSON) to a case of either model. A layer that matches no bus is refused. */
  applyGeo(moduleJson: string, bytes: Uint8Array, signal?: AbortSignal): Promise<GeoApplied>;
  /** The locations and routes of a module as GeoJSON text, for a `.geo.json` file. */
  geoJson(moduleJson: string): Promise<string>;
  /** Computes a deterministic synthetic layout, for a case without coordinates. Other calls get their turn meanwhile. */
  layoutModule(moduleJson: string, options?: LayoutOptions): Promise<LayoutResult>;
  /** Stamps a layout into the module as synthetic locations. Takes the positions of `placementOf` as well. */
  applyLayout(
    moduleJson: string,
    positions: Float64Array | readonly (readonly [number, number])[],
    place: LayoutPlace,
  ): Promise<IngestedNetwork>;
  /** The layout that a module carries, for moving or rescaling it; null unless its coordinates are synthetic. */
  placementOf(moduleJson: string): Promise<Placement | null>;
  /** The module with edits (MW from the base case) stored as demands and ratings, without a solve: a case of its own. */
  materializeModule(moduleJson: string, deltas: DemandDeltas, rates?: RatingDeltas): Promise<string>;
  /** Formats that cases can be written in. */
  exportFormats(): Promise<ExportFormat[]>;
  /** Writes a module as a file of one of those formats. */
  exportModule(moduleJson: string, format: string): Promise<ExportedFile>;
  /**
   * Reads what `saveSolutionModule` wrote, without a solve: the result bit for bit, and the solved network as a module of its
   * own. A module that was changed is refused (`MODULE.TAMPERED`); one of another producer comes with a diagnostic.
   */
  readSolutionModule(text: string, signal?: AbortSignal): Promise<SolutionModule>;
  /** Stateless solve; `{}` is the base DC OPF. */
  solveModule(moduleJson: string, request?: SolveRequest, signal?: AbortSignal): Promise<SolveResponse>;
  /**
   * Why a request has no solution: the elements that contradict each other, and the minimum relaxation in MW; null where it has
   * one. For modules that make no study, because they have no solution even without edits; see `StudyHandle.explain`.
   */
  explainModule(moduleJson: string, request?: SolveRequest, options?: ExplainOptions): Promise<Explanation | null>;
  /** Formulations, operands and parameters of this engine. */
  capabilities(): Promise<Capabilities>;
  /** Opens a study, which solves the base case once. Free it when it is discarded. */
  createStudy<F extends BrowserFormulation>(
    module: string | CaseModule,
    formulation: F,
    options?: SolveOptions,
    signal?: AbortSignal,
  ): Promise<StudyHandle<SolutionOf<F>>>;
  /** Loads the wasm package now instead of with the first request. */
  preloadEngine(): Promise<void>;
}
