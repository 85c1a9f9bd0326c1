import type { Collapse, Loadability } from "@service/engine";
import { type CaseEdits, deltaOf } from "../edits/edits.ts";
import type { NetworkElement } from "../cases/selection.ts";

/** The request of a curve: the demand of one bus from the change in `edits` on, all other edits as they are. */
export interface CurveRequest {
  edits: CaseEdits;
  selection: NetworkElement;
}

/** Positions this close are one, MW. */
const SAME_MW = 1e-7;

/** Where voltages collapse while a demand grows. */
export interface CollapseAhead {
  /** MW from the base case. */
  mw: number;
  /** Whether the curve was followed to there; otherwise it is the estimate of a power series. */
  traced: boolean;
  /** Original ids of the buses whose voltages fall first, the first one in front. */
  buses: readonly number[];
}

/** The PV curve of one demand up to where voltages collapse. Positions are changes from the base case in MW, ascending. */
export class VoltageCurve {
  readonly request: CurveRequest;
  readonly positions: readonly number[];
  /** The buses whose voltages fall first with their magnitudes along the curve, per unit, the first one in front. */
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

  /** Where it begins and ends. */
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

/** The collapse that the power series at a change of `committedMw` predicts; null where it predicts none. */
export function foreseenCollapse(collapse: Collapse | undefined, committedMw: number): CollapseAhead | null {
  return collapse === undefined || collapse.mw <= 0
    ? null
    : { mw: committedMw + collapse.mw, traced: false, buses: collapse.buses };
}
