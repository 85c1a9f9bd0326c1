import type { EnergySource, GeneratorEdit } from "@service/engine";
import { isDispatchableLoad } from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { GeneratorElement } from "../cases/selection.ts";
import { type CaseEdits, plainSum, withGeneratorEdit } from "./edits.ts";
import { baseCost, editedGenerator, hasCostCurve } from "./generatorEdits.ts";

/** The marginal costs of all generators of one energy source, and their common change. */
export interface FuelCost {
  readonly source: EnergySource;
  /** The generators, dispatchable loads apart. */
  readonly units: readonly GeneratorElement[];
  /** Whether edits give units typical costs, which the case does not have: changes then count from these. */
  readonly assumed: boolean;
  /** Mean by capacity of the costs from which changes count, $/MWh; of a cost curve that between Pmin and Pmax. */
  readonly baseCost: number;
  /** Number of units whose cost is still a curve, which a change replaces by its mean marginal cost. */
  readonly curves: number;
  /** Their common change, $/MWh, and their common factor; null where they have none. */
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
  const editOf = ({ id }: GeneratorElement): GeneratorEdit => edits.generators?.[String(id)] ?? {};
  const typicalOf = ({ id }: GeneratorElement): GeneratorEdit | undefined => opened.typicalCosts[String(id)];
  const assumed = units.some((unit) => isTypical(editOf(unit), typicalOf(unit)));
  const costs = units.map((unit, k) => {
    const typical = assumed ? typicalOf(unit) : undefined;
    const generator = opened.generators[rows[k] ?? -1];
    const { cost: now, c2 } = editOf(unit);
    return {
      base: typical?.cost ?? opened.baseMw(unit),
      mean: typical && generator ? baseCost(editedGenerator(generator, typical)) : opened.baseMw(unit),
      now,
      isShifted: typical === undefined || typical.c2 === c2,
      isScaled: typical === undefined || isScaled({ cost: now, c2 }, typical),
      isCurve: now === undefined && generator !== undefined && hasCostCurve(generator),
    };
  });
  const weights = rows.map((row) => Math.max(0, opened.generators[row]?.p_max_mw ?? 0));
  const total = weights.reduce((sum, mw) => sum + mw, 0);
  const weighted = costs.reduce(
    (sum, { mean }, k) => sum + mean * (total > 0 ? (weights[k] ?? 0) / total : 1 / costs.length),
    0,
  );
  const unchanged = !assumed && costs.every(({ now }) => now === undefined);
  const changes = costs.map(({ base, now, isShifted }) =>
    now === undefined || !isShifted ? null : plainSum(now - base),
  );
  const factors = costs
    .filter(({ base }) => base !== 0)
    .map(({ base, now, isScaled }) => (now === undefined || !isScaled ? null : now / base));
  return {
    source,
    units,
    assumed,
    baseCost: weighted,
    curves: costs.filter(({ isCurve }) => isCurve).length,
    change: unchanged ? 0 : common(changes),
    factor: unchanged ? 1 : common(factors),
    cost: assumed ? null : common(costs.map(({ now }) => now ?? null)),
  };
}

/** Whether a cost is the typical one, shifted or scaled. */
function isTypical(edit: GeneratorEdit, typical: GeneratorEdit | undefined): boolean {
  return edit.cost !== undefined && typical !== undefined && (edit.c2 === typical.c2 || isScaled(edit, typical));
}

/** Whether a cost curve is a typical one times a factor. */
function isScaled({ cost = 0, c2 = 0 }: GeneratorEdit, typical: GeneratorEdit): boolean {
  const factor = cost / (typical.cost ?? 0);
  return Math.abs(c2 - factor * (typical.c2 ?? 0)) <= SAME * Math.abs(c2);
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
 * The edits with the cost of every generator of a fuel at a change in $/MWh from its base case, or from typical costs
 * where edits give these, or at a factor of it. No change, and a factor of one, give that cost back.
 */
export function withFuelCost(
  edits: CaseEdits,
  opened: OpenedCase,
  { units, assumed }: Pick<FuelCost, "units" | "assumed">,
  mode: FuelMode,
  amount: number,
): CaseEdits {
  const isNone = amount === (mode === "change" ? 0 : 1);
  return units.reduce((changed, unit) => {
    const typical = assumed ? opened.typicalCosts[String(unit.id)] : undefined;
    const base = typical?.cost ?? opened.baseMw(unit);
    const c2 = typical?.c2;
    if (isNone || (mode === "factor" && base === 0)) {
      return withGeneratorEdit(changed, unit.id, { cost: typical?.cost, c2 });
    }
    return withGeneratorEdit(
      changed,
      unit.id,
      mode === "change"
        ? { cost: plainSum(base + amount), c2 }
        : { cost: plainSum(base * amount), c2: c2 === undefined || amount === 0 ? undefined : c2 * amount },
    );
  }, edits);
}
