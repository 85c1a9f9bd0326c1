import type { SolveProgress } from "@service/engine";
import { type CaseSession, optionNames, type SessionStatus } from "../../workspace/index.ts";
import {
  trans,
  noSolutionHead,
  formatDuration,
  formatResidual,
  isOfPowerFlow,
  noSolutionSentence,
  residualText,
} from "../../text/index.ts";

/** Whether a change is pending and can be cancelled. */
export function isPending({ kind }: SessionStatus): boolean {
  return kind === "solving" || kind === "waiting";
}

/** The text of the status pill, in a few words; the certificate that it opens has the residual. */
export function pillText(session: CaseSession): string {
  return session.status.kind === "ready" ? readyText(session, []) : statusText(session);
}

/** The status of a session in one line. */
export function statusText(session: CaseSession): string {
  const { status, state, opened } = session;
  switch (status.kind) {
    case "previewing":
      if (!session.capabilities.has("sensitivities")) {
        if (status.powerFlow === true) {
          return trans.__("Previewing the power flow");
        }
        return session.store.estimate === null ? trans.__("Let go to solve") : trans.__("Previewing, linear estimate");
      }
      return status.exact
        ? trans.__("Previewing, exact")
        : session.passedLimit === null
          ? trans.__("Previewing, linear estimate")
          : trans.__("Previewing, not feasible");
    case "solving":
      return trans.__("Solving");
    case "waiting":
      return trans.__("Exact, waiting for %1", status.waitsFor);
    case "failed":
      return noSolutionHead(status, opened);
    case "ready":
      return readyText(session, [residualText(state.solution)]);
  }
}

function readyText({ state, options }: CaseSession, residual: readonly string[]): string {
  const { solve_ms, certificate, power_flow } = state.solution;
  const time = solve_ms === undefined ? [] : [formatDuration(solve_ms)];
  const solved = isOfPowerFlow(certificate) ? trans.__("Solved") : trans.__("Optimal");
  const differs = state.otherSha256 === null ? [] : [trans.__("page and kernel differ")];
  const dispatch = power_flow?.dispatch === "dcopf" ? [trans.__("DC OPF dispatch")] : [];
  return [solved, ...dispatch, ...optionNames(options), ...time, ...residual, ...differs].join(", ");
}

/** The progress of a solve, where the solver reports it. */
export function progressText({ iteration, gap }: SolveProgress): [iteration: string, gap: string] {
  return [trans.__("iteration %1", iteration), trans.__("gap %1", formatResidual(gap))];
}

/** The status with all details of a problem without solution: the remedy, and the limit of a demand. */
export function statusSentence(session: CaseSession): string {
  const { status, opened } = session;
  return status.kind === "failed" ? noSolutionSentence(status, opened) : statusText(session);
}
