import { columnUnit, formatPerUnit, formatPrice, pathSentence, trans } from "../../text/index.ts";
import {
  type CaseSession,
  type EditRange,
  type ElementPath,
  inRange,
  PRICE,
  VOLTAGE,
  type VoltageCurve,
} from "../../workspace/index.ts";
import { type CurvePoint, priceCurve } from "../../charts/series.ts";

/** What the small plot above the slider draws. Positions are changes from the base case, MW. */
export interface PlottedCurve {
  /** The path or curve: another one is drawn anew. */
  readonly of: ElementPath | VoltageCurve;
  readonly points: readonly CurvePoint[];
  /** Points that stand out: the breakpoints of a path, and where voltages collapse. */
  readonly corners: readonly CurvePoint[];
  readonly limit: CurvePoint | null;
  /** The bus whose quantity it is, by its original id, and the name of that quantity. */
  readonly bus: number;
  readonly quantity: string;
  readonly unit: string;
  /** Least difference between bottom and top: less would draw rounding. */
  readonly leastSpan: number;
  format(value: number): string;
  /** What is drawn, in a few words where the element does not say it; empty where it does. */
  readonly caption: string;
  /** The whole curve in a sentence, for those who do not see it. */
  label(): string;
}

/** What there is to draw of the primary element over the range of its slider: its exact path, or its PV curve; null without either. */
export function plottedCurve(session: CaseSession, range: EditRange): PlottedCurve | null {
  const { path, voltageCurve } = session;
  if (path !== null && path.segments.length > 0) {
    return pathCurve(session, path, range);
  }
  return voltageCurve === null ? null : voltagesOf(session, voltageCurve);
}

function pathCurve({ opened, selection }: CaseSession, path: ElementPath, range: EditRange): PlottedCurve {
  const breakpoints = path.breakpoints.filter(({ mw }) => inRange(range, mw));
  const at = opened.nameOf("bus", path.watchedBus);
  return {
    of: path,
    points: priceCurve(path, 0),
    corners: breakpoints.map(({ mw, price_before }) => ({ x: mw, y: price_before })),
    limit: null,
    bus: path.watchedBus,
    quantity: PRICE,
    unit: columnUnit(PRICE),
    leastSpan: 0.5,
    format: (price) => formatPrice(price),
    caption: "",
    label: () => {
      const what =
        selection?.kind === "branch"
          ? trans.__("Exact price at %1 against the change of the rating,", at)
          : trans.__("Exact price at %1 against the change of the demand,", at);
      const [min, max] = [path.within(range.min), path.within(range.max)];
      const ends = { min, max, low: path.priceAt(min), high: path.priceAt(max) };
      return trans.__("%1 The table below has the numbers.", pathSentence(what, ends, breakpoints.length));
    },
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
        "%1 against the change of the demand, from %2 p.u. to %3 p.u. where voltages collapse.",
        caption,
        formatPerUnit(points[0]?.y ?? NaN),
        formatPerUnit(end?.y ?? NaN),
      ),
  };
}
