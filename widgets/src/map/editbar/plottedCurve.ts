import { columnUnit, formatPerUnit, formatPrice, isEstimate, pathSentence, trans } from "../../text/index.ts";
import {
  type CaseSession,
  type DenseColumn,
  type EditedValue,
  editedValue,
  type EditRange,
  type ElementPath,
  inRange,
  PRICE,
  stepTo,
  unitOfPath,
  VOLTAGE,
  type VoltageCurve,
} from "../../workspace/index.ts";
import { type CurvePoint, priceCurve } from "../../charts/series.ts";

/** The content of the small plot above the slider. Positions are changes from the base case, MW. */
export interface PlottedCurve {
  /** The path or curve; another object is drawn anew. */
  readonly of: ElementPath | VoltageCurve | DenseColumn;
  readonly points: readonly CurvePoint[];
  /**
   * The exact part of a linear estimate, empty where only the present state is exact; null for curves that are not
   * estimates.
   */
  readonly exact: readonly CurvePoint[] | null;
  /** Highlighted points: the breakpoints of a path, and voltage collapse. */
  readonly corners: readonly CurvePoint[];
  readonly limit: CurvePoint | null;
  /** The bus of the quantity, by its original id, and the name of the quantity. */
  readonly bus: number;
  readonly quantity: string;
  readonly unit: string;
  /** Smallest vertical range; a smaller one would draw rounding. */
  readonly leastSpan: number;
  format(value: number): string;
  /** A short caption where the curve is not obvious from the element; otherwise empty. */
  readonly caption: string;
  /** The whole curve in a sentence, for screen readers. */
  label(): string;
}

/**
 * The curve of the primary element over the range of its slider: its exact path, its PV curve, or for a cost the linear
 * estimate; null without a curve.
 */
export function plottedCurve(session: CaseSession, range: EditRange): PlottedCurve | null {
  const { path, voltageCurve } = session;
  if (path !== null && path.segments.length > 0) {
    return pathCurve(session, path, range);
  }
  return voltageCurve === null ? estimateOf(session, range) : voltagesOf(session, voltageCurve);
}

function pathCurve({ opened, selection }: CaseSession, path: ElementPath, range: EditRange): PlottedCurve {
  const breakpoints = path.breakpoints.filter(({ mw }) => inRange(range, mw));
  const at = opened.nameOf("bus", path.watchedBus);
  return {
    of: path,
    points: priceCurve(path, 0),
    exact: null,
    corners: breakpoints.map(({ mw, price_before }) => ({ x: mw, y: price_before })),
    limit: null,
    bus: path.watchedBus,
    quantity: PRICE,
    unit: columnUnit(PRICE),
    leastSpan: 0.5,
    format: (price) => formatPrice(price),
    caption: "",
    label: () => {
      const what = whatMoves(selection === null ? "demand" : editedValue(selection), at);
      const [min, max] = [path.within(range.min), path.within(range.max)];
      const ends = { min, max, low: path.priceAt(min), high: path.priceAt(max) };
      return trans.__(
        "%1 The table below has the numbers.",
        pathSentence(what, ends, breakpoints.length, unitOfPath(path)),
      );
    },
  };
}

function whatMoves(what: EditedValue, at: string): string {
  switch (what) {
    case "rating":
      return trans.__("Exact price at %1 against the change of the rating,", at);
    case "shift":
      return trans.__("Exact price at %1 against the change of the phase shift,", at);
    case "capacity":
      return trans.__("Exact price at %1 against the change of the capacity,", at);
    case "p_min":
      return trans.__("Exact price at %1 against the change of Pmin,", at);
    case "limit":
      return trans.__("Exact price at %1 against the change of the upper limit of the link,", at);
    default:
      return trans.__("Exact price at %1 against the change of the demand,", at);
  }
}

/** The linear estimate of the price at a generator by its cost, for which there is no exact path. */
function estimateOf(session: CaseSession, range: EditRange): PlottedCurve | null {
  const { selection, opened, store, committedMw } = session;
  const { dense } = store;
  if (selection?.kind !== "generator" || selection.value !== "cost" || dense === null) {
    return null;
  }
  const bus = opened.busOf(selection);
  const row = opened.busRow(bus);
  const price = store.columns.at(PRICE, row);
  const output = store.columns.at("dispatch_mw", opened.rowOf(selection));
  const at = (x: number): CurvePoint => {
    const step = stepTo(selection, x, session.state.edits, opened, output);
    const slope = (step < 0 ? dense.left : dense.right)?.[row] ?? NaN;
    return { x, y: step === 0 ? price : price + slope * step };
  };
  const between = (low: number, high: number): CurvePoint[] =>
    [low, ...(committedMw > low && committedMw < high ? [committedMw] : []), high].map(at);
  const points = between(range.min, range.max);
  if (points.some(({ y }) => Number.isNaN(y))) {
    return null;
  }
  const { point_only: onlyHere, ends } = dense.column.warrant;
  const [low, high] = [
    Math.max(range.min, ends[0] === null ? range.min : committedMw + ends[0].mw),
    Math.min(range.max, ends[1] === null ? range.max : committedMw + ends[1].mw),
  ];
  const isExact = onlyHere !== true && !session.curved && !isEstimate(dense.column) && low < high;
  const name = opened.nameOf("bus", bus);
  return {
    of: dense,
    points,
    exact: isExact ? between(low, high) : [],
    corners: [],
    limit: null,
    bus,
    quantity: PRICE,
    unit: columnUnit(PRICE),
    leastSpan: 0.5,
    format: (value) => formatPrice(value),
    caption: "",
    label: () => trans.__("Linear estimate of the price at %1 against the change of the marginal cost.", name),
  };
}

/** The voltage of the bus that falls first. */
function voltagesOf({ opened }: CaseSession, curve: VoltageCurve): PlottedCurve | null {
  const [first] = curve.buses;
  if (first === undefined) {
    return null;
  }
  const points = curve.positions.map((x, k) => ({ x, y: first.vm_pu[k] ?? NaN }));
  const end = points.at(-1) ?? null;
  const caption = trans.__("Voltage at %1", opened.nameOf("bus", first.bus));
  return {
    of: curve,
    points,
    exact: null,
    corners: [],
    limit: curve.collapse === null ? null : end,
    bus: first.bus,
    quantity: VOLTAGE,
    unit: columnUnit("vm_pu"),
    leastSpan: 0.02,
    format: (pu) => pu.toFixed(3),
    caption,
    label: () =>
      trans.__(
        "%1 against the change of the demand, from %2 pu to %3 pu where voltages collapse.",
        caption,
        formatPerUnit(points[0]?.y ?? NaN),
        formatPerUnit(end?.y ?? NaN),
      ),
  };
}
