import {
  amountScale,
  type BusColours,
  type ColourScale,
  grownRange,
  type LegendRange,
  magnitudeRange,
  magnitudeScale,
} from "../../map/index.ts";
import type { BusVoltage, FeederRows, FeederStudy, ViewedNetwork } from "../../workspace/index.ts";
import type { Theme } from "../../ui/index.ts";
import { NetworkColours } from "../networkColours.ts";

/** Colours of a feeder's buses: by voltage once there is a result, before that by the equipment. */
export class FeederColours implements BusColours {
  readonly #plain: NetworkColours;
  readonly #study: FeederStudy;
  #which: BusVoltage = "lowest";
  #places: Int16Array;
  #sides: Int8Array;
  #scale: ColourScale | null = null;
  /** The range of the last result; during a drag it only grows. */
  #range: LegendRange | null = null;

  constructor(network: ViewedNetwork, study: FeederStudy) {
    this.#plain = new NetworkColours(network);
    this.#study = study;
    [this.#places, this.#sides] = [this.#plain.places, this.#plain.sides];
  }

  get places(): Int16Array {
    return this.#places;
  }

  get sides(): Int8Array {
    return this.#sides;
  }

  get palette(): readonly string[] {
    return this.#scale?.palette ?? this.#plain.palette;
  }

  /** The scale of the voltages; null while buses show their equipment. */
  get scale(): ColourScale | null {
    return this.#scale;
  }

  get which(): BusVoltage {
    return this.#which;
  }

  /** Shows another voltage of each bus. */
  show(which: BusVoltage): void {
    this.#which = which;
    this.#range = null;
  }

  /** Applies the colours of a theme and the present voltages; `moving` is true during a drag. */
  update(theme: Theme, rows: FeederRows | null, moving: boolean): void {
    this.#plain.update(theme);
    const voltages = this.#study.voltages;
    if (rows === null || voltages === null) {
      this.#scale = null;
      [this.#places, this.#sides] = [this.#plain.places, this.#plain.sides];
      return;
    }
    const neutral = this.#which === "neutral";
    const values = rows.byBus(this.#which, neutral ? voltages.voltage_v : voltages.voltage_pu);
    const fresh = neutral ? spanOf(values, 0) : magnitudeRange(values, spanOf(values, STEP_PU));
    const range = moving && this.#range !== null ? grownRange(this.#range, fresh) : fresh;
    this.#range = range;
    const spanned = range ?? { low: 0.99, high: 1.01 };
    const scale = neutral ? amountScale("amount", spanned, theme.dark) : magnitudeScale(spanned, theme.dark);
    this.#scale = scale;
    this.#places = Int16Array.from(values, (value) => scale.place(value));
    this.#sides = this.#plain.sides; // the range covers all values, so triangles only mark sources
  }

  step(): boolean {
    return false;
  }

  startFade(): void {
    // nothing to fade
  }
}

/** Range limits of voltages are multiples of this, per unit. */
const STEP_PU = 0.005;

/** The range of the values, rounded outwards to multiples of `step`; null without values. */
function spanOf(values: Float64Array, step: number): LegendRange | null {
  const found = values.filter(Number.isFinite);
  if (found.length === 0) {
    return null;
  }
  const [low, high] = [found.reduce((a, b) => Math.min(a, b)), found.reduce((a, b) => Math.max(a, b))];
  return step === 0 ? { low, high } : { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step };
}
