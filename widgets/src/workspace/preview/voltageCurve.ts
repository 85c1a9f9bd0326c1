import type { Collapse, Loadability } from "@service/engine";
import { type CaseEdits, deltaOf } from "../edits/edits.ts";
import type { NetworkElement } from "../cases/selection.ts";

/** The request of a curve: the demand of one bus from the change in `edits` upwards, with all other edits unchanged. */
export interface CurveRequest {
  edits: CaseEdits;
  selection: NetworkElement;
}

/** Positions closer than this are equal, MW. */
const SAME_MW = 1e-7;

/** The voltage collapse as a demand grows. */
export interface CollapseAhead {
  /** MW from the base case. */
  mw: number;
  /** Whether the curve was followed to the collapse, rather than estimated from a power series. */
  traced: boolean;
  /** Original ids of the buses whose voltages fall fastest, in that order. */
  buses: readonly number[];
}

/** The PV curve of one demand up to the voltage collapse. Positions are changes from the base case in MW, ascending. */
export class VoltageCurve {
  readonly request: CurveRequest;
  readonly positions: readonly number[];
  /** The buses whose voltages fall fastest, in that order, with their magnitudes along the curve, per unit. */
  readonly buses: Loadability["buses"];
  /** Its end; null where no collapse was found. */
  readonly collapse: CollapseAhead | null;

  constructor(request: CurveRequest, { added_mw, buses, no_solution_mw }: Loadability) {
    const from = deltaOf(request.edits, request.selection);
    this.request = request;
    this.positions = added_mw.map((mw) => from + mw);
    this.buses = buses;
    this.collapse = no_solution_mw === null ? null : { mw: this.max, traced: true, buses: buses.map(({ bus }) => bus) };
  }

  /** Its beginning and end. */
  get min(): number {
    return this.positions[0] ?? NaN;
  }

  get max(): number {
    return this.positions.at(-1) ?? NaN;
  }

  /** Whether a position lies on it. */
  covers(mw: number): boolean {
    return mw >= this.min - SAME_MW && mw <= this.max + SAME_MW;
  }
}

/** The collapse predicted by the power series at a change of `committedMw`; null without one. */
export function foreseenCollapse(collapse: Collapse | undefined, committedMw: number): CollapseAhead | null {
  return collapse === undefined || collapse.mw <= 0
    ? null
    : { mw: committedMw + collapse.mw, traced: false, buses: collapse.buses };
}
