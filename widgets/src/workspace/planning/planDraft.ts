import type { BusWeight, GoalScope, PlanSpecJson } from "@service/engine";
import type { SelectableKind } from "../cases/selection.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { SelectedList } from "../edits/selectedList.ts";
import { isOfBuses, type PlanDecision } from "./planMoves.ts";
import { PRICE } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";

/** The buses whose prices a plan lowers. */
export type PlanScope =
  | { readonly kind: "network" }
  | { readonly kind: "area"; readonly area: number }
  | { readonly kind: "buses"; readonly buses: readonly number[] };

/** The saved form of a scope. */
export function goalScope(scope: PlanScope): GoalScope {
  return scope.kind === "buses"
    ? { kind: "elements", elements: scope.buses.map((id) => ({ kind: "bus", id })) }
    : { ...scope };
}

/** The weight of prices: the demand at the state that a plan starts from, or equal for each bus. */
export type PlanWeights = "demand" | "equal";

/** The settings of a plan. Amounts are MW, of line capacity in the relaxation MVA. */
export interface PlanDraft {
  readonly decision: PlanDecision;
  readonly scope: PlanScope;
  readonly weights: PlanWeights;
  /** Original ids of the lines that may be upgraded, and of the buses whose demand may change. */
  readonly lines: readonly number[];
  readonly buses: readonly number[];
  /** Whether new circuits parallel to the lines are candidates beside higher ratings. */
  readonly circuits: boolean;
  readonly increment: number;
  /** Limit for one line or one bus. */
  readonly mostEach: number;
  /** Limit for all increases together, the demand to place, or the limit of moved demand. */
  readonly budget: number;
  /** Maximum number of lines or buses that change. */
  readonly mostElements: number;
  /** Maximum number of exact solves, including the baseline. */
  readonly solves: number;
}

/** Default settings of a new goal. */
export const NEW_DRAFT: PlanDraft = {
  decision: "line_capacity",
  scope: { kind: "network" },
  weights: "demand",
  lines: [],
  buses: [],
  circuits: false,
  increment: 10,
  mostEach: 50,
  budget: 100,
  mostElements: 5,
  solves: 16,
};

/** The buses of a scope that have a price, with weights that add up to 1; empty where every weight is zero. */
export function planWeights(
  { scope, weights }: Pick<PlanDraft, "scope" | "weights">,
  opened: OpenedCase,
  columns: QuantityTable,
): BusWeight[] {
  const chosen = new Set(scope.kind === "buses" ? scope.buses : []);
  const within = ({ id, area }: OpenedCase["buses"][number]): boolean =>
    scope.kind === "network" || (scope.kind === "area" ? area === scope.area : chosen.has(id));
  const found = opened.buses.flatMap((bus, row) => {
    const priced = within(bus) && Number.isFinite(columns.at(PRICE, row));
    const weight = weights === "equal" ? 1 : Math.max(0, columns.at("demand_mw", row));
    return priced && weight > 0 ? [{ bus: bus.id, weight }] : [];
  });
  const sum = found.reduce((total, { weight }) => total + weight, 0);
  return found.map(({ bus, weight }) => ({ bus, weight: weight / sum }));
}

/** The specification of a draft at the state whose numbers are given. */
export function planSpec(draft: PlanDraft, opened: OpenedCase, columns: QuantityTable): PlanSpecJson {
  const { decision, mostEach, mostElements, budget, increment, solves } = draft;
  const common = {
    objective: { kind: "weighted_lmp", weights: planWeights(draft, opened, columns) } as const,
    candidates: [...candidatesOf(draft)],
    budget_mw: budget,
    increment_mw: increment,
    exact_solve_budget: solves,
  };
  return decision === "line_capacity"
    ? { ...common, max_increase_per_branch_mw: mostEach, max_changed_lines: mostElements }
    : { ...common, kind: decision, max_change_per_bus_mw: mostEach, max_changed_buses: mostElements };
}

/** The lines or buses that may change. */
export function candidatesOf({ decision, lines, buses }: PlanDraft): readonly number[] {
  return isOfBuses(decision) ? buses : lines;
}

/** The lines of the case to which parallel circuits may be built. */
export function circuitLines({ decision, lines, circuits }: PlanDraft, { rowsOfCase }: OpenedCase): number[] {
  return circuits && !isOfBuses(decision) ? lines.filter((id) => id <= rowsOfCase.branches.length) : [];
}

/** The change of a draft that sets the candidates of its kind. */
export function withCandidates({ decision }: PlanDraft, ids: readonly number[]): Partial<PlanDraft> {
  return isOfBuses(decision) ? { buses: ids } : { lines: ids };
}

/** The selected lines whose rating can be changed, by id. */
export function selectedLines(selected: SelectedList, opened: OpenedCase): number[] {
  return selected.flatMap(({ kind, id }) => (kind === "branch" ? [id] : [])).filter((id) => canRise(opened, id));
}

/** The selected buses whose demand can be changed, by id. */
export function selectedBuses(selected: SelectedList, opened: OpenedCase): number[] {
  return selected.flatMap(({ kind, id }) => (kind === "bus" && takesDemand(opened, id) ? [id] : []));
}

/**
 * The buses of the selected elements by id: selected buses, ends of selected lines, and buses of selected generators.
 */
export function selectedEquipment(selected: SelectedList, opened: OpenedCase): number[] {
  const ends = (element: SelectedList[number]): number[] => {
    if (element.kind !== "branch") {
      return [opened.busOf(element)];
    }
    const line = opened.branches[opened.branchRow(element.id)];
    return line === undefined ? [] : [line.from, line.to];
  };
  return inCaseOrder("bus", selected.flatMap(ends), opened);
}

/** The buses at the ends of lines. */
export function busesAt(lines: readonly number[], opened: OpenedCase): number[] {
  const ends = lines.flatMap((id) => {
    const line = opened.branches[opened.branchRow(id)];
    return line === undefined ? [] : [line.from, line.to];
  });
  return ends.filter((id) => takesDemand(opened, id));
}

/** The buses of a scope that have a demand. */
export function busesWithDemand({ scope }: PlanDraft, opened: OpenedCase, columns: QuantityTable): number[] {
  const weighed = planWeights({ scope, weights: "demand" }, opened, columns).map(({ bus }) => Number(bus));
  return weighed.filter((id) => takesDemand(opened, id));
}

/** The lines with both ends among the selected buses, as a box on the map selects them. */
export function linesAmong(selected: SelectedList, opened: OpenedCase): number[] {
  const buses = new Set(selected.flatMap(({ kind, id }) => (kind === "bus" ? [id] : [])));
  return opened.branches
    .filter(({ from, to, id }) => buses.has(from) && buses.has(to) && canRise(opened, id))
    .map(({ id }) => id);
}

/** Lines or buses in the order of the case, each once. */
export function inCaseOrder(kind: SelectableKind, ids: Iterable<number>, opened: OpenedCase): number[] {
  const row = (id: number): number => (kind === "bus" ? opened.busRow(id) : opened.branchRow(id));
  return [...new Set(ids)].sort((a, b) => row(a) - row(b));
}

/** Whether the demand of a bus can be changed. */
export function takesDemand(opened: OpenedCase, id: number): boolean {
  return opened.isEditable({ kind: "bus", id });
}

/** Whether a line is in service and its rating can be raised. */
export function canRise(opened: OpenedCase, id: number): boolean {
  const branch = { kind: "branch", id } as const;
  return opened.isEditable(branch) && opened.baseOrNone(branch) !== null;
}

/** The objective along the solves of a plan, as changes from the start: each trial, and the best so far. */
export interface PlanCourse {
  /** Numbers of the exact solves, and the best objective after each; the first is the baseline. */
  readonly best: readonly { readonly x: number; readonly y: number }[];
  /** The trials that have a solution. */
  readonly tried: readonly { readonly x: number; readonly y: number; readonly accepted: boolean }[];
}

/** The course of a plan, from its trials; `from` is what its new circuits change, $/MWh. */
export function planCourse(
  trials: readonly { exact_solve: number; exact_phi_delta: number | null; accepted: boolean }[],
  from = 0,
): PlanCourse {
  let reached = from;
  const best = [{ x: 1, y: from }];
  const tried = trials.flatMap(({ exact_solve: x, exact_phi_delta: change, accepted }) => {
    const y = reached + (change ?? NaN);
    reached = accepted ? y : reached;
    best.push({ x, y: reached });
    return Number.isFinite(y) ? [{ x, y, accepted }] : [];
  });
  return { best, tried };
}
