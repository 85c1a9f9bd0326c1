import type { SensitivityHead, WarrantEnd } from "@service/engine";
import { type BranchValue, type EditedValue, isBranchValue, type Selection } from "../cases/selection.ts";
import type { CollapseAhead } from "../preview/voltageCurve.ts";

/** Ends of a slider as changes from the base case, in the unit of the edited value. */
export interface EditRange {
  min: number;
  max: number;
}

/** Minimum range of a slider above the base case, MW or, for a cost, $/MWh. */
const LEAST: Readonly<Record<Exclude<EditedValue, BranchValue>, number>> = {
  demand: 100,
  rating: 100,
  capacity: 100,
  p_min: 100,
  cost: 20,
  limit: 100,
  schedule: 100,
  injection: 100,
  energy_value: 20,
};
/** How far the sliders of a reactance that is zero (pu), of a tap ratio and of a phase shift (degrees) go at least. */
const LEAST_REACTANCE = 0.01;
const TAP_RANGE = 0.1;
const SHIFT_RANGE = 30;

/**
 * The range of a slider: down to zero, to twice a negative demand, or to `floor`; up to a round number that includes
 * the present change, twice the base value, and a nearby end of the exact interval. A reactance, tap ratio or phase
 * shift goes as far down as up.
 */
export function editRange(
  what: EditedValue,
  baseMw: number,
  committedMw: number,
  column: SensitivityHead | null,
  floor = -Math.abs(baseMw),
): EditRange {
  if (what === "x" || what === "tap" || what === "shift") {
    const size = Math.abs(baseMw);
    const x = (9 * size) / 10 || LEAST_REACTANCE; // neither end is without reactance
    const far = { x, tap: TAP_RANGE, shift: Math.max(SHIFT_RANGE, size) }[what];
    return { min: Math.min(-far, committedMw), max: Math.max(far, committedMw) };
  }
  const usual = Math.max(LEAST[what], what === "rating" ? 0.5 * baseMw : Math.abs(baseMw));
  const end = column?.warrant.valid_mw[1] ?? null;
  const near = end !== null && committedMw + end <= 5 * usual ? 1.25 * (committedMw + end) : 0;
  return { min: Math.min(floor, committedMw), max: roundUp(Math.max(usual, near, committedMw)) };
}

/** A range shorter than this, MW, gets no slider. */
const LEAST_WIDTH_MW = 1e-3;

/**
 * The part of a range within the interval of a column beyond which there is no solution; the whole range where nothing
 * would be left.
 */
export function withSolution(range: EditRange, committedMw: number, column: SensitivityHead | null): EditRange {
  const [low, high] = column?.warrant.ends ?? [null, null];
  const min = low?.no_solution_beyond === true ? Math.max(range.min, committedMw + low.mw) : range.min;
  const max = high?.no_solution_beyond === true ? Math.min(range.max, committedMw + high.mw) : range.max;
  return max - min < LEAST_WIDTH_MW ? range : { min, max };
}

/** The range cut where voltages collapse; unchanged until the collapse is known. */
export function untilCollapse(range: EditRange, collapse: CollapseAhead | null): EditRange {
  return collapse === null || collapse.mw - range.min < LEAST_WIDTH_MW ? range : { min: range.min, max: collapse.mw };
}

/** Positions closer than this are equal, MW. */
const SAME_MW = 1e-9;

/**
 * A column whose interval is cut to the values an edit can have: ratings, and demands not negative in the base case,
 * end at zero. The engine's interval follows the optimum alone and ignores the limits of edits. `committedMw` is the
 * change at which the column was computed.
 */
export function reachable(
  column: SensitivityHead,
  element: Selection,
  baseMw: number,
  committedMw: number,
): SensitivityHead {
  const { warrant } = column;
  if (element.kind === "generator" || element.kind === "link" || isBranchValue(element) || baseMw < 0) {
    return column; // the engine has the limits of a generator or link; a phase shift and a negative demand have no lowest value
  }
  const [low, high] = warrant.ends;
  const least = Math.min(0, -baseMw - committedMw);
  if (warrant.point_only === true || (low !== null && low.mw >= least - SAME_MW)) {
    return column;
  }
  const end: WarrantEnd = { mw: least + 0, event: "edit_limit", element, price_jump: null };
  const ends: [WarrantEnd, WarrantEnd | null] = [end, high];
  return { ...column, warrant: { ...warrant, ends, valid_mw: [end.mw, warrant.valid_mw[1]] } };
}

/** Whether a change lies in a range. */
export function inRange(range: EditRange, mw: number): boolean {
  return mw >= range.min && mw <= range.max;
}

/** A value as a share of the range, 0 to 1. */
export function shareOf(range: EditRange, mw: number): number {
  return Math.max(0, Math.min(1, (mw - range.min) / (range.max - range.min)));
}

/**
 * The position of a slider as a round number, finer than the hand can place it; the ends of the range and zero are
 * exact.
 */
export function snapped(range: EditRange, mw: number): number {
  const stride = Math.min(0.1, 10 ** Math.floor(Math.log10((range.max - range.min) / 500)));
  const half = 0.5 * stride;
  if (mw <= range.min + half) {
    return range.min;
  }
  if (mw >= range.max - half) {
    return range.max;
  }
  const digits = Math.max(0, Math.round(-Math.log10(stride)));
  return Number(mw.toFixed(digits)) + 0; // no negative zero
}

/** The step of a slider by one press of an arrow key: 1 MW, $/MWh or degree, 1 % of a reactance, 0.001 of a tap ratio. */
export function keyStep(what: EditedValue, baseMw: number): number {
  return what === "x" ? Math.abs(baseMw || LEAST_REACTANCE) / 100 : what === "tap" ? 0.001 : 1;
}

/**
 * The value after a slider key: arrows move one `step`, with Shift 10, Page 10 %, Home and End go to the ends; null for
 * other keys.
 */
export function keyedValue(range: EditRange, mw: number, key: string, shift: boolean, step = 1): number | null {
  const stride = shift ? 10 * step : step;
  const page = (range.max - range.min) / 10;
  const moves: Record<string, number> = {
    ArrowRight: mw + stride,
    ArrowUp: mw + stride,
    ArrowLeft: mw - stride,
    ArrowDown: mw - stride,
    PageUp: mw + page,
    PageDown: mw - page,
    Home: range.min,
    End: range.max,
  };
  const moved = moves[key];
  return moved === undefined ? null : Math.max(range.min, Math.min(range.max, moved));
}

function roundUp(mw: number): number {
  const power = 10 ** Math.floor(Math.log10(mw));
  return ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= mw * (1 - 1e-9)) ?? 10) * power;
}
