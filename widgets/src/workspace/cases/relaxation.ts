import type { Explanation, FormulationId, RelaxedLimit } from "@service/engine";
import { trans } from "../../text/index.ts";
import { type CaseEdits, deltaOf, NO_EDITS, withDelta } from "../edits/edits.ts";
import type { OpenedCase } from "./openedCase.ts";
import type { NetworkElement } from "./selection.ts";
import type { RelaxedChange } from "./relaxedChange.ts";
import { editUnit } from "../quantities/branchPower.ts";

/** A relaxation that can be applied, with one line per change. */
export interface RelaxationPlan {
  changes: readonly RelaxedChange[];
  /** Demands and ratings as absolute edits, including the edits that failed. */
  edits: CaseEdits;
  /** Changes that are not edits but case data: limits of generators. */
  generators: readonly RelaxedChange[];
}

/**
 * Plans how the minimum relaxation of an explanation is applied to a case at the edits that failed; returns the reason
 * where it cannot be. Each limit is relaxed by the amount in the explanation, which the engine has verified to suffice.
 */
export function planRelaxation(
  { relaxation }: Explanation,
  opened: OpenedCase,
  tried: CaseEdits = NO_EDITS,
  formulation: FormulationId = "dcopf",
): RelaxationPlan | string {
  if (relaxation.length === 0) {
    return trans.__("No relaxation is known.");
  }
  let edits = tried;
  const changes: RelaxedChange[] = [];
  for (const relaxed of relaxation) {
    const change = changeOf(relaxed, opened, edits, formulation);
    if (typeof change === "string") {
      return change;
    }
    changes.push(change);
    if (change.kind !== "generator") {
      const element = { kind: change.kind, id: change.id } as NetworkElement;
      edits = withDelta(edits, element, plain(change.toMw - opened.baseMw(element, edits)), opened);
    }
  }
  return { changes, edits, generators: changes.filter(({ kind }) => kind === "generator") };
}

/** A number without the rounding error of sums: users see it in lists of edits. */
function plain(mw: number): number {
  return Number(mw.toPrecision(12));
}

/** Whether a relaxation consists of edits alone and can be committed. */
export function isEdit({ generators }: RelaxationPlan): boolean {
  return generators.length === 0;
}

function changeOf(
  { element, limit, mw, rounded_mw: by, angle_deg }: RelaxedLimit,
  opened: OpenedCase,
  edits: CaseEdits,
  formulation: FormulationId,
): RelaxedChange | string {
  const { kind, id } = element;
  if ((kind === "branch" && limit === "rating") || (kind === "bus" && limit === "demand")) {
    const selection = { kind, id } as NetworkElement;
    const fromMw = opened.baseMw(selection, edits) + deltaOf(edits, selection);
    const unit = editUnit(kind, formulation);
    return { kind, id, limit, unit, fromMw, toMw: limit === "rating" ? fromMw + by : fromMw - by };
  }
  const generator = kind === "generator" ? opened.generators[opened.generatorRow(id)] : undefined;
  const fromMw = limit === "minimum" ? generator?.p_min_mw : limit === "maximum" ? generator?.p_max_mw : null;
  if (angle_deg === undefined && (limit === "minimum" || limit === "maximum") && typeof fromMw === "number") {
    if (limit === "maximum") {
      return { kind, id, limit, unit: "MW", fromMw, toMw: fromMw + by };
    }
    // A unit whose minimum falls to zero need not absorb power.
    return { kind, id, limit, unit: "MW", fromMw, toMw: fromMw >= mw ? Math.max(0, fromMw - by) : fromMw - by };
  }
  return fixed(limit, opened.nameOf(kind, id));
}

/** The reason why a relaxation cannot be applied that moves something other than an edit or a generator limit. */
function fixed(limit: RelaxedLimit["limit"], name: string): string {
  switch (limit) {
    case "voltage_maximum":
      return trans.__("It raises the maximum voltage of %1, which cannot be changed here.", name);
    case "voltage_minimum":
      return trans.__("It lowers the minimum voltage of %1, which cannot be changed here.", name);
    case "reactive_supply":
      return trans.__("It supplies reactive power at %1, which cannot be added here.", name);
    case "reactive_absorption":
      return trans.__("It absorbs reactive power at %1, which cannot be added here.", name);
    case "injection":
      return trans.__("It absorbs power at %1, which cannot be added here.", name);
    case "angle":
    case "rating_and_angle":
      return trans.__("It widens the angle-difference limit of %1, which cannot be changed here.", name);
    case "rating":
    case "demand":
    case "minimum":
    case "maximum":
      return trans.__("It changes a limit of %1, which cannot be changed here.", name);
  }
}
