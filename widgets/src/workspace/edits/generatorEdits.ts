import type { GeneratorEdit, TopologyGenerator } from "@service/engine";
import { marginalCost } from "../quantities/generatorCosts.ts";

/** The generator with the values of an edit in place of those of the case. */
export function editedGenerator(unit: TopologyGenerator, edit: GeneratorEdit | undefined): TopologyGenerator {
  if (edit === undefined) {
    return unit;
  }
  const { cost_points: points, ...others } = unit;
  const cost =
    edit.cost === undefined
      ? points === undefined
        ? {}
        : { cost_points: points }
      : { cost_c2: edit.c2 ?? 0, cost_c1: edit.cost, cost_c0: 0 };
  return {
    ...others,
    ...cost,
    p_min_mw: edit.p_min ?? unit.p_min_mw,
    p_max_mw: edit.p_max ?? unit.p_max_mw,
    status: edit.status === undefined ? unit.status : Number(edit.status),
  };
}

/** Whether the marginal cost of a generator depends on its output: an edit of its cost replaces the curve. */
export function hasCostCurve({ cost_c2: c2, cost_points: points }: TopologyGenerator): boolean {
  return points !== undefined || (c2 !== null && c2 !== 0);
}

/** The lowest and highest marginal cost within the limits, $/MWh; at zero output where there are no limits. */
export function costRange(unit: TopologyGenerator): [low: number, high: number] {
  const at = (mw: number | null): number => marginalCost(unit, mw ?? 0);
  return [at(unit.p_min_mw), at(unit.p_max_mw)];
}

/** The cost from which changes are counted, $/MWh: the mean of the marginal costs at Pmin and Pmax. */
export function baseCost(unit: TopologyGenerator): number {
  const [low, high] = costRange(unit);
  return Number(((low + high) / 2).toFixed(2));
}
