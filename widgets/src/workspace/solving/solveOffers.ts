/** Alternative problems offered where a case has no solution. */

import { type FormulationId, OPTIONS, type SolveOptions } from "@service/engine";
import { trans } from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { assumedRatings } from "../cases/answerNotices.ts";
import type { ViewedNetwork } from "../cases/viewedNetwork.ts";
import { type CaseEdits, NO_EDITS } from "../edits/edits.ts";
import type { CaseSession } from "../session/caseSession.ts";
import { isNoSolution } from "../session/sessionStatus.ts";

/** A problem of a case that can be solved with one click. */
export interface SolveOffer {
  /** Label of its button. */
  label: string;
  opened: OpenedCase;
  formulation: FormulationId;
  options: SolveOptions;
  /** Edits of the problem. */
  edits: CaseEdits;
}

/** The offers where a change of a session has no solution: the options that the engine suggests. */
export function offersOfSession({ status, opened, options }: CaseSession): SolveOffer[] {
  if (status.kind !== "failed" || status.tried === null || !isNoSolution(status.code)) {
    return [];
  }
  const { formulation, edits } = status.tried;
  return offered(opened, formulation, edits, options, status.details);
}

/**
 * The offers where the base case has no solution: the options that the engine suggests, and an AC power flow, which
 * needs no optimum.
 */
export function offersOfNetwork({ unsolved }: ViewedNetwork): SolveOffer[] {
  if (unsolved === null) {
    return [];
  }
  const { opened, details } = unsolved;
  const flow = { label: trans.__("Solve the AC power flow"), opened, formulation: "acpf", options: {} } as const;
  return [...offered(opened, "dcopf", NO_EDITS, {}, details), { ...flow, edits: NO_EDITS }];
}

/** The offer beside a result with assumed ratings: to solve without them, or with them again. */
export function ratingsOffer({ opened, options, state }: CaseSession): SolveOffer | null {
  if (assumedRatings(opened.ingested) === 0) {
    return null;
  }
  const { assumed_ratings, ...others } = options;
  const without = assumed_ratings === false;
  return {
    label: without ? trans.__("Solve with assumed ratings") : trans.__("Solve without assumed ratings"),
    opened,
    formulation: state.solution.formulation,
    options: without ? others : { ...others, assumed_ratings: false },
    edits: state.edits,
  };
}

/** The offer beside a result of a case with storage: to dispatch it by the value of its energy, or to hold it again. */
export function storageOffer({ opened, options, state }: CaseSession): SolveOffer | null {
  const { formulation } = state.solution;
  if (opened.storage.length === 0 || !OPTIONS[formulation].includes("storage")) {
    return null;
  }
  const { storage, ...others } = options;
  const isValued = storage === "valued";
  return {
    label: isValued ? trans.__("Hold storage at its power") : trans.__("Dispatch storage by the value of its energy"),
    opened,
    formulation,
    options: isValued ? others : { ...others, storage: "valued" },
    edits: state.edits,
  };
}

/** The offer beside an optimum: to secure it against the outage of any branch, or not to. */
export function securityOffer({ opened, options, state }: CaseSession): SolveOffer | null {
  const { formulation } = state.solution;
  if (!OPTIONS[formulation].includes("security")) {
    return null;
  }
  const { security, ...others } = options;
  return {
    label:
      security === undefined
        ? trans.__("Solve with limits after the outage of any line")
        : trans.__("Solve without limits after outages"),
    opened,
    formulation,
    options: security === undefined ? { ...others, security: {} } : others,
    edits: state.edits,
  };
}

/** What distinguishes a problem with these options from others of its case: `N-1 secure`. */
export function optionNames({ assumed_ratings, storage, security, limits }: SolveOptions): string[] {
  return [
    ...(assumed_ratings === false ? [trans.__("no assumed ratings")] : []),
    ...(storage === "valued" ? [trans.__("valued storage")] : []),
    ...(security === undefined ? [] : [trans.__("N-1 secure")]),
    ...((limits?.interfaces ?? []).length === 0 ? [] : [trans.__("interfaces")]),
  ];
}

/** Whether two sets of options are the same, whatever their order. */
export function sameOptions(a: SolveOptions, b: SolveOptions): boolean {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}

function offered(
  opened: OpenedCase,
  formulation: FormulationId,
  edits: CaseEdits,
  before: SolveOptions,
  details: unknown,
): SolveOffer[] {
  const named = ((details ?? {}) as { options?: SolveOptions }).options;
  return named === undefined
    ? []
    : [{ label: offerLabel(named), opened, formulation, options: { ...before, ...named }, edits }];
}

function offerLabel({ dispatch, set_point_pu, assumed_ratings }: SolveOptions): string {
  if (assumed_ratings === false) {
    return trans.__("Solve without assumed ratings");
  }
  if (set_point_pu === undefined) {
    return trans.__("Use the DC OPF dispatch");
  }
  return dispatch === undefined
    ? trans.__("Use set-points of %1 pu", set_point_pu)
    : trans.__("Use the DC OPF dispatch and set-points of %1 pu", set_point_pu);
}
