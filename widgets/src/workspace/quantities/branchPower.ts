import { ACPF_COLUMNS, DCOPF_COLUMNS, DCPF_COLUMNS, type FormulationId, SOCWR_COLUMNS } from "@service/engine";
import type { PowerUnit } from "../../text/index.ts";
import type { SelectableKind, Selection } from "../cases/selection.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Active power lost in each branch by dense row, MW: what enters it at its two ends. Null where the state has one end only. */
export function branchLosses(columns: QuantityTable): Float64Array | null {
  const ends = columns.pick("flow_mw", "flow_to_mw");
  return ends && ends.flow_mw.map((mw, row) => mw + (ends.flow_to_mw[row] ?? NaN));
}

/** Active power lost in all branches, MW; null where the state does not tell it. */
export function totalLosses(columns: QuantityTable): number | null {
  const losses = branchLosses(columns);
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

/** The units in which some elements are edited, each once. */
export function editUnits(elements: readonly Selection[], formulation: FormulationId): PowerUnit[] {
  return [...new Set(elements.map(({ kind }) => editUnit(kind, formulation)))];
}
