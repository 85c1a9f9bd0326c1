import {
  breakpointSentence,
  capitalised,
  endSentence,
  noSolutionBeyond,
  stopSentence,
  trans,
} from "../../text/index.ts";
import { type CaseSession, type EditRange, type ElementSlider, shareOf } from "../../workspace/index.ts";
import { h, setText } from "../../ui/dom.ts";
import { axisText } from "./pathPlot.ts";

/** A place on the slider where something happens, and in words what. */
interface Tick {
  mw: number;
  says: string;
}

/** Positions this close are one, MW. */
const SAME_MW = 1e-6;

/**
 * The marks below a slider: the band where the first order is exact, zero, ticks, and the axis. The ticks of the primary element
 * are the breakpoints of its path; those of another one are the ends of its interval.
 */
export class SliderMarks {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #slider: ElementSlider;
  readonly #band = h("div", { class: "wb-Band-exact" });
  readonly #zero = h("div", { class: "wb-Band-zero" });
  readonly #ticks = h("div", { class: "wb-Band-ticks" });
  readonly #low = h("span", {});
  readonly #what = h("span", { class: "wb-unit" });
  readonly #high = h("span", {});
  #drawn = "";

  constructor(session: CaseSession, slider: ElementSlider) {
    this.#session = session;
    this.#slider = slider;
    // The words of the edit bar and the table of the path say the same.
    const band = h(
      "div",
      { class: "wb-Band", attributes: { "aria-hidden": "true" } },
      this.#band,
      this.#zero,
      this.#ticks,
    );
    setText(
      this.#what,
      slider.element.kind === "branch" ? trans.__("Change of rating, MW") : trans.__("Change of demand, MW"),
    );
    this.node = h("div", {}, band, h("div", { class: "wb-Axis" }, this.#low, this.#what, this.#high));
  }

  /** Shows the marks as they are now. */
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
    this.#end(this.#low, range.min, "below");
    this.#end(this.#high, range.max, "above");
    this.#showTicks(range);
  }

  #end(place: HTMLElement, mw: number, side: "below" | "above"): void {
    const stop = this.#path?.[side] ?? null;
    const limit = stop?.reason === "infeasible" || (this.#path === null && this.#endsAt(mw, side));
    setText(place, axisText(mw, limit ? noSolutionBeyond(side) : stopSentence(stop, side), side));
    place.classList.toggle("wb-mod-limit", limit);
    place.title = stop?.message ?? "";
  }

  /** Whether the interval ends at an end of the slider, and with it what has a solution. */
  #endsAt(mw: number, side: "below" | "above"): boolean {
    const { committedMw, element } = this.#slider;
    const [low, high] = this.#session.responseOf(element)?.dense?.column.warrant.ends ?? [null, null];
    const end = side === "below" ? low : high;
    return end?.no_solution_beyond === true && Math.abs(committedMw + end.mw - mw) <= SAME_MW;
  }

  #showTicks(range: EditRange): void {
    const all = this.#positions();
    const key = JSON.stringify([range, all]);
    if (key === this.#drawn) {
      return;
    }
    this.#drawn = key;
    const ticks = all.map(({ mw, says }) => {
      const tick = h("i", {
        class: "wb-Band-tick",
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
    const { opened } = this.#session;
    if (this.#path !== null) {
      return this.#path.breakpoints.map((breakpoint) => {
        return { mw: breakpoint.mw, says: breakpointSentence(breakpoint, opened) };
      });
    }
    const { range, committedMw, element } = this.#slider;
    const ends = this.#session.responseOf(element)?.dense?.column.warrant.ends ?? [];
    return ends
      .flatMap((end) => (end === null ? [] : [end]))
      .map((end) => ({ mw: committedMw + end.mw, says: capitalised(endSentence(end, committedMw, opened)) }))
      .filter(({ mw }) => mw > range.min + SAME_MW && mw < range.max - SAME_MW);
  }

  get #path(): CaseSession["path"] {
    return this.#slider.primary ? this.#session.path : null;
  }
}
