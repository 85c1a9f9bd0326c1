import { EngineError, type Explanation } from "@service/engine";
import { type Namer, noSolutionSentence } from "../../text/index.ts";
import { isNoSolution } from "../session/sessionStatus.ts";

/** The error of a case that makes no Study, with the names of its elements. */
export function explainedError(error: unknown, namer: Namer): unknown {
  if (!(error instanceof EngineError) || !isNoSolution(error.code)) {
    return error;
  }
  const { message: own, sentence = null, details } = error;
  const message = noSolutionSentence({ message: own, sentence, details }, namer);
  return new EngineError({ ...error.toBody(), message }, { cause: error });
}

/** The explanation that the details of a failure hold; null without one. */
export function explanationIn(details: unknown): Explanation | null {
  return typeof details === "object" && details !== null && "explanation" in details
    ? (details.explanation as Explanation)
    : null;
}
