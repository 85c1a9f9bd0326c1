import {
  collapseBeyond,
  collapseSentence,
  formatPower,
  infeasibleBeyond,
  messageText,
  stopSentence,
  trans,
} from "../../text/index.ts";
import type { CaseSession, CollapseAhead, ElementSlider } from "../../workspace/index.ts";
import { h, setText } from "../../ui/dom.ts";
import { axisTitle } from "../../ui/editrow/changeText.ts";
import { axisText } from "./pathPlot.ts";

/** Positions this close count as one, MW. */
const SAME_MW = 1e-6;

/** The axis below a slider of the edit bar: its ends with their limits, and the edited quantity. */
export class SliderAxis {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #slider: ElementSlider;
  readonly #low = h("span", {});
  readonly #high = h("span", {});
  readonly #what = h("span", { class: "wb-unit" });

  constructor(session: CaseSession, slider: ElementSlider) {
    this.#session = session;
    this.#slider = slider;
    this.node = h("div", { class: "wb-Axis" }, this.#low, this.#what, this.#high);
  }

  /** Shows the present ends. */
  update(): void {
    const { range, what, unit } = this.#slider;
    setText(this.#what, axisTitle(what, unit));
    this.#end(this.#low, range.min, "below");
    this.#end(this.#high, range.max, "above");
  }

  #end(place: HTMLElement, mw: number, side: "below" | "above"): void {
    const path = this.#slider.primary ? this.#session.path : null;
    const stop = path?.[side] ?? null;
    const limit = stop?.reason === "infeasible" || (path === null && this.#endsAt(mw, side));
    const collapse = this.#collapseAt(mw, side);
    const at = formatPower(mw, this.#slider.unit, { signed: true });
    const words =
      collapse !== null ? collapseBeyond() : stopSentence(stop, side, this.#session.opened, this.#slider.unit);
    setText(
      place,
      limit && collapse === null
        ? infeasibleBeyond(side, at)
        : words === "" && this.#goesOn(mw, side)
          ? trans.__("%1, the range shown; type more", at)
          : axisText(mw, this.#slider.unit, words, side),
    );
    place.classList.toggle("wb-mod-limit", limit || collapse !== null);
    const { opened } = this.#session;
    place.title = stop === null ? collapseSentence(collapse, opened) : messageText(stop.sentence, opened);
  }

  /**
   * Whether larger values can be typed at an end of the slider because the problem continues there; false where a value
   * is zero, and at the largest powers of a storage unit.
   */
  #goesOn(mw: number, side: "below" | "above"): boolean {
    const { baseMw, element, what } = this.#slider;
    const { opened } = this.#session;
    if (what === "injection" && opened.storage[opened.rowOf(element)]?.p_charge_max_mw !== null) {
      return false;
    }
    return side === "above" || Math.abs(baseMw + mw) > SAME_MW;
  }

  /** Voltage collapse at an end of the slider; null without one. */
  #collapseAt(mw: number, side: "below" | "above"): CollapseAhead | null {
    const ahead = side === "above" ? this.#session.collapseOf(this.#slider.element) : null;
    return ahead !== null && Math.abs(ahead.mw - mw) <= SAME_MW ? ahead : null;
  }

  /** Whether the interval, and with it feasibility, ends at an end of the slider. */
  #endsAt(mw: number, side: "below" | "above"): boolean {
    const { committedMw, element } = this.#slider;
    const [low, high] = this.#session.responseOf(element)?.dense?.column.warrant.ends ?? [null, null];
    const end = side === "below" ? low : high;
    return end?.no_solution_beyond === true && Math.abs(committedMw + end.mw - mw) <= SAME_MW;
  }
}
