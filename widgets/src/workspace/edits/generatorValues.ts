import type { TopologyGenerator } from "@service/engine";
import { marginalCost } from "../quantities/generatorCosts.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { type GeneratorElement, type Selection, solvesEach, type StorageElement } from "../cases/selection.ts";
import type { EditRange } from "./editRange.ts";
import { type CaseEdits, deltaOf, plainSum } from "./edits.ts";
import { costRange, editedGenerator, hasCostCurve } from "./generatorEdits.ts";

/** A generator of a case with the values of edits; undefined where the case has no such generator. */
export function generatorAt(opened: OpenedCase, edits: CaseEdits, row: number): TopologyGenerator | undefined {
  const unit = opened.generators[row];
  return unit && editedGenerator(unit, edits.generators?.[String(unit.id)]);
}

/** The generators of a case with the values of edits, by dense row. */
export function editedGenerators(opened: OpenedCase, edits: CaseEdits): readonly TopologyGenerator[] {
  const { generators } = edits;
  return generators === undefined
    ? opened.generators
    : opened.generators.map((unit) => editedGenerator(unit, generators[String(unit.id)]));
}

/**
 * Whether an exact path along a value exists: along a demand, a rating, a phase shift and an existing limit, never along a
 * cost or a value that changes susceptances.
 */
export function hasPath(element: Selection, edits: CaseEdits, opened: OpenedCase): boolean {
  if (element.kind === "link") {
    return !solvesEach(element, true) && hasMovingLimit(opened, edits, opened.rowOf(element));
  }
  if (element.kind !== "generator") {
    return !solvesEach(element, true);
  }
  const unit = generatorAt(opened, edits, opened.rowOf(element));
  const limit = (element.value === "p_min" ? unit?.p_min_mw : unit?.p_max_mw) ?? null;
  return element.value !== "cost" && limit !== null && Number.isFinite(limit);
}

/**
 * Whether the upper limit of an HVDC link has a derivative and a path: with losses, a limit of zero or in reverse changes the
 * directions of the link, and equal limits fix its power.
 */
function hasMovingLimit(opened: OpenedCase, edits: CaseEdits, row: number): boolean {
  const link = opened.links[row];
  if (link === undefined) {
    return false;
  }
  const edit = edits.links?.[String(link.id)] ?? {};
  const [low, high] = [edit.p_min ?? link.p_min_mw, edit.p_max ?? link.p_max_mw];
  const isLossless = (edit.loss ?? link.loss_mw) === 0 && (edit.loss_factor ?? link.loss_factor) === 0;
  const isInService = edit.status ?? link.status === 1;
  return isInService && high !== null && high !== low && (isLossless || high > 0);
}

/** Whether each position of the slider of an element is a solve of another network, at these edits. */
export function solvesHere(element: Selection, hasPaths: boolean, edits: CaseEdits, opened: OpenedCase): boolean {
  const isLink = element.kind === "link";
  return solvesEach(element, hasPaths) || (isLink && !hasPath(element, edits, opened));
}

/**
 * The range of the held power of a storage unit, as changes from the base case: from its largest power of charging to
 * that of discharging. Null for the value of its energy, and without limits.
 */
export function storageRange(opened: OpenedCase, edits: CaseEdits, element: StorageElement): EditRange | null {
  const unit = opened.storage[opened.rowOf(element)];
  const edit = edits.storage?.[String(element.id)];
  const [charging, discharging] = [
    edit?.p_charge_max ?? unit?.p_charge_max_mw ?? null,
    edit?.p_discharge_max ?? unit?.p_discharge_max_mw ?? null,
  ];
  if (element.value !== undefined || charging === null || discharging === null || !(charging + discharging > 0)) {
    return null;
  }
  const base = opened.baseMw(element);
  return { min: plainSum(-charging - base), max: plainSum(discharging - base) };
}

/** The lowest change of a slider: a capacity stops at Pmin and at zero, Pmin and a cost at zero. */
export function leastChange(element: GeneratorElement, edits: CaseEdits, opened: OpenedCase): number {
  const base = opened.baseMw(element);
  if (element.value === "cost") {
    return -Math.max(0, base);
  }
  if (element.value === "p_min") {
    return -Math.abs(base); // to twice a negative one
  }
  const unit = generatorAt(opened, edits, opened.rowOf(element));
  return plainSum(Math.max(0, unit?.p_min_mw ?? 0) - Math.max(base, 0));
}

/**
 * The step of a slider at a change of `toMw` from the published value. For a cost that is still a curve the step starts
 * at the marginal cost at the present output `mw`, because an edit replaces the curve.
 */
export function stepTo(
  element: GeneratorElement,
  toMw: number,
  edits: CaseEdits,
  opened: OpenedCase,
  mw: number,
): number {
  const unit = generatorAt(opened, edits, opened.rowOf(element));
  return element.value === "cost" && unit !== undefined && hasCostCurve(unit)
    ? opened.baseMw(element) + toMw - marginalCost(unit, mw)
    : toMw - deltaOf(edits, element, opened);
}

/** The lowest and highest marginal cost of a generator whose edited cost is still a curve, $/MWh; null for others. */
export function costCurveOf(
  { opened, state }: { opened: OpenedCase; state: { edits: CaseEdits } },
  element: Selection,
): [low: number, high: number] | null {
  if (element.kind !== "generator" || element.value !== "cost") {
    return null;
  }
  const unit = generatorAt(opened, state.edits, opened.rowOf(element));
  return unit !== undefined && hasCostCurve(unit) ? costRange(unit) : null;
}
