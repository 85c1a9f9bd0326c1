import type { Column, ErrorBody } from "../contract.generated.ts";
import type { WasmModule } from "./wasm.ts";

/** Edits as JSON texts, changes from the base case by id or uid. */
export interface EditTexts {
  deltas: string;
  rates: string;
  reactive: string;
  generators: string;
}

type FileCall =
  | { op: "classifyJson"; bytes: Uint8Array }
  | { op: "ingestJsonDrop"; bytes: Uint8Array }
  | { op: "ingestCase"; bytes: Uint8Array; format: string }
  | { op: "ingestDistribution"; bytes: Uint8Array; format: string; companions: [name: string, bytes: Uint8Array][] }
  | { op: "parseDisplay"; bytes: Uint8Array }
  | { op: "isCostTable"; bytes: Uint8Array }
  | { op: "readStudyBundle"; bytes: Uint8Array }
  | { op: "writeStudyBundle"; bundle: string; gzip: boolean }
  | { op: "readMcStudyBundle"; bytes: Uint8Array }
  | { op: "writeMcStudyBundle"; text: string; gzip: boolean };

type ModuleCall =
  /** `sha256` is its hash where that is known: a Study of it is to follow, in the same worker. */
  | { op: "inspectModule"; module: string; sha256?: string }
  | { op: "inspectDistribution"; module: string }
  | { op: "applyGeo"; module: string; bytes: Uint8Array }
  | { op: "geoJson"; module: string }
  | { op: "applyLayout"; module: string; positions: Float64Array; lon: number; lat: number; scaleKm?: number }
  | { op: "placement"; module: string }
  | ({ op: "materialize"; module: string } & EditTexts)
  | { op: "unitsByFuel"; module: string; fuels: string }
  /** `table` is empty, or the bytes of a CSV file that stands in place of given costs. */
  | { op: "assumeCosts"; module: string; costs: string; table: Uint8Array }
  | { op: "exportModule"; module: string; edits?: EditTexts; format: string }
  | { op: "readSolutionModule"; module: string }
  | { op: "solveModule"; module: string; request: string };

/** Long work: what it is, its data with it. */
export type JobSpec =
  | { kind: "layout"; module: string }
  | { kind: "screening" }
  | ({ kind: "explanation" } & EditTexts)
  | { kind: "explanationOfModule"; module: string; request: string }
  | { kind: "loadability"; target: string }
  | { kind: "plan"; spec: string }
  /** The base case of a study to be, which `jobOpen` makes. */
  | { kind: "study"; module: string; sha256?: string; formulation: string; options: string }
  | ({ kind: "commit"; caseId: string; target: string } & EditTexts)
  | { kind: "track"; target: string; fromMw: number; toMw: number; watch: string; explain: boolean };

/** `study` is the one that a job is of, whose worker it is in; it outlives the study's commits. */
type JobCall =
  | { op: "jobStart"; run: number; study?: number; what: JobSpec }
  | { op: "jobStep"; run: number; study?: number; budget: number }
  /** With `keep` the study keeps the path of a track, or the state of a commit. */
  | { op: "jobFinish"; run: number; study?: number; keep: boolean }
  /** Makes the study of a job of that kind. */
  | { op: "jobOpen"; run: number; study: number }
  | { op: "jobFree"; run: number; study?: number };

/** A series of exact solves of a study, some steps a call: `changes` are those of all its elements step by step, MW from the base case. */
type SeriesCall =
  | { op: "seriesStart"; run: number; study: number; spec: string }
  | { op: "seriesSolve"; run: number; study: number; changes: Float64Array }
  | { op: "seriesFree"; run: number; study: number };

type StudyCall =
  | { op: "createStudy"; study: number; module: string; sha256?: string; formulation: string; options: string }
  | { op: "currentSolution"; study: number }
  /** With `hashLater` the result hash is empty; `resultSha256` asks for it. */
  | ({ op: "commit"; study: number; caseId: string; target: string; hashLater?: boolean } & EditTexts)
  | { op: "resultSha256"; study: number }
  | ({ op: "preview"; study: number } & EditTexts)
  | ({ op: "sensitivity"; study: number; caseId: string; target: string } & EditTexts)
  | { op: "lmpComponents"; study: number; target: string }
  | { op: "outageFlows"; study: number; target: string }
  | { op: "reset"; study: number; caseId: string }
  | { op: "trackPrices"; study: number; mw: number }
  | { op: "trackState"; study: number; mw: number }
  | { op: "saveSolutionModule"; study: number; module: string }
  | { op: "syntheticDemand"; study: number; startS: number; hours: number; seed: number }
  | { op: "readProfile"; study: number; bytes: Uint8Array }
  | { op: "free"; study: number };

/** Calls of multiconductor feeders. Those with `feeder` are of one that the engine keeps. */
type FeederCall =
  | { op: "mcOpen"; feeder: number; module: string; options: string; loads: string }
  | { op: "mcCommit"; feeder: number; loads: string }
  | { op: "mcPreview"; feeder: number; loads: string }
  | { op: "mcSave"; feeder: number; module: string }
  | { op: "mcFree"; feeder: number }
  | { op: "mcReplay"; text: string }
  | { op: "mcApplyGeo"; text: string; bytes: Uint8Array };

/**
 * One call of the engine as it crosses to the thread that holds the wasm instance. JSON stays text on the way: a text of
 * 14 MB (a module of 8,870 buses) takes the page 10 to 20 ms to post; answers with whole cases come in chunks, since an
 * object graph would take the page longer than its JSON. Steps of a job name their run, so its module crosses once.
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
  /** Frees the handles of an owner that went to another worker. */
  | { op: "leave"; owner: string };

/** JSON that was taken apart: `outline` lacks the long lists and texts, which are in `parts` by their place, in order. */
export interface JsonChunks {
  outline: string;
  parts: {
    path: string[];
    /** Rows of a list as JSON, a text, or the module that was sent along with the call. */
    kind: "rows" | "text" | "sent";
    /** UTF-8; none for what was sent. */
    bytes?: Uint8Array;
  }[];
}

/** What a call gives back. */
export interface Answer {
  /** JSON text, or a text that is the answer itself (`materialize`, `assumeCosts`, `geoJson`, `saveSolutionModule`, `mcSave`, `mcApplyGeo`). */
  json?: string;
  /** Large JSON instead of `json`, so that no thread parses it at a stretch. */
  chunks?: JsonChunks;
  /** Numbers by row. */
  columns?: Column[];
  /** Values of matrices, row by row. */
  matrices?: Float64Array[];
  /** Prices at a position of a track, $/MWh by dense bus row. */
  prices?: Float64Array;
  flows?: Float64Array;
  /** An exported file. */
  bytes?: Uint8Array;
  /** Wall time of the call in milliseconds. */
  ms: number;
}

/** What of an answer changes threads without a copy. */
export function transferables({ columns, matrices, prices, flows, bytes, chunks }: Answer): ArrayBuffer[] {
  const parts = (chunks?.parts ?? []).map((part) => part.bytes);
  const numbers = (columns ?? []).map(({ values }) => values);
  const arrays: (ArrayBufferView | undefined)[] = [...numbers, ...(matrices ?? []), prices, flows, bytes, ...parts];
  return arrays.filter((array) => array !== undefined).map(({ buffer }) => buffer as ArrayBuffer);
}

/** Page to worker. */
export type ToWorker =
  /** The compiled engine, or its URL for the worker to compile it, and the name of a lock to hold as long as the worker lives. */
  | { kind: "init"; engine: string | WasmModule; lock: string }
  /** A piece of the long text of the call that follows. */
  | { kind: "text"; text: string }
  | { kind: "call"; call: Call };

/** Worker to page. Calls are answered in the order they came, one at a time. */
export type FromWorker =
  /** The script runs. */
  | { kind: "started" }
  /** To the page that gave a URL: the engine, for its other workers. */
  | { kind: "compiled"; module: WasmModule }
  /** `locked` says that it holds the lock, which this browser may not have. */
  | { kind: "ready"; locked: boolean }
  | { kind: "failed"; error: ErrorBody }
  | { kind: "answer"; answer: Answer }
  | { kind: "error"; error: ErrorBody };
