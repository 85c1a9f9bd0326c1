import { type AddedBranch, clientError, type PlanOutcomeJson, type PlanSpecJson } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { type CaseEdits, withAdded } from "../edits/edits.ts";
import { errorText } from "../../text/index.ts";

/** Most choices of circuits; each is another network, which takes a solve from scratch. */
const MOST_CHOICES = 64;
/** Shares of the budget and of objectives below this are rounding. */
const SAME = 1e-9;

/** Some new circuits, their capacity, and their plan of ratings; null with the reason where there is no solution. */
export interface CircuitChoice {
  readonly circuits: readonly AddedBranch[];
  /** The sum of their ratings, MW. */
  readonly mw: number;
  readonly outcome: PlanOutcomeJson | null;
  readonly reason: string | null;
}

/** A plan: its outcome, the new circuits that it takes, and every choice of circuits where they were candidates. */
export interface PlannedChanges {
  readonly outcome: PlanOutcomeJson;
  readonly circuits: readonly AddedBranch[];
  readonly choices: readonly CircuitChoice[];
}

/** Plans ratings or demand from absolute edits. */
export type PlanRatings = (edits: CaseEdits, spec: PlanSpecJson) => Promise<PlanOutcomeJson>;

/** Lines of the case by id, parallel to which new circuits may be built. */
export interface CircuitCandidates {
  readonly lines: readonly number[];
  readonly opened: Pick<OpenedCase, "branches" | "branchRow">;
}

/**
 * Plans with parallel circuits of lines as candidates: every choice of them within the budget is solved exactly, with a
 * plan of ratings of its own for what is left of the budget. Rejects with EngineError, `PLAN.SPEC` for a circuit without a
 * rating and for too many choices.
 */
export async function planCircuits(
  plan: PlanRatings,
  edits: CaseEdits,
  spec: PlanSpecJson,
  candidates: CircuitCandidates,
  signal?: AbortSignal,
): Promise<PlannedChanges> {
  const choices: CircuitChoice[] = [];
  for (const { lines, mw } of choicesWithin(spec.budget_mw, candidates)) {
    if (signal?.aborted && choices.length > 0) {
      break;
    }
    const circuits = lines.map((copied) => ({ copy_of: copied }));
    const begun = withAdded(edits, { branches: circuits });
    try {
      choices.push({ circuits, mw, outcome: await plan(begun, specFor(spec, mw)), reason: null });
    } catch (error) {
      if (choices.length > 0 && isCancelled(error)) {
        break;
      }
      if (choices.length === 0) {
        throw error;
      }
      choices.push({ circuits, mw, outcome: null, reason: errorText(error) });
    }
  }
  const solved = choices.flatMap(({ outcome, ...choice }) => (outcome === null ? [] : [{ ...choice, outcome }]));
  // Of equal objectives, the choice with the least new capacity.
  const best = solved.reduce((a, b) => {
    const gain = a.outcome.best.phi - b.outcome.best.phi;
    return gain > SAME || (gain > -SAME && b.mw < a.mw) ? b : a;
  });
  const outcome: PlanOutcomeJson = {
    ...best.outcome,
    baseline: solved[0]?.outcome.baseline ?? best.outcome.baseline, // that without circuits
    spent_budget_mw: best.mw + best.outcome.spent_budget_mw,
    exact_solves: solved.reduce((sum, { outcome }) => sum + outcome.exact_solves, 0),
    ...(signal?.aborted && { ended: "cancelled" as const }),
  };
  return { outcome, circuits: best.circuits, choices };
}

/** What circuits leave of the budget; the state alone is solved where no rating can rise. */
function specFor(spec: PlanSpecJson, mw: number): PlanSpecJson {
  const left = spec.increment_mw * Math.floor((spec.budget_mw - mw) / spec.increment_mw + SAME);
  if (left <= 0) {
    return { ...spec, exact_solve_budget: 1 };
  }
  return "kind" in spec
    ? spec
    : { ...spec, budget_mw: left, max_increase_per_branch_mw: Math.min(left, spec.max_increase_per_branch_mw) };
}

/** Every choice of circuits within a budget, those with fewer circuits first. */
function choicesWithin(
  budget: number,
  { lines, opened }: CircuitCandidates,
): { lines: readonly number[]; mw: number }[] {
  const ratings = lines.map((id) => opened.branches[opened.branchRow(id)]?.rate_mw ?? null);
  const unrated = ratings.findIndex((mw) => mw === null);
  if (unrated >= 0) {
    const line = { element: { kind: "branch", id: lines[unrated] ?? 0 } };
    throw clientError("PLAN.SPEC", "client.circuit_unrated", { line });
  }
  let found: { lines: readonly number[]; mw: number; last: number }[] = [{ lines: [], mw: 0, last: -1 }];
  let wave = found;
  while (wave.length > 0) {
    wave = wave.flatMap(({ lines: taken, mw, last }) =>
      lines.flatMap((id, k) => {
        const sum = mw + (ratings[k] ?? 0);
        return k > last && sum <= budget * (1 + SAME) ? [{ lines: [...taken, id], mw: sum, last: k }] : [];
      }),
    );
    found = [...found, ...wave];
    if (found.length > MOST_CHOICES) {
      const values = { circuits: { count: lines.length }, most: { count: MOST_CHOICES } };
      throw clientError("PLAN.SPEC", "client.circuit_choices", values);
    }
  }
  return found;
}

/** The new circuits of a state that a plan made from its start. */
export function addedCircuits(start: CaseEdits, after: CaseEdits): readonly AddedBranch[] {
  return (after.added?.branches ?? []).slice(start.added?.branches?.length ?? 0);
}
