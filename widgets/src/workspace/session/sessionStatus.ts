import type { FormulationId, Message, SolveProgress } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { errorText, sentenceOf } from "../../text/index.ts";
import type { CaseEdits } from "../edits/edits.ts";
import { codeOf } from "../solving/errorCode.ts";

/** What a change that failed would have made, and how long it was tried, ms; null where that was not measured. */
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
      /** What `message` says, to be shown with the names of elements; null where it is not the engine's. */
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
 * from (`reference`), the quantity requested for the maps, the status, or the step of a series that pictures show (`step`;
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

/** The status after an error of what was tried; `before` introduces one that lasts until the next state. */
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

/** A solve is announced once it has lasted so long, ms: views that show a shorter one would only be busy when its prices arrive. */
const LASTING_MS = 100;

/** What a session is doing now, and the signal of its changes. */
export class SessionSignals<Sender> {
  readonly #changed: Signal<Sender, SessionChange>;
  readonly #sender: Sender;
  #status: SessionStatus = { kind: "ready" };
  #silent = false;
  /** Announces a solve that lasts; null while no announcement is due. */
  #lasting: ReturnType<typeof setTimeout> | null = null;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#changed = new Signal<Sender, SessionChange>(sender);
  }

  get changed(): ISignal<Sender, SessionChange> {
    return this.#changed;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** Announces a change. */
  tell(change: SessionChange): void {
    if (!this.#silent) {
      this.#changed.emit(change);
    }
  }

  /** Sets the status and announces it: once for all positions of one preview, of a solve when it lasts. */
  setStatus(status: SessionStatus): void {
    const before = this.#status;
    const same =
      status.kind === "previewing" &&
      before.kind === "previewing" &&
      status.exact === before.exact &&
      status.powerFlow === before.powerFlow;
    this.setQuietly(status);
    if (status.kind === "solving") {
      this.#lasting = setTimeout(() => {
        this.#lasting = null;
        this.tell("status");
      }, LASTING_MS);
    } else if (!same) {
      this.tell("status");
    }
  }

  /** Sets how far the solve is, and announces it once the solve has lasted. */
  setProgress(progress: SolveProgress): void {
    if (this.#status.kind === "solving") {
      this.#status = { kind: "solving", progress };
      if (this.#lasting === null) {
        this.tell("status");
      }
    }
  }

  /** Sets the status together with a state that is announced right after. */
  setQuietly(status: SessionStatus): void {
    this.#status = status;
    this.#forgetSolve();
  }

  /** Goes back to the status of the published state after a change that failed: the user goes on. */
  forgetFailure(): void {
    if (this.#status.kind === "failed" && !this.#status.lasting) {
      this.setStatus({ kind: "ready" });
    }
  }

  /** Announces nothing any more. */
  dispose(): void {
    this.#silent = true;
    this.#forgetSolve();
    Signal.clearData(this.#sender);
  }

  #forgetSolve(): void {
    clearTimeout(this.#lasting ?? undefined);
    this.#lasting = null;
  }
}
