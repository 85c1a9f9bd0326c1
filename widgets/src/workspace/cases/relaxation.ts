import type { Explanation, FormulationId, RelaxedLimit } from "@service/engine";
import { trans } from "../../text/index.ts";
import { type CaseEdits, deltaOf, NO_EDITS, withDelta } from "../edits/edits.ts";
import type { OpenedCase } from "./openedCase.ts";
import type { NetworkElement } from "./selection.ts";
import type { RelaxedChange } from "./relaxedChange.ts";
import { editUnit } from "../quantities/branchPower.ts";

/** A relaxation that can be carried out: line by line what changes, and how. */
export interface RelaxationPlan {
  changes: readonly RelaxedChange[];
  /** Demands and ratings as absolute edits, those that were tried among them. */
  edits: CaseEdits;
  /** Changes that are no edits but data of the case: limits of generators. */
  generators: readonly RelaxedChange[];
}

/**
 * How the minimum relaxation of an explanation is carried out on a case at the edits that were tried; in words why it cannot be.
 * Each limit is relaxed by what the sentence says: the engine has checked that this is enough.
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
      edits = withDelta(edits, element, plain(change.toMw - opened.baseMw(element)), opened);
    }
  }
  return { changes, edits, generators: changes.filter(({ kind }) => kind === "generator") };
}

/** A number without the dust of adding and taking away: it is shown to those who look at edits. */
function plain(mw: number): number {
  return Number(mw.toPrecision(12));
}

/** Whether a relaxation can be committed in a session as it is. */
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
    const fromMw = opened.baseMw(selection) + deltaOf(edits, selection);
    const unit = editUnit(kind, formulation);
    return { kind, id, limit, unit, fromMw, toMw: limit === "rating" ? fromMw + by : fromMw - by };
  }
  const generator = kind === "generator" ? opened.generators[opened.generatorRow(id)] : undefined;
  const fromMw = limit === "minimum" ? generator?.p_min_mw : limit === "maximum" ? generator?.p_max_mw : null;
  if (angle_deg === undefined && (limit === "minimum" || limit === "maximum") && typeof fromMw === "number") {
    if (limit === "maximum") {
      return { kind, id, limit, unit: "MW", fromMw, toMw: fromMw + by };
    }
    // A unit that is told to come down to nothing does not have to take up power.
    return { kind, id, limit, unit: "MW", fromMw, toMw: fromMw >= mw ? Math.max(0, fromMw - by) : fromMw - by };
  }
  return fixed(limit, opened.nameOf(kind, id));
}

/** Why a relaxation cannot be carried out that moves what is no edit and no limit of a generator. */
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
