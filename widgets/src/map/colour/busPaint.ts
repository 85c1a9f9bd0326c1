import { USUAL_MAGNITUDES } from "@service/engine";
import { type CaseSession, onePrice } from "../../workspace/index.ts";
import {
  centredRange,
  type LegendRange,
  grownRange,
  quantileRange,
  robustRange,
  SeriesRange,
  settleRange,
} from "./legendRange.ts";
import {
  colourScale,
  type ColourScale,
  NOTHING_OUTSIDE,
  type Outside,
  outsideOf,
  type ScaleKind,
} from "./colourScale.ts";
import { levelled } from "./priceQuantities.ts";
import { busQuantity, type Quantity } from "./quantities.ts";
import type { QuantityInfo } from "./quantityInfo.ts";
import { DEFAULT_STYLE, type MapStyle } from "../style/mapStyle.ts";
import type { BusColours } from "../view/sceneModel.ts";

/** Duration of the transition from previewed to exact colours, ms. */
const FADE_MS = 120;

/** The colours of the buses: a palette index and a side of the range for every dense bus row. */
export class BusPaint implements BusColours {
  /** The palette indices drawn now, interpolated during a fade. */
  places = new Int16Array();
  sides = new Int8Array();
  /** The coloured values by bus, NaN for a bus without one. */
  values: Float64Array = new Float64Array();
  scale: ColourScale | null = null;
  outside: Outside = NOTHING_OUTSIDE;
  /** Whether the colours use the range from before the edit under way. */
  held = false;
  #target = new Int16Array();
  #from = new Int16Array();
  #fadeStart = -Infinity;
  #range: LegendRange | null = null;
  #ranged: Quantity | null = null;
  /** Whether the range began with the move under way. */
  #grows = false;
  #scaleKey = "";
  readonly #series = new SeriesRange();

  get palette(): readonly string[] {
    return this.scale?.palette ?? [];
  }

  /** Colours by the present numbers of a session. */
  update(session: CaseSession, quantity: Quantity, dark: boolean, style: MapStyle = DEFAULT_STYLE): void {
    const info = busQuantity(session, quantity);
    const values = info.values(session) ?? new Float64Array(session.opened.busCount).fill(NaN);
    const sampled = session.series.sample(`bus ${quantity}`, () => info.values(session));
    const same = info.scale === "price" ? onePrice(values) : null;
    const shown = same === null ? values : levelled(values, same);
    this.held = false;
    this.values = shown;
    const chosen = style.range === "fixed" && info.scale !== "category" ? fixedRange(info.scale, style) : null;
    const range =
      chosen?.whole ??
      (same === null || sampled !== null || this.#isLocked(quantity, style)
        ? withEnds(this.#rangeOf(session, quantity, info, sampled ?? shown, style), chosen)
        : { low: same, high: same });
    if (same !== null && sampled === null && !session.store.previewing) {
      [this.#range, this.#ranged] = [{ low: same, high: same }, quantity]; // prices that diverge from here start a range of their own
    }
    this.#rescale(info, range, dark, style);
    this.#place(shown);
  }

  /** Whether the present range is locked for this quantity. */
  #isLocked(quantity: Quantity, { locked }: MapStyle): boolean {
    return locked && this.#ranged === quantity && this.#range !== null;
  }

  /** Fades from the present colours to those of the next update. */
  startFade(now: number): void {
    this.#from = this.places.slice();
    this.#fadeStart = now;
  }

  /** Advances a fade; true while it continues. */
  step(now: number): boolean {
    const share = (now - this.#fadeStart) / FADE_MS;
    if (share >= 1 || this.#from.length !== this.#target.length) {
      this.places = this.#target;
      return false;
    }
    this.places = this.#target.map((to, row) => {
      const from = this.#from[row] ?? -1;
      return from < 0 || to < 0 ? to : Math.round(from + (to - from) * share);
    });
    return true;
  }

  /**
   * The range of the colours. It is constant during a drag, so that colours do not change their meaning, and is
   * recomputed on release. The steps of a series share one. Where all values are equal before the edit there is no
   * range to hold: then it grows in steps.
   */
  #rangeOf(
    session: CaseSession,
    quantity: Quantity,
    info: QuantityInfo,
    values: Float64Array,
    style: MapStyle,
  ): LegendRange | null {
    if (this.#isLocked(quantity, style)) {
      return this.#range;
    }
    const { store, series } = session;
    const { scale, live } = info;
    if (series.shown !== null) {
      const made = (): LegendRange | null =>
        style.range === "quantile" ? quantiles(scale, values) : freshRange(scale, values);
      this.#ranged = null; // the live state has its own
      return this.#series.of(values, made, style.range);
    }
    if (style.range === "quantile" && !store.previewing) {
      this.#ranged = quantity;
      this.#range = quantiles(scale, values) ?? null;
      return this.#range;
    }
    const before = this.#ranged === quantity ? this.#range : null;
    this.#ranged = quantity;
    if (before === null || !store.previewing || live !== true) {
      this.#grows = false;
      this.#range = scale === "price" ? settleRange(before, values) : freshRange(scale, values);
      return this.#range;
    }
    this.#grows ||= info.grows === true || !(before.high > before.low);
    this.held = !this.#grows;
    this.#range = this.held ? before : grownRange(before, freshRange(scale, values));
    return this.#range;
  }

  /** Rebuilds the scale only when it has changed: it is constant while prices move. */
  #rescale({ scale }: QuantityInfo, range: LegendRange | null, dark: boolean, { cmap, log }: MapStyle): void {
    const key = [scale, range?.low, range?.high, dark, cmap, log].join();
    if (key !== this.#scaleKey) {
      this.#scaleKey = key;
      this.scale = range === null ? null : colourScale(scale, range, dark, { cmap, log });
    }
  }

  #place(values: Float64Array): void {
    const { scale } = this;
    this.#target = new Int16Array(values.length).fill(-1);
    this.sides = new Int8Array(values.length);
    this.outside = outsideOf(values, scale);
    if (scale === null) {
      return;
    }
    const [places, sides] = [this.#target, this.sides];
    for (let row = 0; row < values.length; row += 1) {
      const value = values[row] as number;
      if (Number.isFinite(value)) {
        places[row] = scale.place(value);
        sides[row] = scale.side(value);
      }
    }
  }
}

/** The range limits that the user chose: both, or one with the extreme value at the other end. */
function fixedRange(
  scale: ScaleKind,
  { vmin, vmax }: MapStyle,
): { low: number | null; high: number | null; whole: LegendRange | null } {
  if (scale === "change") {
    // Symmetric about zero, so that equal changes have equal colours.
    const size = Math.max(Math.abs(vmin ?? 0), Math.abs(vmax ?? 0));
    return { low: null, high: null, whole: size > 0 ? { low: -size, high: size } : null };
  }
  const whole = vmin !== null && vmax !== null && vmin < vmax ? { low: vmin, high: vmax } : null;
  return { low: vmin, high: vmax, whole };
}

function withEnds(
  range: LegendRange | null,
  ends: { low: number | null; high: number | null } | null,
): LegendRange | null {
  const [low, high] = [ends?.low ?? range?.low, ends?.high ?? range?.high];
  return range === null || low === undefined || high === undefined || low > high ? range : { low, high };
}

function quantiles(scale: ScaleKind, values: Float64Array): LegendRange | null {
  const range = quantileRange(scale === "change" ? values.map(Math.abs) : values);
  return scale === "change" && range !== null ? { low: -range.high, high: range.high } : range;
}

function freshRange(scale: ScaleKind, values: Float64Array): LegendRange | null {
  if (scale === "magnitude") {
    return values.some(Number.isFinite) ? USUAL_MAGNITUDES : null;
  }
  if (scale === "category") {
    const known = values.filter(Number.isFinite).sort();
    return known.length === 0 ? null : { low: known[0] ?? 0, high: known.at(-1) ?? 0 };
  }
  return scale === "change" ? centredRange(values) : robustRange(values);
}
