import type { Column, ErrorBody } from "../contract.generated.ts";
import type { WasmModule } from "./wasm.ts";

// Edits cross as the JSON of the contract's `Edits`, absolute from the base case.

type FileCall =
  | { op: "classifyJson"; bytes: Uint8Array }
  | { op: "ingestJsonDrop"; bytes: Uint8Array }
  | { op: "ingestCase"; bytes: Uint8Array; format: string }
  | { op: "ingestDistribution"; bytes: Uint8Array; format: string; companions: [name: string, bytes: Uint8Array][] }
  | { op: "parseDisplay"; bytes: Uint8Array }
  | { op: "isCostTable"; bytes: Uint8Array }
  | { op: "isSecurityList"; name: string; bytes: Uint8Array }
  | { op: "readStudyBundle"; bytes: Uint8Array }
  | { op: "writeStudyBundle"; bundle: string; gzip: boolean }
  | { op: "readMcStudyBundle"; bytes: Uint8Array }
  | { op: "writeMcStudyBundle"; text: string; gzip: boolean }
  | { op: "figurePdf"; svg: string; widthCm: number };

type ModuleCall =
  /**
   * `sha256`, if known, is the hash of the module. It announces that a Study of the module follows in the same worker.
   */
  | { op: "inspectModule"; module: string; sha256?: string }
  | { op: "inspectDistribution"; module: string }
  | { op: "applyGeo"; module: string; bytes: Uint8Array }
  | { op: "geoJson"; module: string }
  | { op: "applyLayout"; module: string; positions: Float64Array; lon: number; lat: number; scaleKm?: number }
  | { op: "placement"; module: string }
  | { op: "materialize"; module: string; edits: string }
  | { op: "unitsByFuel"; module: string; fuels: string }
  | { op: "readSecurityLists"; module: string; files: [name: string, bytes: Uint8Array][] }
  /** `table` is empty, or holds the bytes of a CSV file that replaces given costs. */
  | { op: "assumeCosts" | "costEdits"; module: string; costs: string; table: Uint8Array }
  | { op: "exportModule"; module: string; edits?: string; format: string }
  | { op: "readSolutionModule"; module: string }
  | { op: "solveModule"; module: string; request: string };

/** The kind of a job and its data. */
export type JobSpec =
  | { kind: "layout"; module: string }
  | { kind: "screening"; options: string }
  | { kind: "explanation"; edits: string }
  | { kind: "explanationOfModule"; module: string; request: string }
  | { kind: "loadability"; target: string }
  | { kind: "day"; spec: string; values: Float64Array }
  | { kind: "plan"; spec: string }
  /** The base case of a study that `jobOpen` creates. */
  | { kind: "study"; module: string; sha256?: string; formulation: string; options: string }
  | { kind: "commit"; caseId: string; edits: string; target: string }
  | { kind: "track"; target: string; fromMw: number; toMw: number; watch: string; explain: boolean };

/** `study` names the study of the job, and thereby its worker. The job outlives commits of the study. */
type JobCall =
  | { op: "jobStart"; run: number; study?: number; what: JobSpec }
  | { op: "jobStep"; run: number; study?: number; budget: number }
  /** With `keep` the study stores the path of a track, or the state of a commit. */
  | { op: "jobFinish"; run: number; study?: number; keep: boolean }
  /** Creates the study that a job of kind `study` has solved. */
  | { op: "jobOpen"; run: number; study: number }
  | { op: "jobFree"; run: number; study?: number };

/**
 * A series of exact solves of a study, a few steps per call. `changes` holds the changes of all its elements, step by
 * step, in MW from the base case.
 */
type SeriesCall =
  | { op: "seriesStart"; run: number; study: number; spec: string }
  | { op: "seriesSolve"; run: number; study: number; changes: Float64Array }
  | { op: "seriesFree"; run: number; study: number };

type StudyCall =
  | { op: "createStudy"; study: number; module: string; sha256?: string; formulation: string; options: string }
  | { op: "currentSolution"; study: number }
  /** Describes the case of a study with further elements. */
  | { op: "networkWith"; study: number; added: string }
  /** With `hashLater` the result hash is empty; `resultSha256` returns it later. */
  | { op: "commit"; study: number; caseId: string; edits: string; target: string; hashLater?: boolean }
  | { op: "resultSha256"; study: number }
  | { op: "preview"; study: number; edits: string }
  | { op: "sensitivity"; study: number; caseId: string; edits: string; target: string }
  | { op: "lmpComponents"; study: number; target: string }
  | { op: "outageFlows" | "outageColumns"; study: number; target: string }
  | { op: "reset"; study: number; caseId: string }
  | { op: "trackPrices"; study: number; mw: number }
  | { op: "trackState"; study: number; mw: number }
  | { op: "saveSolutionModule"; study: number; module: string }
  | { op: "syntheticDemand"; study: number; startS: number; hours: number; seed: number }
  | { op: "readProfile"; study: number; bytes: Uint8Array }
  | { op: "free"; study: number };

/** Calls of multiconductor feeders. Those with `feeder` refer to a feeder that the engine holds. */
type FeederCall =
  | { op: "mcOpen"; feeder: number; module: string; options: string; loads: string }
  | { op: "mcCommit"; feeder: number; loads: string }
  | { op: "mcPreview"; feeder: number; loads: string }
  | { op: "mcSave"; feeder: number; module: string }
  | { op: "mcFree"; feeder: number }
  | { op: "mcReplay"; text: string }
  | { op: "mcApplyGeo"; text: string; bytes: Uint8Array };

/**
 * A call of the engine as it crosses to the thread of the wasm instance. JSON stays text: a page takes 10 to 20 ms to
 * post 14 MB (the module of 8,870 buses), and an object graph would take longer than its JSON. Answers with whole cases
 * come in chunks. The steps of a job name their run, so that its module crosses only once.
 */
export type Call =
  | FileCall
  | ModuleCall
  | JobCall
  | SeriesCall
  | StudyCall
  | FeederCall
  | { op: "capabilities" }
  | { op: "exportFormats" }
  | { op: "typicalCosts" }
  /** Frees the handles of an owner that moved to another worker. */
  | { op: "leave"; owner: string };

/** JSON that was split: `outline` lacks the long lists and texts, which `parts` holds in the order of their paths. */
export interface JsonChunks {
  outline: string;
  parts: {
    path: string[];
    /** Rows of a list as JSON, a text, or the module that was sent with the call. */
    kind: "rows" | "text" | "sent";
    /** UTF-8; absent for `sent`. */
    bytes?: Uint8Array;
  }[];
}

/** The result of a call. */
export interface Answer {
  /**
   * JSON text, or plain text for `materialize`, `assumeCosts`, `geoJson`, `saveSolutionModule`, `mcSave` and
   * `mcApplyGeo`.
   */
  json?: string;
  /** Large JSON in place of `json`, so that no thread parses it at once. */
  chunks?: JsonChunks;
  /** Columns of numbers by row. */
  columns?: Column[];
  /** Values of matrices, row by row. */
  matrices?: Float64Array[];
  /** Prices at a position of a track, $/MWh by dense bus row. */
  prices?: Float64Array;
  flows?: Float64Array;
  /** An exported file. */
  bytes?: Uint8Array;
  /** Wall time of the call, ms. */
  ms: number;
}

/** The buffers of an answer that can be transferred between threads without a copy. */
export function transferables({ columns, matrices, prices, flows, bytes, chunks }: Answer): ArrayBuffer[] {
  const parts = (chunks?.parts ?? []).map((part) => part.bytes);
  const numbers = (columns ?? []).map(({ values }) => values);
  const arrays: (ArrayBufferView | undefined)[] = [...numbers, ...(matrices ?? []), prices, flows, bytes, ...parts];
  return arrays.filter((array) => array !== undefined).map(({ buffer }) => buffer as ArrayBuffer);
}

/** Page to worker. */
export type ToWorker =
  /**
   * The compiled engine, or the URL from which the worker compiles it, and the name of a lock that the worker holds
   * while it lives.
   */
  | { kind: "init"; engine: string | WasmModule; lock: string }
  /** A piece of the long text of the next call. */
  | { kind: "text"; text: string }
  | { kind: "call"; call: Call };

/** Worker to page. The worker answers calls one at a time, in the order in which they came. */
export type FromWorker =
  /** The script has started. */
  | { kind: "started" }
  /** The compiled engine for the other workers of the page. Only sent by the worker that got a URL. */
  | { kind: "compiled"; module: WasmModule }
  /** `locked` is false if the browser has no locks. */
  | { kind: "ready"; locked: boolean }
  | { kind: "failed"; error: ErrorBody }
  | { kind: "answer"; answer: Answer }
  | { kind: "error"; error: ErrorBody };
