import { type Engine, EngineError, type Explanation, type SolveRequest } from "@service/engine";
import { type Namer, noSolutionSentence } from "../words/index.ts";
import type { CaseEdits } from "./edits.ts";
import { codeOf, type SessionStatus } from "./status.ts";

/** Failures that the engine can explain: those of the problem, not of the solver. */
const EXPLAINED = new Set(["SOLVE.INFEASIBLE", "SOLVE.UNBOUNDED"]);

/** Where a failure is told. */
export interface FailureHost {
  status(): SessionStatus;
  setStatus(status: SessionStatus): void;
}

/**
 * Adds to the status of edits that failed what contradicts and the least relaxation, unless the user has gone on when they are
 * known. A status that cannot be explained with proof stays as it is.
 */
export async function explainFailure(
  host: FailureHost,
  edits: CaseEdits,
  explain: (edits: CaseEdits) => Promise<Explanation | null>,
): Promise<void> {
  const failed = host.status();
  if (failed.kind !== "failed" || !EXPLAINED.has(failed.code)) {
    return;
  }
  const explanation = await explain(edits).catch(() => null);
  if (explanation !== null && host.status() === failed) {
    host.setStatus({ ...failed, details: withExplanation(failed.details, explanation) });
  }
}

/** The error of a case that makes no Study, with what contradicts and the least relaxation in its sentence. */
export async function explainedError(
  error: unknown,
  engine: Pick<Engine, "explainModule">,
  moduleJson: string,
  request: SolveRequest,
  namer: Namer,
): Promise<unknown> {
  if (!(error instanceof EngineError) || !EXPLAINED.has(error.code)) {
    return error;
  }
  const explanation = await engine.explainModule(moduleJson, request).catch(() => null);
  if (explanation === null) {
    return error;
  }
  const details = withExplanation(error.details, explanation);
  const message = noSolutionSentence(error.message, details, namer);
  return new EngineError({ ...error.toBody(), code: codeOf(error), message, details }, { cause: error });
}

/** The explanation that the details of a failure hold; null without one. */
export function explanationIn(details: unknown): Explanation | null {
  return typeof details === "object" && details !== null && "explanation" in details
    ? (details.explanation as Explanation)
    : null;
}

function withExplanation(details: unknown, explanation: Explanation): object {
  return { ...(details as object | undefined), explanation };
}
