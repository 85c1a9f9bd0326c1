import type { Element, ErrorBody, Message } from "../contract.generated.ts";

/**
 * Error of the engine: a stable `code`, a sentence that names the element and says what to do, the element, further facts.
 *
 * Codes are those of the HTTP server where they mean the same, and `INPUT.*`, `MODULE.*`, `PHYSICS.UNSUPPORTED`,
 * `STUDY.FREED`, `ABORTED`, `INTERNAL`.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;
  /** What `message` says, as a key of the catalogue `MESSAGES` and values. */
  readonly sentence?: Message;
  readonly element?: Element;
  readonly details?: unknown;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.code = body.code;
    if (body.sentence) this.sentence = body.sentence;
    if (body.element) this.element = body.element;
    if (body.details !== undefined && body.details !== null) this.details = body.details;
  }

  /** The JSON form, as the engine itself writes it. */
  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.sentence && { sentence: this.sentence }),
      ...(this.element && { element: this.element }),
      ...(this.details !== undefined && { details: this.details }),
    };
  }
}

/** The error of a request whose abort signal has fired. */
export function abortedError(signal: AbortSignal): EngineError {
  return new EngineError({ code: "ABORTED", message: "The request was cancelled." }, { cause: signal.reason });
}

/** The error of a study that the engine no longer holds; `study.ts` answers it by building the study again. */
export const STUDY_LOST = "STUDY.LOST";

/** The error of a job that the engine no longer holds; `jobs.ts` answers it by starting over. */
export const JOB_LOST = "JOB.LOST";

/** What is told when the engine itself failed: the input is worth reporting. */
export function internalError(cause: unknown): EngineError {
  return new EngineError(
    {
      code: "INTERNAL",
      message: "The engine failed on this input and was restarted. Please report the file that caused it.",
    },
    { cause },
  );
}
