import type { CaseSession } from "../workspace/index.ts";
import { centredRange, type ColourRange, robustRange, settleRange } from "./colourRange.ts";
import { colourScale, type ColourScale } from "./colourScale.ts";
import { onePrice } from "./loading.ts";
import { BUS_QUANTITIES, levelled, type Quantity } from "./quantities.ts";
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
  #range: ColourRange | null = null;
  #ranged: Quantity | null = null;
  #scaleKey = "";

  get palette(): readonly string[] {
    return this.scale?.palette ?? [];
  }

  /** Colours by the present numbers of a session. */
  update(session: CaseSession, quantity: Quantity, dark: boolean): void {
    const info = BUS_QUANTITIES[quantity];
    const values = info.values(session) ?? new Float64Array(session.opened.busCount).fill(NaN);
    const same = info.scale === "price" ? onePrice(values) : null;
    const shown = same === null ? values : levelled(values, same);
    const range = same === null ? this.#rangeOf(session, quantity, shown) : { low: same, high: same };
    if (same !== null && !session.store.previewing) {
      this.#range = range; // prices that part from here make a range of their own
    }
    this.#rescale(quantity, range, dark);
    this.#place(shown);
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

  /** The range of the colours: it stays while a hand moves, so that the colours move and not their meaning. */
  #rangeOf({ store }: CaseSession, quantity: Quantity, values: Float64Array): ColourRange | null {
    const before = this.#ranged === quantity ? this.#range : null;
    const { scale } = BUS_QUANTITIES[quantity];
    if (scale === "change") {
      const fresh = centredRange(values);
      const kept = store.previewing && quantity === "lmp_change" && before !== null;
      this.#range = kept && (fresh?.high ?? 0) < before.high ? before : fresh;
    } else if (scale === "amount") {
      this.#range = robustRange(values);
    } else if (!store.previewing || before === null) {
      this.#range = settleRange(before, values);
    }
    this.#ranged = quantity;
    return this.#range;
  }

  /** Makes the scale anew only when something about it changed: while prices move it stays. */
  #rescale(quantity: Quantity, range: ColourRange | null, dark: boolean): void {
    const { scale } = BUS_QUANTITIES[quantity];
    const key = [scale, range?.low, range?.high, dark].join();
    if (key !== this.#scaleKey) {
      this.#scaleKey = key;
      this.scale = range === null ? null : colourScale(scale, range, dark);
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
