import type { ExportedFile } from "../contract/answers.ts";
import type {
  Capabilities,
  CaseModule,
  DemandDeltas,
  Display,
  Explanation,
  ExportFormat,
  FormulationId,
  FuelUnits,
  GeoApplied,
  GivenCost,
  IngestedCase,
  IngestedDistribution,
  IngestedJsonDrop,
  IngestedNetwork,
  JsonDropClassification,
  McLoads,
  McOptions,
  Placement,
  RatingDeltas,
  SolutionModule,
  SolutionOf,
  SolveOptions,
  SolveRequest,
  SolveResponse,
  StudyBundle,
  TypicalCost,
} from "../contract/contract.ts";
import type { ExplainOptions } from "../jobs/explaining.ts";
import type { LayoutOptions, LayoutResult } from "../jobs/layout.ts";
import type { SolvingOptions } from "../jobs/solving.ts";
import type { McReplayed, McSolution, McStudyHandle } from "./feeder.ts";
import type { FurtherEdits } from "./inputs.ts";
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
  /** The result of `ingestCase` for the retained module of a balanced case. With its hash, a Study that follows does not read it again. */
  inspectModule(module: string | CaseModule, signal?: AbortSignal): Promise<IngestedCase>;
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
    further?: FurtherEdits,
  ): Promise<string>;
  /** The table of typical costs by fuel and size: round figures for cases that bring none. */
  typicalCosts(): Promise<TypicalCost[]>;
  /** The units of a balanced module by fuel, those of most capacity first; `fuels` by generator where the module does not say them. */
  unitsByFuel(moduleJson: string, fuels?: readonly string[]): Promise<FuelUnits[]>;
  /** Whether a CSV file is a table of costs: a column `generator` or `fuel`, and one `cost_c1` or `cost`. */
  isCostTable(bytes: Uint8Array): Promise<boolean>;
  /**
   * The module with assumed costs, without a solve: a new case, whose first warning says so. Costs are typical ones for the units
   * without, given ones by fuel or generator, or the bytes of a CSV file; units that are not named keep theirs. `fuels` as for
   * `unitsByFuel`. Rejects with `COST.MALFORMED`, `GENERATOR.UNKNOWN`, which name the row of a file.
   */
  assumeCosts(
    moduleJson: string,
    costs: "typical" | readonly GivenCost[] | Uint8Array,
    fuels?: readonly string[],
    signal?: AbortSignal,
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
  /**
   * Reads a Study file (`.study.json`, plain or gzip) and checks schema, version, hashes, references and identities before anything
   * of it is given. Rejects with `STUDY_FILE.*`.
   */
  readStudyBundle(bytes: Uint8Array, signal?: AbortSignal): Promise<StudyBundle>;
  /**
   * The bytes of a Study file. Artifacts may have any names in `bundle`: they get their SHA-256, equal texts are stored once, and
   * equal content gives equal bytes. Rejects what `readStudyBundle` would reject.
   */
  writeStudyBundle(bundle: StudyBundle, options?: { gzip?: boolean }): Promise<Uint8Array>;
  /**
   * Reads a Study file that has the power flow of a feeder (`wattbook-mc-study`), plain or gzip, as the text that `replayMcStudy`
   * checks and opens. Rejects with `STUDY_FILE.*`, and with `STUDY_FILE.SCHEMA` for every other Study.
   */
  readMcStudyBundle(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** The bytes of a Study file from what `solveMcStudy` gave. */
  writeMcStudyBundle(text: string, options?: { gzip?: boolean }): Promise<Uint8Array>;
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
  /**
   * AC power flow of a multiconductor module with its prescribed loads. Runs in a worker of feeders, so that cancelling it leaves all
   * else intact. Gives neither prices nor planning objectives.
   */
  solveMcModule(moduleJson: string, options?: McOptions, signal?: AbortSignal): Promise<McSolution>;
  /** The same for the text of a distribution JSON document. */
  solveMcBmopf(text: string, options?: McOptions, signal?: AbortSignal): Promise<McSolution>;
  /** A solved feeder that stays in its worker for edits of its loads. Free it after use. */
  createMcStudy(moduleJson: string, options?: McOptions, signal?: AbortSignal, loads?: McLoads): Promise<McStudyHandle>;
  /** Solves a multiconductor module and gives the result with its input as the text of a file (`McStudyFile`). */
  solveMcStudy(moduleJson: string, options?: McOptions, signal?: AbortSignal, loads?: McLoads): Promise<string>;
  /** Opens such a file without solving: checks its numbers against its solution, and takes the certificate anew. */
  replayMcStudy(text: string, signal?: AbortSignal): Promise<McReplayed>;
  /** Such a file with the positions of a geographic layer; its result stays. */
  applyMcStudyGeo(text: string, layer: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** Loads the wasm package now instead of on the first request. */
  preloadEngine(): Promise<void>;
}
