import { breakpointSentence, capitalised, collapseSentence, endSentence } from "../../text/index.ts";
import { type CaseSession, type EditRange, type ElementSlider, shareOf } from "../../workspace/index.ts";
import { h } from "../dom.ts";

/** A mark on the slider, and its meaning in words. */
interface Tick {
  mw: number;
  says: string;
  /** Whether there is no solution beyond it. */
  limit?: boolean;
}

/** Positions this close count as one, MW. */
const SAME_MW = 1e-6;

/**
 * The marks on a slider: the band where the linear estimate is exact, zero, and ticks. For the primary element the
 * ticks are the breakpoints of its path, for another element the ends of its interval, and in an AC power flow voltage
 * collapse.
 */
export class SliderBand {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #slider: ElementSlider;
  readonly #band = h("div", { class: "wb-Band-exact" });
  readonly #zero = h("div", { class: "wb-Band-zero" });
  readonly #ticks = h("div", { class: "wb-Band-ticks" });
  #drawn = "";

  constructor(session: CaseSession, slider: ElementSlider) {
    this.#session = session;
    this.#slider = slider;
    // Hidden from screen readers, because sentences and the table of the path state the same.
    this.node = h(
      "div",
      { class: "wb-Band", attributes: { "aria-hidden": "true" } },
      this.#band,
      this.#zero,
      this.#ticks,
    );
  }

  /** Shows the present marks. */
  update(): void {
    const { range, exact } = this.#slider;
    const from = exact?.low == null ? 0 : shareOf(range, exact.low);
    const to = exact?.high == null ? 1 : shareOf(range, exact.high);
    this.#band.hidden = exact === null;
    this.#band.style.left = `${100 * from}%`;
    this.#band.style.width = `${100 * (to - from)}%`;
    this.#band.classList.toggle("wb-mod-openLow", exact?.low === null);
    this.#band.classList.toggle("wb-mod-openHigh", exact?.high === null);
    this.#zero.style.left = `${100 * shareOf(range, 0)}%`;
    this.#showTicks(range);
  }

  #showTicks(range: EditRange): void {
    const all = this.#positions();
    const key = JSON.stringify([range, all]);
    if (key === this.#drawn) {
      return;
    }
    this.#drawn = key;
    const ticks = all.map(({ mw, says, limit = false }) => {
      const tick = h("i", {
        class: limit ? "wb-Band-tick wb-mod-limit" : "wb-Band-tick",
        data: { mw: String(mw) },
        attributes: { title: says },
        on: { click: () => void this.#slider.commit(mw) },
      });
      tick.style.left = `${100 * shareOf(range, mw)}%`;
      return tick;
    });
    this.#ticks.replaceChildren(...ticks);
  }

  #positions(): Tick[] {
    const { opened, path } = this.#session;
    const { range, committedMw, element, primary, unit } = this.#slider;
    if (primary && path !== null) {
      return path.breakpoints.map((breakpoint) => {
        return { mw: breakpoint.mw, says: breakpointSentence(breakpoint, opened, unit) };
      });
    }
    const collapse = this.#session.collapseOf(element);
    if (collapse !== null) {
      return [{ mw: collapse.mw, says: collapseSentence(collapse, opened), limit: true }].filter(
        ({ mw }) => mw <= range.max + SAME_MW,
      );
    }
    const ends = this.#session.responseOf(element)?.dense?.column.warrant.ends ?? [];
    return ends
      .flatMap((end) => (end === null ? [] : [end]))
      .map((end) => ({
        mw: committedMw + end.mw,
        says: capitalised(endSentence(end, committedMw, opened, "then", unit)),
      }))
      .filter(({ mw }) => mw > range.min + SAME_MW && mw < range.max - SAME_MW);
  }
}
