import { type EditUnit, formatPower } from "../../text/index.ts";
import type { CaseSession, EditRange } from "../../workspace/index.ts";
import type { CurvePoint } from "../../charts/series.ts";
import { h, setText, svg } from "../../ui/dom.ts";
import { shareOf } from "../../workspace/index.ts";
import { type PlottedCurve, plottedCurve } from "./plottedCurve.ts";
import { HEIGHT, type Staircase, staircase, WIDTH } from "./staircase.ts";

/**
 * The exact price against the change of the selected element, its linear estimate for a cost (dashed where it is not
 * exact), or the voltage of an AC power flow up to collapse, above the slider and on its scale: a line, with the
 * published state as a dot and the slider's position as a ring.
 */
export class PathPlot {
  readonly node = h("div", { class: "wb-Plot", attributes: { hidden: "" } });
  readonly #session: CaseSession;
  readonly #picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-hidden": "true", // until there is a curve
  });
  readonly #line = svg("path");
  readonly #estimate = svg("path", { class: "wb-mod-estimate" });
  readonly #committed = h("i", { class: "wb-Plot-dot" });
  readonly #hand = h("i", { class: "wb-Plot-ring" });
  readonly #here = h("i", { class: "wb-Plot-here" });
  readonly #corners = h("div", {});
  readonly #limit = h("i", { class: "wb-Plot-limit" });
  readonly #caption = h("span", { class: "wb-Plot-caption" });
  readonly #unit = h("span", { class: "wb-Plot-unit wb-unit" });
  readonly #high = h("span", { class: "wb-Plot-high" });
  readonly #low = h("span", { class: "wb-Plot-low" });
  /** The position that the vertical range was chosen for, MW. */
  #around = NaN;
  #drawn: { curve: PlottedCurve; range: EditRange; stairs: Staircase } | null = null;

  constructor(session: CaseSession) {
    this.#session = session;
    this.#picture.append(this.#estimate, this.#line);
    const marks = h(
      "div",
      { class: "wb-Plot-marks", attributes: { "aria-hidden": "true" } },
      this.#corners,
      this.#limit,
      this.#here,
      this.#committed,
      this.#hand,
    );
    const axis = h(
      "div",
      { class: "wb-Plot-axis", attributes: { "aria-hidden": "true" } },
      this.#high,
      this.#unit,
      this.#low,
    );
    this.node.append(axis, h("div", { class: "wb-Plot-area" }, this.#picture, this.#caption, marks));
  }

  /** Draws the curve of the selected element. */
  update(range: EditRange): void {
    const curve = plottedCurve(this.#session, range);
    this.node.hidden = curve === null;
    if (curve === null) {
      this.#drawn = null;
      return;
    }
    const { curve: before, range: old } = this.#drawn ?? {};
    const { committedMw } = this.#session;
    if (before?.of !== curve.of || old?.min !== range.min || old.max !== range.max || this.#around !== committedMw) {
      setText(this.#unit, curve.unit);
      setText(this.#caption, curve.caption);
      this.#picture.removeAttribute("aria-hidden");
      this.#picture.setAttribute("aria-label", curve.label());
      this.#draw(curve, range, committedMw);
    }
    this.move();
  }

  /** Draws the curve with a vertical range that shows the surroundings of a position. */
  #draw(curve: PlottedCurve, range: EditRange, around: number): void {
    const stairs = staircase(curve.points, range, curve.leastSpan, around);
    this.#around = around;
    this.#drawn = { curve, range, stairs };
    this.#line.setAttribute("d", curve.exact === null ? stairs.line : stairs.lineOf(curve.exact));
    this.#estimate.setAttribute("d", curve.exact === null ? "" : stairs.line);
    setText(this.#high, curve.format(stairs.high));
    setText(this.#low, curve.format(stairs.low));
    this.#mark(curve);
  }

  /** Moves the marks to the present position. */
  move(): void {
    const { committedMw, previewMw, shownMw, store, opened } = this.#session;
    if (this.#drawn === null) {
      return;
    }
    const { curve, range, stairs } = this.#drawn;
    const { bus, quantity } = curve;
    const row = opened.busRow(bus);
    const value = store.shownAt(quantity, row);
    if (previewMw !== null && (value < stairs.low || value > stairs.high)) {
      this.#draw(curve, range, shownMw ?? previewMw); // the position has left the drawn range
    }
    this.#put(this.#committed, { x: committedMw, y: store.columns.at(quantity, row) });
    this.#hand.hidden = previewMw === null;
    this.#here.style.left = `${100 * shareOf(range, previewMw ?? committedMw)}%`;
    if (previewMw !== null) {
      this.#put(this.#hand, { x: shownMw ?? previewMw, y: value });
    }
  }

  #mark({ corners, limit }: PlottedCurve): void {
    const marks = corners.map((corner) => {
      const mark = h("i", { class: "wb-Plot-corner" });
      this.#put(mark, corner);
      return mark;
    });
    this.#corners.replaceChildren(...marks);
    this.#limit.hidden = limit === null;
    if (limit !== null) {
      this.#put(this.#limit, limit);
    }
  }

  #put(mark: HTMLElement, { x, y }: CurvePoint): void {
    const { range, stairs } = this.#drawn ?? {};
    if (range !== undefined && stairs !== undefined) {
      mark.style.left = `${100 * shareOf(range, x)}%`;
      mark.style.top = `${100 * stairs.heightOf(y)}%`;
    }
  }
}

/** A text of the axis below the slider: its end, with a note where nothing is feasible beyond. */
export function axisText(mw: number, unit: EditUnit, stop: string, side: "below" | "above"): string {
  const at = formatPower(mw, unit, { signed: true });
  if (stop === "") {
    return at;
  }
  return side === "below" ? `${at}: ${stop}` : `${stop}: ${at}`;
}
