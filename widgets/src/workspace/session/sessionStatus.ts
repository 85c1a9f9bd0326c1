import type { FormulationId, Message, SolveProgress } from "@service/engine";
import { errorText, sentenceOf } from "../../text/index.ts";
import type { CaseEdits } from "../edits/edits.ts";
import { codeOf } from "../solving/errorCode.ts";

/** What a change that failed would have made, and how long it was tried, ms; null where nobody measured it. */
export interface TriedChange {
  readonly edits: CaseEdits;
  readonly formulation: FormulationId;
  readonly ms: number | null;
}

/** What a session is doing, for the status pill and the panel. */
export type SessionStatus =
  | { kind: "ready" }
  /** `powerFlow` where voltages and flows are those of a power flow at the position, solved and not checked. */
  | { kind: "previewing"; exact: boolean; powerFlow?: true }
  /** With `progress` where the solver iterates. */
  | { kind: "solving"; progress?: SolveProgress }
  | { kind: "waiting"; waitsFor: string }
  | {
      kind: "failed";
      code: string;
      message: string;
      /** What `message` says, to be told with names; null where it is not the engine's. */
      sentence: Message | null;
      /**
       * What the engine adds to it: for a problem without solution, as `explanation`, what contradicts and the minimum relaxation.
       */
      details: unknown;
      /** What was tried; null where it was refused before that was known. */
      tried: TriedChange | null;
      /** Whether it stays true whatever the user does next: the state shown is not that of the kernel. */
      lasting: boolean;
    };

/**
 * What changed in a session: the published state, the prices shown, the column of the primary element or those of the other
 * selected ones (`responses`), the exact path, the selection, how previews are computed, the state that changes are measured
 * from (`reference`), the quantity that maps are asked to show, the status, or the step of a series that pictures show (`step`;
 * `state` follows when it stays).
 */
export type SessionChange =
  | "state"
  | "preview"
  | "column"
  | "responses"
  | "path"
  | "selection"
  | "mode"
  | "reference"
  | "quantity"
  | "status"
  | "step";

/** Codes that mean: the problem as edited has no solution. */
const NO_SOLUTION = new Set(["SOLVE.INFEASIBLE", "SOLVE.UNBOUNDED", "SOLVE.NOT_CONVERGED"]);

/** True when a code says that the edited problem has no solution, false for every other failure. */
export function isNoSolution(code: string): boolean {
  return NO_SOLUTION.has(code);
}

/** The status that tells of an error of what was tried; `before` introduces one that lasts until the next state. */
export function failedStatus(error: unknown, tried: TriedChange | null, before = ""): SessionStatus {
  const message = errorText(error);
  const sentence = before === "" ? sentenceOf(error) : null;
  const details: unknown = error instanceof Error && "details" in error ? error.details : undefined;
  return {
    kind: "failed",
    code: codeOf(error),
    message: before + message,
    sentence,
    details,
    tried,
    lasting: before !== "",
  };
}
