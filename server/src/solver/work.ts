// What the server asks of a solver thread. Plain data, it crosses the thread boundary.
import type { ErrorBody } from "@service/engine/node";

/** Absolute edits of a case, MW by original id. */
export interface Edits {
  deltas: Record<string, number>;
  rates: Record<string, number>;
}

/** A bus or branch by its original id. */
export type Target = { bus: number } | { branch: number };

/** What the solve stream solves. */
export type ServedFormulation = "dcopf" | "acpf" | "socwr";

/** Where a solve is that iterates: objective in $/h, largest violation left in MW. */
export interface Iterating {
  iteration: number;
  objective: number;
  residual: number;
}

/** The works of a solver thread: name, request, result. Answers are JSON text, ready to be sent. */
export interface Works {
  /** Inspects the case and solves it in its base state. `name` is what the map view calls it. */
  describe: {
    request: { caseId: string; name: string };
    result: { network: string; topology: string; solution: string };
  };
  /** Solves the edited state exactly, as a DC OPF unless another formulation is named, with the column of `target` if one is named. */
  solve: {
    request: { caseId: string; edits: Edits; target: Target | null; formulation?: ServedFormulation };
    result: { solution: string; sensitivity: string | null };
  };
  /** The column at the edited state. */
  sensitivity: {
    request: { caseId: string; edits: Edits; target: Target };
    result: { column: string };
  };
}
export type WorkName = keyof Works;

/** An answer of a solver thread; engine errors are values so that they keep their code across the boundary. */
export type WorkAnswer<K extends WorkName> = { ok: true; result: Works[K]["result"] } | { ok: false; error: ErrorBody };

/** What each solver thread is started with. */
export interface SolverThreadData {
  wasm: WebAssembly.Module;
  /** Module texts, UTF-8, shared by all threads. */
  modules: ReadonlyMap<string, SharedArrayBuffer>;
}
