import { ACPF_COLUMNS, DCOPF_COLUMNS, DCPF_COLUMNS, type FormulationId, SOCWR_COLUMNS } from "@service/engine";
import type { EditUnit, PowerUnit } from "../../text/index.ts";
import { editedValue, type SelectableKind, type Selection } from "../cases/selection.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Values by dense row, by name: of a state, or those on screen. */
type Values = (name: string) => Float64Array | null;

/**
 * Active power lost in each branch by dense row, MW: the sum of the flows into its two ends. Null where only one end is
 * known.
 */
export function branchLosses(values: Values): Float64Array | null {
  const [from, to] = [values("flow_mw"), values("flow_to_mw")];
  return to && from && from.map((mw, row) => mw + (to[row] ?? NaN));
}

/** Active power lost in all branches, MW; null where only one end is known. */
export function totalLosses(values: Values): number | null {
  const losses = branchLosses(values);
  return losses && losses.reduce((sum, mw) => (Number.isFinite(mw) ? sum + mw : sum), 0);
}

/** The unit of ratings in a state: apparent power where loading refers to it. */
export function ratingUnit(columns: QuantityTable): PowerUnit {
  return columns.has("rating_mva") ? "MVA" : "MW";
}

const COLUMNS: Readonly<Record<FormulationId, readonly string[]>> = {
  dcopf: DCOPF_COLUMNS,
  dcpf: DCPF_COLUMNS,
  acpf: ACPF_COLUMNS,
  socwr: SOCWR_COLUMNS,
};

/** The unit of changes of a demand or a rating: ratings are apparent power in formulations with reactive power. */
export function editUnit(kind: SelectableKind, formulation: FormulationId): PowerUnit {
  return kind === "branch" && COLUMNS[formulation].includes("rating_mva") ? "MVA" : "MW";
}

/** The unit of an element's edits. */
export function unitOf(element: Selection, formulation: FormulationId): EditUnit {
  const what = editedValue(element);
  switch (what) {
    case "demand":
    case "rating":
      return editUnit(what === "rating" ? "branch" : "bus", formulation);
    case "capacity":
    case "p_min":
    case "limit":
    case "schedule":
    case "injection":
      return "MW";
    case "cost":
    case "energy_value":
      return "$/MWh";
    case "x":
      return "pu";
    case "tap":
      return "";
    case "shift":
      return "\u00b0";
  }
}

/** The unit of the positions of an exact path; DC OPF alone has paths. */
export function unitOfPath({ request }: Pick<ElementPath, "request">): EditUnit {
  return unitOf(request.selection, "dcopf");
}

/** The units of some elements' edits, each once. */
export function editUnits(elements: readonly Selection[], formulation: FormulationId): EditUnit[] {
  return [...new Set(elements.map((element) => unitOf(element, formulation)))];
}
