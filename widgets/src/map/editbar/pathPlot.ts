import { formatPower, formatPrice, pathSentence, type PowerUnit, trans } from "../../text/index.ts";
import { type CaseSession, type EditRange, type ElementPath, PRICE, type Selection } from "../../workspace/index.ts";
import { h, setText } from "../../ui/dom.ts";
import { shareOf } from "../../workspace/index.ts";
import { HEIGHT, type Staircase, staircase, WIDTH } from "./staircase.ts";

const SVG = "http://www.w3.org/2000/svg";

/**
 * The exact price against the change of the selected element, above its slider and on the same scale: a line, the published
 * state as a dot, and a ring for where the hand is.
 */
export class PathPlot {
  readonly node = h("div", { class: "wb-Plot", attributes: { hidden: "" } });
  readonly #session: CaseSession;
  readonly #picture = document.createElementNS(SVG, "svg");
  readonly #line = document.createElementNS(SVG, "path");
  readonly #committed = h("i", { class: "wb-Plot-dot" });
  readonly #hand = h("i", { class: "wb-Plot-ring" });
  readonly #here = h("i", { class: "wb-Plot-here" });
  readonly #corners = h("div", {});
  readonly #high = h("span", { class: "wb-Plot-high" });
  readonly #low = h("span", { class: "wb-Plot-low" });
  #drawn: { path: ElementPath; range: EditRange; stairs: Staircase } | null = null;

  constructor(session: CaseSession) {
    this.#session = session;
    this.#picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#picture.setAttribute("preserveAspectRatio", "none");
    this.#picture.setAttribute("role", "img");
    this.#picture.setAttribute("aria-label", trans.__("Exact price"));
    this.#picture.append(this.#line);
    const marks = h(
      "div",
      { class: "wb-Plot-marks", attributes: { "aria-hidden": "true" } },
      this.#corners,
      this.#here,
      this.#committed,
      this.#hand,
    );
    const unit = h("span", { class: "wb-Plot-unit wb-unit", text: "$/MWh" });
    const axis = h(
      "div",
      { class: "wb-Plot-axis", attributes: { "aria-hidden": "true" } },
      this.#high,
      unit,
      this.#low,
    );
    this.node.append(axis, h("div", { class: "wb-Plot-area" }, this.#picture, marks));
  }

  /** Draws the path of the selected element where it is known. */
  update(range: EditRange): void {
    const { path, selection } = this.#session;
    this.node.hidden = path === null || path.segments.length === 0;
    if (path === null || selection === null || this.node.hidden) {
      this.#drawn = null;
      return;
    }
    const { path: before, range: old } = this.#drawn ?? {};
    if (before !== path || old?.min !== range.min || old.max !== range.max) {
      const stairs = staircase(path, range);
      this.#drawn = { path, range, stairs };
      this.#line.setAttribute("d", stairs.line);
      setText(this.#high, formatPrice(stairs.high));
      setText(this.#low, formatPrice(stairs.low));
      this.#picture.setAttribute("aria-label", this.#label(path, selection));
      this.#markCorners(path);
    }
    this.move();
  }

  /** Moves the marks to the present position. */
  move(): void {
    const { committedMw, previewMw, shownMw, store, opened } = this.#session;
    if (this.#drawn === null) {
      return;
    }
    const { path } = this.#drawn;
    const row = opened.busRow(path.watchedBus);
    this.#put(this.#committed, committedMw, store.columns.at(PRICE, row));
    this.#hand.hidden = previewMw === null;
    this.#here.style.left = `${100 * shareOf(this.#drawn.range, previewMw ?? committedMw)}%`;
    if (previewMw !== null) {
      this.#put(this.#hand, shownMw ?? previewMw, store.shownAt(PRICE, row));
    }
  }

  #markCorners({ breakpoints }: ElementPath): void {
    const corners = breakpoints.map(({ mw, price_before }) => {
      const corner = h("i", { class: "wb-Plot-corner" });
      this.#put(corner, mw, price_before);
      return corner;
    });
    this.#corners.replaceChildren(...corners);
  }

  #put(mark: HTMLElement, mw: number, price: number): void {
    const { range, stairs } = this.#drawn ?? {};
    if (range !== undefined && stairs !== undefined) {
      mark.style.left = `${100 * shareOf(range, mw)}%`;
      mark.style.top = `${100 * stairs.heightOf(price)}%`;
    }
  }

  #label(path: ElementPath, selection: Selection): string {
    const { opened } = this.#session;
    const at = opened.nameOf("bus", path.watchedBus);
    const what =
      selection.kind === "bus"
        ? trans.__("Exact price at %1 against the change of the demand,", at)
        : trans.__("Exact price at %1 against the change of the rating,", at);
    const { min, max } = path;
    const ends = { min, max, low: path.priceAt(min), high: path.priceAt(max) };
    return trans.__("%1 The table below has the numbers.", pathSentence(what, ends, path.breakpoints.length));
  }
}

/** The axis below the slider: its ends, which say where nothing is feasible beyond, and what is changed. */
export function axisText(mw: number, unit: PowerUnit, stop: string, side: "below" | "above"): string {
  const at = formatPower(mw, unit, { signed: true });
  if (stop === "") {
    return at;
  }
  return side === "below" ? `${at}: ${stop}` : `${stop}: ${at}`;
}
