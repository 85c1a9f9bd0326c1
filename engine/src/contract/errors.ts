import type { Element, ErrorBody, Message } from "../contract.generated.ts";
import { CLIENT_MESSAGES } from "../messages.generated.ts";
import { englishFrom, type ValuesOf } from "./telling.ts";

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
  readonly sentence: Message;
  readonly element?: Element;
  readonly details?: unknown;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.code = body.code;
    this.sentence = body.sentence;
    if (body.element) this.element = body.element;
    if (body.details !== undefined && body.details !== null) this.details = body.details;
  }

  /** The JSON form, as the engine itself writes it. */
  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      sentence: this.sentence,
      ...(this.element && { element: this.element }),
      ...(this.details !== undefined && { details: this.details }),
    };
  }
}

/** A sentence that a caller of the engine makes of its own: a key of the catalogue. */
export type ClientKey = keyof typeof CLIENT_MESSAGES;

/** The error that says the sentence of a key; its values are those of the template. */
export function clientError<K extends ClientKey>(
  code: string,
  key: K,
  values: ValuesOf<(typeof CLIENT_MESSAGES)[K]>,
  { details, cause }: { details?: unknown; cause?: unknown } = {},
): EngineError {
  const sentence: Message = Object.keys(values).length === 0 ? { key } : { key, values };
  return new EngineError({ code, message: englishFrom(CLIENT_MESSAGES, sentence), sentence, details }, { cause });
}

/** The error of a request whose abort signal has fired. */
export function abortedError(signal: AbortSignal): EngineError {
  return clientError("ABORTED", "client.aborted", {}, { cause: signal.reason });
}

/** The error of a study that the engine no longer holds; `study.ts` answers it by building the study again. */
export const STUDY_LOST = "STUDY.LOST";

/** The error of a job that the engine no longer holds; `jobs.ts` answers it by starting over. */
export const JOB_LOST = "JOB.LOST";

/** What is told when the engine itself failed: the input is worth reporting. */
export function internalError(cause: unknown): EngineError {
  return clientError("INTERNAL", "client.engine_failed", {}, { cause });
}

/** Whether a call was cancelled. */
export function isAborted(error: unknown): boolean {
  return error instanceof EngineError && error.code === "ABORTED";
}

/** The error of a call to a study that was freed. */
export function freedError(): EngineError {
  return clientError("STUDY.FREED", "client.study_freed", {});
}
