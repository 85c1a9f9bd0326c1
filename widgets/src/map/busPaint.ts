import type { CaseSession } from "../workspace/index.ts";
import { centredRange, type ColourRange, settleRange } from "./colourRange.ts";
import { changeScale, type ColourScale, priceScale, type Quantity } from "./colourScale.ts";
import { onePrice } from "./loading.ts";
import { columnIsZero } from "./readout.ts";
import type { BusColours } from "./stageSubject.ts";

/** How long the exact colours take to replace the previewed ones, ms. */
const FADE_MS = 120;

/** The colours of the buses: a place in a palette and a side of the range for every dense bus row. */
export class BusPaint implements BusColours {
  /** What is drawn now; between two places while colours fade. */
  places = new Int16Array();
  sides = new Int8Array();
  scale: ColourScale | null = null;
  below = 0;
  above = 0;
  #target = new Int16Array();
  #from = new Int16Array();
  #fadeStart = -Infinity;
  #priceRange: ColourRange | null = null;
  #scaleKey = "";

  get palette(): readonly string[] {
    return this.scale?.palette ?? [];
  }

  /** Colours by the present numbers of a session. */
  update(session: CaseSession, quantity: Quantity, dark: boolean): void {
    const { store } = session;
    if (quantity === "sensitivity" && store.column !== null) {
      const values = columnIsZero(session) ? levelled(store.column, 0) : store.column;
      this.#rescale(quantity, centredRange(values), dark);
      this.#place(values);
      return;
    }
    const price = onePrice(store.shownLmp);
    const values = price === null ? store.shownLmp : levelled(store.shownLmp, price);
    if (!store.previewing) {
      this.#priceRange = settleRange(this.#priceRange, values);
    }
    this.#rescale(quantity, price === null ? this.#priceRange : { low: price, high: price }, dark);
    this.#place(values);
  }

  /** Lets the colours drawn now run into those of the next update. */
  startFade(now: number): void {
    this.#from = this.places.slice();
    this.#fadeStart = now;
  }

  /** Moves a fade on; true while it goes on. */
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

  /** Makes the scale anew only when something about it changed: while prices move it stays. */
  #rescale(quantity: Quantity, range: ColourRange | null, dark: boolean): void {
    const key = [quantity, range?.low, range?.high, dark].join();
    if (key !== this.#scaleKey) {
      this.#scaleKey = key;
      const make = quantity === "sensitivity" ? changeScale : priceScale;
      this.scale = range === null ? null : make(range, dark);
    }
  }

  #place(values: Float64Array): void {
    const { scale } = this;
    this.#target = new Int16Array(values.length).fill(-1);
    this.sides = new Int8Array(values.length);
    this.below = this.above = 0;
    values.forEach((value, row) => {
      if (scale !== null && Number.isFinite(value)) {
        const side = scale.side(value);
        this.#target[row] = scale.place(value);
        this.sides[row] = side;
        this.below += side < 0 ? 1 : 0;
        this.above += side > 0 ? 1 : 0;
      }
    });
  }
}

/** `values` without their rounding: every finite one is `level`. */
function levelled(values: Float64Array, level: number): Float64Array {
  return values.map((value) => (Number.isFinite(value) ? level : NaN));
}
