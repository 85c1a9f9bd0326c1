import type { ErrorBody } from "./contract.generated.ts";

/** One call of the engine as it crosses to the thread that holds the wasm instance. JSON stays text on the way. */
export type Call =
  | { op: "ingestCase"; bytes: Uint8Array; format: string }
  | { op: "inspectModule"; module: string }
  | { op: "solveModule"; module: string; request: string }
  | { op: "capabilities" }
  | { op: "createStudy"; study: number; module: string; formulation: string; options: string }
  | { op: "currentSolution"; study: number }
  | { op: "commit"; study: number; caseId: string; deltas: string; rates: string; target: string }
  | { op: "preview"; study: number; deltas: string; rates: string }
  | { op: "sensitivity"; study: number; caseId: string; deltas: string; rates: string; target: string }
  | { op: "reset"; study: number; caseId: string }
  | { op: "columns"; study: number }
  | { op: "free"; study: number };

/**
 * Columns of a study's current solution by dense row in topology order (lowered rows last), NaN where a row takes no part.
 * Buses: `lmp` ($/MWh), `va_rad`, `demand_mw`. Branches: `flow_mw` (from end), `loading`, `shadow` ($/MWh), `rating_mw`.
 * Generators: `dispatch_mw`.
 */
export interface StudyColumns {
  lmp: Float64Array;
  va_rad: Float64Array;
  demand_mw: Float64Array;
  flow_mw: Float64Array;
  loading: Float64Array;
  shadow: Float64Array;
  rating_mw: Float64Array;
  dispatch_mw: Float64Array;
}

/** What a call gives back: JSON text or columns, and the wall time of the call in milliseconds. */
export interface Answer {
  json?: string;
  columns?: StudyColumns;
  ms: number;
}

/** Page to worker. */
export type ToWorker = { kind: "init"; wasmUrl: string } | { kind: "call"; call: Call };

/** Worker to page. Calls are answered in the order they came, one at a time. */
export type FromWorker =
  | { kind: "ready" }
  | { kind: "failed"; error: ErrorBody }
  | { kind: "answer"; answer: Answer }
  | { kind: "error"; error: ErrorBody };
