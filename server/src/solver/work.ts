// Requests and results of a solver thread, as plain data that crosses the thread boundary.
import type { ErrorBody } from "@service/engine/node";

/** Absolute edits of a case, MW by original id. */
export interface Edits {
  deltas: Record<string, number>;
  rates: Record<string, number>;
}

/** A bus or branch by its original id. */
export type Target = { bus: number } | { branch: number };

/** Formulations of the solve stream. */
export type ServedFormulation = "dcopf" | "acpf" | "socwr";

/** Progress of an iterative solve: objective in $/h, largest remaining violation in MW. */
export interface Iterating {
  iteration: number;
  objective: number;
  residual: number;
}

/** The works of a solver thread: name, request, result. Results are JSON text, ready to be sent. */
export interface Works {
  /** Inspects the case and solves its base state. `name` is the name of the case in the map view. */
  describe: {
    request: { caseId: string; name: string };
    result: { network: string; topology: string; solution: string };
  };
  /**
   * Solves the edited state exactly, as a DC OPF unless `formulation` is given, with the column of `target` if given.
   */
  solve: {
    request: { caseId: string; edits: Edits; target: Target | null; formulation?: ServedFormulation };
    result: { solution: string; sensitivity: string | null };
  };
  /** The sensitivity column at the edited state. */
  sensitivity: {
    request: { caseId: string; edits: Edits; target: Target };
    result: { column: string };
  };
}
export type WorkName = keyof Works;

/** The answer of a solver thread. Errors of the engine are values, so that they keep their code across the boundary. */
export type WorkAnswer<K extends WorkName> = { ok: true; result: Works[K]["result"] } | { ok: false; error: ErrorBody };

/** Data with which each solver thread starts. */
export interface SolverThreadData {
  wasm: WebAssembly.Module;
  /** Module texts, UTF-8, shared by all threads. */
  modules: ReadonlyMap<string, SharedArrayBuffer>;
}
