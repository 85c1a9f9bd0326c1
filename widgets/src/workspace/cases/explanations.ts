import { EngineError, type Explanation } from "@service/engine";
import { type Namer, noSolutionSentence } from "../../text/index.ts";
import { codeOf } from "../session/sessionStatus.ts";

/** The error of a case that makes no Study, with the names of its elements in the engine's explanation. */
export function explainedError(error: unknown, namer: Namer): unknown {
  if (!(error instanceof EngineError) || explanationIn(error.details) === null) {
    return error;
  }
  const message = noSolutionSentence(error.message, error.details, namer);
  return new EngineError({ ...error.toBody(), code: codeOf(error), message }, { cause: error });
}

/** The explanation that the details of a failure hold; null without one. */
export function explanationIn(details: unknown): Explanation | null {
  return typeof details === "object" && details !== null && "explanation" in details
    ? (details.explanation as Explanation)
    : null;
}
