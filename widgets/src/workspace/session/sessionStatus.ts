import type { FormulationId, Message, SolveProgress } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { errorText, sentenceOf } from "../../text/index.ts";
import type { CaseEdits } from "../edits/edits.ts";
import { codeOf } from "../solving/errorCode.ts";

/** The edits of a failed change, and the duration of the attempt, ms; null where that was not measured. */
export interface TriedChange {
  readonly edits: CaseEdits;
  readonly formulation: FormulationId;
  readonly ms: number | null;
}

/** The activity of a session, for the status pill and the panel. */
export type SessionStatus =
  | { kind: "ready" }
  /** `powerFlow` is set where voltages and flows are those of an unverified power flow at the position. */
  | { kind: "previewing"; exact: boolean; powerFlow?: true }
  /** With `progress` where the solver iterates. */
  | { kind: "solving"; progress?: SolveProgress }
  | { kind: "waiting"; waitsFor: string }
  | {
      kind: "failed";
      code: string;
      message: string;
      /** The message with references to elements, to be shown with their names; null where it is not the engine's. */
      sentence: Message | null;
      /**
       * The engine's details: for a problem without solution, as `explanation`, the contradicting limits and the
       * minimum relaxation.
       */
      details: unknown;
      /** The attempted change; null where it was refused before that was known. */
      tried: TriedChange | null;
      /** Whether the failure persists whatever the user does next: the state on screen is not that of the kernel. */
      lasting: boolean;
    };

/**
 * What changed in a session: the published state, the prices on screen, the column of the primary element or those of
 * the other selected ones (`responses`), the exact path, the selection, the preview mode, the state that changes are
 * measured from (`reference`), the quantity requested for the maps, the status, or the step of a series in pictures
 * (`step`; `state` follows when playback stops).
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

/** Codes of an edited problem without a solution. */
const NO_SOLUTION = new Set(["SOLVE.INFEASIBLE", "SOLVE.UNBOUNDED", "SOLVE.NOT_CONVERGED"]);

/** Whether a code means that the edited problem has no solution; false for every other failure. */
export function isNoSolution(code: string): boolean {
  return NO_SOLUTION.has(code);
}

/** The status after a failed attempt; `before` introduces a failure that lasts until the next state. */
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

/**
 * Duration after which a solve is announced, ms: for a shorter one views would still be busy when its prices arrive.
 */
const LASTING_MS = 100;

/** The present status of a session, and the signal of its changes. */
export class SessionSignals<Sender> {
  readonly #changed: Signal<Sender, SessionChange>;
  readonly #sender: Sender;
  #status: SessionStatus = { kind: "ready" };
  #silent = false;
  /** The pending announcement of a long solve; null without one. */
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

  /** Sets the status and announces it: once for all positions of one preview, and for a solve only when it lasts. */
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

  /** Sets the progress of a solve, and announces it once the solve lasts. */
  setProgress(progress: SolveProgress): void {
    if (this.#status.kind === "solving") {
      this.#status = { kind: "solving", progress };
      if (this.#lasting === null) {
        this.tell("status");
      }
    }
  }

  /** Sets the status without announcing it, because a state is announced right after. */
  setQuietly(status: SessionStatus): void {
    this.#status = status;
    this.#forgetSolve();
  }

  /** Restores the status of the published state after a failed change, when the user continues. */
  forgetFailure(): void {
    if (this.#status.kind === "failed" && !this.#status.lasting) {
      this.setStatus({ kind: "ready" });
    }
  }

  /** Stops all announcements. */
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
