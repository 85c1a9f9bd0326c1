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
  GeneratorEdits,
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
  SecurityLists,
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
  /**
   * The same result as `ingestCase`, from the retained module of a balanced case. If its hash is given too, a Study
   * that follows does not read the module again.
   */
  inspectModule(module: string | CaseModule, signal?: AbortSignal): Promise<IngestedCase>;
  /** The same result as `ingestDistribution`, from the retained module of a multiconductor case. */
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
  /** A new case: the module with edits (MW from the base case) stored as demands and ratings, without a solve. */
  materializeModule(
    moduleJson: string,
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    further?: FurtherEdits,
  ): Promise<string>;
  /** The table of typical costs by fuel and size: round figures for cases without costs. */
  typicalCosts(): Promise<TypicalCost[]>;
  /**
   * The units of a balanced module by fuel, in descending order of capacity. `fuels` gives the fuel of each generator
   * for a module without fuels.
   */
  unitsByFuel(moduleJson: string, fuels?: readonly string[]): Promise<FuelUnits[]>;
  /**
   * Reads lists of outages, monitored branches and interfaces, by file name, against a balanced module: PSS/E `.con`, `.mon`
   * and `.sub`, PowerWorld `.aux`, CSV. Rejects with `INPUT.*` for a file that is no list.
   */
  readSecurityLists(
    moduleJson: string,
    files: Record<string, Uint8Array>,
    signal?: AbortSignal,
  ): Promise<SecurityLists>;
  /** Whether a file is such a list and no case. */
  isSecurityList(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Whether a CSV file is a table of costs: a column `generator` or `fuel`, and one `cost_c1` or `cost`. */
  isCostTable(bytes: Uint8Array): Promise<boolean>;
  /**
   * A new case: the module with assumed costs, without a solve; its first warning names the assumption. The costs are
   * typical ones for units without costs, given ones by fuel or generator, or the rows of a CSV file. Units that are
   * not named keep their costs. `fuels` as in `unitsByFuel`. Rejects with `COST.MALFORMED` or `GENERATOR.UNKNOWN`,
   * which name the row of the file.
   */
  assumeCosts(
    moduleJson: string,
    costs: "typical" | readonly GivenCost[] | Uint8Array,
    fuels?: readonly string[],
    signal?: AbortSignal,
  ): Promise<string>;
  /**
   * The same costs as edits of a Study on the module, `cost` and `c2` by generator. Rejects like `assumeCosts`, and with
   * `COST.MALFORMED` for a constant term, which edits do not have.
   */
  costEdits(
    moduleJson: string,
    costs: "typical" | readonly GivenCost[] | Uint8Array,
    fuels?: readonly string[],
    signal?: AbortSignal,
  ): Promise<GeneratorEdits>;
  /** The export formats of cases. */
  exportFormats(): Promise<ExportFormat[]>;
  /** Writes a module in one of these formats. */
  exportModule(moduleJson: string, format: string): Promise<ExportedFile>;
  /**
   * Reads a module written by `saveSolutionModule`, without a solve: the result bit for bit, and the solved network as
   * a separate module. Rejects a modified module (`MODULE.TAMPERED`). A module of another producer has a diagnostic.
   */
  readSolutionModule(text: string, signal?: AbortSignal): Promise<SolutionModule>;
  /**
   * Reads a Study file (`.study.json`, plain or gzip). Checks schema, version, hashes, references and identities before
   * it returns anything. Rejects with `STUDY_FILE.*`.
   */
  readStudyBundle(bytes: Uint8Array, signal?: AbortSignal): Promise<StudyBundle>;
  /**
   * The bytes of a Study file. Artifacts may have any names in `bundle`: the file names them by SHA-256 and stores
   * equal texts once, so that equal content gives equal bytes. Rejects what `readStudyBundle` would reject.
   */
  writeStudyBundle(bundle: StudyBundle, options?: { gzip?: boolean }): Promise<Uint8Array>;
  /**
   * Reads a Study file with the power flow of a feeder (`wattbook-mc-study`), plain or gzip, as the text that
   * `replayMcStudy` checks and opens. Rejects with `STUDY_FILE.*`, and with `STUDY_FILE.SCHEMA` for any other Study
   * file.
   */
  readMcStudyBundle(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** The bytes of a Study file from the text that `solveMcStudy` returns. */
  writeMcStudyBundle(text: string, options?: { gzip?: boolean }): Promise<Uint8Array>;
  /**
   * An SVG picture of a map as the bytes of a PDF of one page, `widthCm` wide, with its fonts embedded. Rejects with `ARGUMENT.CHOICE` for a letter that
   * the fonts do not have and for a colour that is neither a name nor `#rrggbb`, and with `INPUT.SVG` for anything that is not in our pictures.
   */
  figurePdf(svg: string, widthCm: number): Promise<Uint8Array>;
  /** Solves without a Study; the request `{}` is the DC OPF of the base case. */
  solveModule(moduleJson: string, request?: SolveRequest, signal?: AbortSignal): Promise<SolveResponse>;
  /**
   * Explains why a request has no solution: the conflicting limits, and the minimum relaxation in MW; null if it has a
   * solution. For modules whose base case has no solution, so that no Study exists; otherwise use
   * `StudyHandle.explain`.
   */
  explainModule(moduleJson: string, request?: SolveRequest, options?: ExplainOptions): Promise<Explanation | null>;
  /** Formulations, operands and parameters of the engine. */
  capabilities(): Promise<Capabilities>;
  /** Creates a Study and solves its base case; iterative formulations solve in steps. Free the Study after use. */
  createStudy<F extends FormulationId>(
    module: string | CaseModule,
    formulation: F,
    options?: SolveOptions,
    signal?: AbortSignal,
    onProgress?: SolvingOptions["onProgress"],
  ): Promise<StudyHandle<SolutionOf<F>>>;
  /**
   * AC power flow of a multiconductor module with its prescribed loads, without prices or planning objectives. It runs
   * in a worker for feeders, so that cancelling it affects nothing else.
   */
  solveMcModule(moduleJson: string, options?: McOptions, signal?: AbortSignal): Promise<McSolution>;
  /** The same as `solveMcModule`, for the text of a distribution JSON document. */
  solveMcBmopf(text: string, options?: McOptions, signal?: AbortSignal): Promise<McSolution>;
  /** A solved feeder that stays in its worker, so that its loads can be edited. Free it after use. */
  createMcStudy(moduleJson: string, options?: McOptions, signal?: AbortSignal, loads?: McLoads): Promise<McStudyHandle>;
  /** Solves a multiconductor module and returns the result with its input as the text of a file (`McStudyFile`). */
  solveMcStudy(moduleJson: string, options?: McOptions, signal?: AbortSignal, loads?: McLoads): Promise<string>;
  /**
   * Opens the text of a `McStudyFile` without a solve. Checks its numbers against its solution and recomputes the
   * certificate.
   */
  replayMcStudy(text: string, signal?: AbortSignal): Promise<McReplayed>;
  /** Adds the positions of a geographic layer to the text of a `McStudyFile`; the result does not change. */
  applyMcStudyGeo(text: string, layer: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** Loads the wasm package now rather than on the first request. */
  preloadEngine(): Promise<void>;
}
