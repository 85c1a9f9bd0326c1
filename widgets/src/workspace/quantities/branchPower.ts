import { ACPF_COLUMNS, DCOPF_COLUMNS, DCPF_COLUMNS, type FormulationId, SOCWR_COLUMNS } from "@service/engine";
import type { EditUnit, PowerUnit } from "../../text/index.ts";
import { editedValue, type SelectableKind, type Selection } from "../cases/selection.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Values by dense row, by their name: of a state, or those shown. */
type Values = (name: string) => Float64Array | null;

/** Active power lost in each branch by dense row, MW: what enters it at its two ends. Null where there is one end only. */
export function branchLosses(values: Values): Float64Array | null {
  const [from, to] = [values("flow_mw"), values("flow_to_mw")];
  return to && from && from.map((mw, row) => mw + (to[row] ?? NaN));
}

/** Active power lost in all branches, MW; null where there is one end only. */
export function totalLosses(values: Values): number | null {
  const losses = branchLosses(values);
  return losses && losses.reduce((sum, mw) => (Number.isFinite(mw) ? sum + mw : sum), 0);
}

/** The unit in which a state rates its branches: apparent power where loading is of that. */
export function ratingUnit(columns: QuantityTable): PowerUnit {
  return columns.has("rating_mva") ? "MVA" : "MW";
}

const COLUMNS: Readonly<Record<FormulationId, readonly string[]>> = {
  dcopf: DCOPF_COLUMNS,
  dcpf: DCPF_COLUMNS,
  acpf: ACPF_COLUMNS,
  socwr: SOCWR_COLUMNS,
};

/** The unit in which a formulation changes a demand or a rating: ratings of a formulation with reactive power are of apparent power. */
export function editUnit(kind: SelectableKind, formulation: FormulationId): PowerUnit {
  return kind === "branch" && COLUMNS[formulation].includes("rating_mva") ? "MVA" : "MW";
}

/** The unit in which an element is edited. */
export function unitOf(element: Selection, formulation: FormulationId): EditUnit {
  if (element.kind !== "generator") {
    return editUnit(element.kind, formulation);
  }
  return editedValue(element) === "cost" ? "$/MWh" : "MW";
}

/** The units in which some elements are edited, each once. */
export function editUnits(elements: readonly Selection[], formulation: FormulationId): EditUnit[] {
  return [...new Set(elements.map((element) => unitOf(element, formulation)))];
}
