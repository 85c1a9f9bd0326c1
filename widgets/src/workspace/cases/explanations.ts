import { EngineError, type Explanation } from "@service/engine";
import { type Namer, noSolutionSentence, type Refusal } from "../../text/index.ts";
import { isNoSolution } from "../session/sessionStatus.ts";

/** The reason why a case has no Study, with the names of its elements. */
class NoSolutionError extends Error {
  override readonly name = "NoSolutionError";
  readonly code: string;
  readonly details: unknown;

  constructor(cause: EngineError, message: string) {
    super(message, { cause });
    this.code = cause.code;
    this.details = cause.details;
  }
}

/** The error of a case without a Study, with the names of its elements. */
export function explainedError(error: unknown, namer: Namer): unknown {
  if (!(error instanceof EngineError) || !isNoSolution(error.code)) {
    return error;
  }
  return new NoSolutionError(error, noSolutionSentence(error as Refusal, namer));
}

/** The explanation in the details of a failure; null without one. */
export function explanationIn(details: unknown): Explanation | null {
  return typeof details === "object" && details !== null && "explanation" in details
    ? (details.explanation as Explanation)
    : null;
}
