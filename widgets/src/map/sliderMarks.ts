import { breakpointSentence, stopSentence, trans } from "../words/index.ts";
import { type CaseSession, type EditRange, shareOf } from "../workspace/index.ts";
import { h, setText } from "./dom.ts";
import { axisText } from "./pathPlot.ts";

/** What the marks below a slider can do. */
export interface MarkActions {
  /** Go to a position, MW from the base case. */
  go(mw: number): void;
}

/** The marks below a slider: the band where the first order is exact, zero, a tick for every breakpoint, and the axis. */
export class SliderMarks {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #actions: MarkActions;
  readonly #band = h("div", { class: "wb-Band-exact" });
  readonly #zero = h("div", { class: "wb-Band-zero" });
  readonly #ticks = h("div", { class: "wb-Band-ticks" });
  readonly #low = h("span", {});
  readonly #what = h("span", { class: "wb-unit" });
  readonly #high = h("span", {});
  #drawn: unknown[] = [];

  constructor(session: CaseSession, actions: MarkActions) {
    this.#session = session;
    this.#actions = actions;
    // The table of the path says the same in words.
    const band = h(
      "div",
      { class: "wb-Band", attributes: { "aria-hidden": "true" } },
      this.#band,
      this.#zero,
      this.#ticks,
    );
    this.node = h("div", {}, band, h("div", { class: "wb-Axis" }, this.#low, this.#what, this.#high));
  }

  /** Shows the marks of the selected element. */
  update(range: EditRange): void {
    const { column, committedMw, selection, path } = this.#session;
    const [low, high] = column?.warrant.ends ?? [null, null];
    const from = low === null ? 0 : shareOf(range, committedMw + low.mw);
    const to = high === null ? 1 : shareOf(range, committedMw + high.mw);
    this.#band.hidden = column === null;
    this.#band.style.left = `${100 * from}%`;
    this.#band.style.width = `${100 * (to - from)}%`;
    this.#band.classList.toggle("wb-mod-openLow", low === null);
    this.#band.classList.toggle("wb-mod-openHigh", high === null);
    this.#zero.style.left = `${100 * shareOf(range, 0)}%`;
    setText(
      this.#what,
      selection?.kind === "branch" ? trans.__("Change of rating, MW") : trans.__("Change of demand, MW"),
    );
    this.#end(this.#low, range.min, "below");
    this.#end(this.#high, range.max, "above");
    if (this.#drawn[0] !== path || this.#drawn[1] !== range.min || this.#drawn[2] !== range.max) {
      this.#drawn = [path, range.min, range.max];
      this.#showTicks(range);
    }
  }

  #end(place: HTMLElement, mw: number, side: "below" | "above"): void {
    const { path } = this.#session;
    const stop = path?.[side] ?? null;
    setText(place, axisText(mw, stopSentence(stop, side), side));
    place.classList.toggle("wb-mod-limit", stop?.reason === "infeasible");
    place.title = stop?.message ?? "";
  }

  #showTicks(range: EditRange): void {
    const { path, opened } = this.#session;
    const ticks = (path?.breakpoints ?? []).map((breakpoint) => {
      const { mw } = breakpoint;
      const tick = h("i", {
        class: "wb-Band-tick",
        data: { mw: String(mw) },
        attributes: { title: breakpointSentence(breakpoint, opened) },
        on: { click: () => this.#actions.go(mw) },
      });
      tick.style.left = `${100 * shareOf(range, mw)}%`;
      return tick;
    });
    this.#ticks.replaceChildren(...ticks);
  }
}
