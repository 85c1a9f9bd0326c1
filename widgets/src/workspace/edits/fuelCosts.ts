import type { EnergySource } from "@service/engine";
import { isDispatchableLoad } from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { GeneratorElement } from "../cases/selection.ts";
import { type CaseEdits, plainSum, withGeneratorEdit } from "./edits.ts";
import { hasCostCurve } from "./generatorEdits.ts";

/** The marginal costs of all generators of one energy source, and their common change. */
export interface FuelCost {
  readonly source: EnergySource;
  /** The generators, dispatchable loads apart. */
  readonly units: readonly GeneratorElement[];
  /** Mean of their costs in the base case by capacity, $/MWh; of a cost curve that between Pmin and Pmax. */
  readonly baseCost: number;
  /** Number of units whose cost is still a curve, which a change replaces by its mean marginal cost. */
  readonly curves: number;
  /** Their common change from the base case, $/MWh, and their common factor; null where they have none. */
  readonly change: number | null;
  readonly factor: number | null;
  /** The cost that edits give all of them, $/MWh; null where they have no common one. */
  readonly cost: number | null;
}

/** How the cost of a fuel changes: by an amount in $/MWh from the base case, or by a factor of it. */
export type FuelMode = "change" | "factor";

/** Costs that differ by less than this share of their size are equal. */
const SAME = 1e-9;

/** The latest answer for each case: several views ask for the same edits. */
const latest = new WeakMap<OpenedCase, { edits: CaseEdits; fuels: readonly FuelCost[] }>();

/** The fuels of a case as the legend of the map names them, the largest capacity first. */
export function fuelCosts(opened: OpenedCase, edits: CaseEdits): readonly FuelCost[] {
  const known = latest.get(opened);
  if (known?.edits === edits) {
    return known.fuels;
  }
  const rows = new Map<EnergySource, number[]>();
  opened.generators.forEach((unit, row) => {
    const others = rows.get(unit.energy_source) ?? [];
    if (!isDispatchableLoad(unit)) {
      others.push(row);
      rows.set(unit.energy_source, others);
    }
  });
  const found = [...rows].sort(([, a], [, b]) => capacityOf(opened, b) - capacityOf(opened, a));
  const fuels = found.map(([source, of]) => fuelCost(opened, edits, source, of));
  latest.set(opened, { edits, fuels });
  return fuels;
}

function fuelCost(opened: OpenedCase, edits: CaseEdits, source: EnergySource, rows: readonly number[]): FuelCost {
  const units = rows.map((row): GeneratorElement => ({
    kind: "generator",
    id: opened.generators[row]?.id ?? 0,
    value: "cost",
  }));
  const costs = units.map((unit) => ({
    base: opened.baseMw(unit),
    now: edits.generators?.[String(unit.id)]?.cost,
  }));
  const weights = rows.map((row) => Math.max(0, opened.generators[row]?.p_max_mw ?? 0));
  const total = weights.reduce((sum, mw) => sum + mw, 0);
  const weighted = costs.reduce(
    (sum, { base }, k) => sum + base * (total > 0 ? (weights[k] ?? 0) / total : 1 / costs.length),
    0,
  );
  const unchanged = costs.every(({ now }) => now === undefined);
  const isCurve = (row: number, k: number): boolean => {
    const unit = opened.generators[row];
    return costs[k]?.now === undefined && unit !== undefined && hasCostCurve(unit);
  };
  return {
    source,
    units,
    baseCost: weighted,
    curves: rows.filter(isCurve).length,
    change: unchanged ? 0 : common(costs.map(({ base, now }) => (now === undefined ? null : plainSum(now - base)))),
    factor: unchanged
      ? 1
      : common(costs.filter(({ base }) => base !== 0).map(({ base, now }) => (now === undefined ? null : now / base))),
    cost: common(costs.map(({ now }) => now ?? null)),
  };
}

/** Capacity of some generators, MW; those without a limit count as zero. */
function capacityOf(opened: OpenedCase, rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + (opened.generators[row]?.p_max_mw ?? 0), 0);
}

/** The common value of all; null where they differ, one has no value, or there are no values. */
function common(values: readonly (number | null)[]): number | null {
  const [first = null] = values;
  return first !== null &&
    values.every((value) => value !== null && Math.abs(value - first) <= SAME * Math.max(1, Math.abs(first)))
    ? Number(first.toPrecision(10))
    : null;
}

/**
 * The edits with the cost of every generator of a fuel at a change from its base case, $/MWh, or at a factor of it. No
 * change, and a factor of one, give each its own cost back.
 */
export function withFuelCost(
  edits: CaseEdits,
  opened: OpenedCase,
  { units }: Pick<FuelCost, "units">,
  mode: FuelMode,
  amount: number,
): CaseEdits {
  const none = amount === (mode === "change" ? 0 : 1);
  return units.reduce((changed, unit) => {
    const base = opened.baseMw(unit);
    const cost =
      none || (mode === "factor" && base === 0)
        ? undefined
        : plainSum(mode === "change" ? base + amount : base * amount);
    return withGeneratorEdit(changed, unit.id, { cost });
  }, edits);
}
