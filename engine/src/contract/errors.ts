import type { Element, ErrorBody, Message } from "../contract.generated.ts";
import { CLIENT_MESSAGES } from "../messages.generated.ts";
import { englishFrom, type ValuesOf } from "./formatting.ts";

/**
 * Error of the engine: a stable `code`, a message that names the element and says what to do, the element, and further
 * facts.
 *
 * Codes are those of the HTTP server where they mean the same, and `INPUT.*`, `MODULE.*`, `PHYSICS.UNSUPPORTED`,
 * `STUDY.FREED`, `ABORTED`, `INTERNAL`.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;
  /** The message as a key of the catalogue `MESSAGES` and its values, for translation. */
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

  /** The JSON form of the error, as the engine writes it. */
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

/** Keys of the messages that callers of the engine raise themselves. */
export type ClientKey = keyof typeof CLIENT_MESSAGES;

/** The error whose message is the template of `key`, filled with `values`. */
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

/** Error code for a study that the engine no longer holds. `study.ts` then rebuilds the study. */
export const STUDY_LOST = "STUDY.LOST";

/** Error code for a job that the engine no longer holds. `jobs.ts` then starts it again. */
export const JOB_LOST = "JOB.LOST";

/** The error for a failure of the engine itself, with a request to report the input. */
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
