import { capitalised, formatLoading, formatMw, formatPrice, parseNumber, trans } from "../words/index.ts";
import {
  type CaseSession,
  type EditRange,
  ElementEdit,
  keyedValue,
  sameSelection,
  type Selection,
  snapped,
} from "../workspace/index.ts";
import { button, h, setText } from "./dom.ts";
import { PathPlot } from "./pathPlot.ts";
import { PathTable } from "./pathTable.ts";
import { changeLabel, changeSentence } from "./changeWords.ts";
import { changeText, readout } from "./readout.ts";
import { SliderMarks } from "./sliderMarks.ts";
import { StripRows } from "./stripRows.ts";

/** Keys held on the slider are one change, committed after this pause. */
const KEY_PAUSE_MS = 350;

/**
 * The strip below the picture: the selected element, its exact price over a slider with typed entry, where the first order is
 * exact and what happens at the breakpoints, what it says now, and Reset.
 */
export class EditStrip {
  readonly node = h("section", {
    class: "wb-Strip",
    attributes: { "aria-label": trans.__("Selected element"), hidden: "" },
  });
  readonly #session: CaseSession;
  readonly #edit: ElementEdit;
  #range: EditRange = { min: 0, max: 1 };
  #frame = 0;
  #keyTimer = 0;
  #shown: Selection | null = null;

  readonly #name = h("div", { class: "wb-Strip-name" });
  readonly #change = h("div", { class: "wb-Strip-change" });
  readonly #value = h("div", { class: "wb-Strip-value" });
  readonly #plot: PathPlot;
  readonly #slider = h("input", { class: "wb-Slider", attributes: { type: "range", step: "any" } });
  readonly #marks: SliderMarks;
  readonly #table: PathTable;
  readonly #others: StripRows;
  readonly #entry = h("input", { class: "wb-Entry", attributes: { type: "text", inputmode: "decimal" } });
  readonly #exact = h("input", { attributes: { type: "checkbox", role: "switch" } });
  readonly #readout = h("div", { class: "wb-Strip-readout" });
  readonly #reset = button(trans.__("Reset"), () => void this.#commit(0));

  constructor(session: CaseSession) {
    this.#session = session;
    this.#edit = new ElementEdit(session);
    const go = (mw: number): void => {
      this.#edit.move(mw);
      void this.#commit(mw);
    };
    this.#plot = new PathPlot(session);
    this.#marks = new SliderMarks(session, { go });
    this.#table = new PathTable(session, go);
    this.#others = new StripRows(session);
    this.#build();
    this.update();
  }

  /** Shows the selected element as it is now. */
  update(): void {
    const { selection } = this.#session;
    this.node.hidden = selection === null;
    this.#others.update();
    if (!sameSelection(selection, this.#shown)) {
      this.#shown = selection;
      this.#letGo();
    }
    if (selection !== null) {
      this.#showElement(selection);
      this.#plot.update(this.#range);
      this.#marks.update(this.#range);
      this.#table.update();
      this.showValue();
    }
  }

  /** Shows the numbers that move with the slider. */
  showValue(): void {
    const { selection, opened, committedMw } = this.#session;
    if (selection === null) {
      return;
    }
    const mw = this.#session.previewMw ?? committedMw;
    const base = opened.baseMw(selection);
    const { text, failed } = readout(this.#session);
    setText(this.#change, changeSentence(selection.kind, base, mw));
    setText(this.#readout, text);
    this.#readout.classList.toggle("wb-mod-failed", failed);
    setText(this.#value, this.#valueText(selection));
    this.#slider.value = String(mw);
    this.#slider.setAttribute("aria-valuetext", `${formatMw(mw, { signed: true })} MW, ${changeText(base, mw)}`);
    if (document.activeElement !== this.#entry) {
      this.#entry.value = this.#entryText();
      this.#entry.removeAttribute("aria-invalid");
    }
    this.#reset.disabled = mw === 0;
    this.#plot.move();
    this.#others.showValues();
  }

  dispose(): void {
    this.#letGo();
  }

  /** Forgets a move or a key that is not done yet. */
  #letGo(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#keyTimer);
    this.#keyTimer = 0;
  }

  #build(): void {
    const slider = this.#slider;
    slider.addEventListener("input", () => this.#moveSoon(this.#sliderMw));
    for (const name of ["change", "pointerup", "pointercancel"] as const) {
      slider.addEventListener(name, () => void this.#commit(this.#sliderMw));
    }
    slider.addEventListener("keydown", (event) => this.#keyed(event));
    slider.addEventListener("blur", () => this.#commitKeys());
    this.#entry.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.#entry.value = this.#entryText();
        this.#entry.blur();
      }
    });
    this.#entry.addEventListener("input", () => this.#typing());
    this.#entry.addEventListener("change", () => this.#typed());
    this.#exact.addEventListener("change", () => {
      this.#session.previewMode = this.#exact.checked ? "exact" : "first_order";
    });
    const exactTitle = trans.__("Show exact prices for every position of the slider instead of their first order");
    this.node.append(
      h("div", { class: "wb-Strip-element" }, this.#name, this.#change, this.#value),
      h("div", { class: "wb-Strip-slider" }, this.#plot.node, h("div", {}, slider, this.#marks.node)),
      h(
        "div",
        { class: "wb-Strip-hands" },
        h("label", { class: "wb-Strip-entry" }, this.#entry, h("span", { class: "wb-unit", text: "MW" })),
        this.#reset,
        h(
          "label",
          { class: "wb-Strip-exact", attributes: { title: exactTitle } },
          this.#exact,
          h("span", { text: trans.__("Exact while dragging") }),
        ),
      ),
      h("div", { class: "wb-Strip-words" }, this.#readout, this.#table.node),
      this.#others.node,
    );
  }

  #showElement(selection: Selection): void {
    const { opened, columnProblem, range, previewMode } = this.#session;
    const name = opened.nameOf(selection.kind, selection.id);
    const label = changeLabel(selection.kind, name);
    setText(this.#name, capitalised(name));
    this.#slider.setAttribute("aria-label", label);
    this.#entry.setAttribute("aria-label", label);
    this.#reset.title =
      selection.kind === "bus"
        ? trans.__("Set the demand of %1 back to its base value", name)
        : trans.__("Set the rating of %1 back to its base value", name);
    this.#slider.disabled = this.#entry.disabled = columnProblem !== null;
    this.#exact.disabled = columnProblem !== null;
    this.#exact.checked = previewMode === "exact";
    this.#range = range ?? { min: Math.min(-opened.baseMw(selection), -1), max: 100 };
    this.#slider.min = String(this.#range.min);
    this.#slider.max = String(this.#range.max);
  }

  /** The position of the slider: a round number, or the very end of its range. */
  get #sliderMw(): number {
    return snapped(this.#range, Number(this.#slider.value));
  }

  #entryText(): string {
    return formatMw(this.#session.previewMw ?? this.#session.committedMw, { signed: true });
  }

  #valueText(selection: Selection): string {
    const { store, opened, path, previewMw } = this.#session;
    const row = opened.rowOf(selection);
    if (selection.kind === "bus") {
      return trans.__("Price %1 $/MWh", formatPrice(store.shownLmp[row] ?? NaN));
    }
    if (previewMw !== null && path !== null) {
      // Flows are known again at the next exact state; until then the price that the rating moves most.
      const price = store.shownLmp[opened.busRow(path.watchedBus)] ?? NaN;
      return trans.__("Price at bus %1 %2 $/MWh", path.watchedBus, formatPrice(price));
    }
    const { flow_mw, loading } = store.columns;
    return trans.__("Flow %1 MW, %2", formatMw(flow_mw[row] ?? NaN), formatLoading(loading[row] ?? NaN));
  }

  /** Previews at most once a frame. */
  #moveSoon(mw: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#edit.move(mw));
  }

  async #commit(mw: number): Promise<void> {
    this.#letGo();
    await this.#edit.release(mw);
    this.#entry.value = this.#entryText();
  }

  #keyed(event: KeyboardEvent): void {
    const { previewMw, committedMw } = this.#session;
    const mw = keyedValue(this.#range, previewMw ?? committedMw, event.key, event.shiftKey);
    if (mw === null) {
      return;
    }
    event.preventDefault();
    this.#edit.move(mw);
    clearTimeout(this.#keyTimer);
    this.#keyTimer = window.setTimeout(() => this.#commitKeys(), KEY_PAUSE_MS);
  }

  #commitKeys(): void {
    if (this.#keyTimer !== 0) {
      void this.#commit(this.#session.previewMw ?? this.#session.committedMw);
    }
  }

  /** A number that could be a change ends the news of one that failed. */
  #typing(): void {
    if (parseNumber(this.#entry.value) !== null) {
      this.#session.forgetFailure();
    }
  }

  #typed(): void {
    const mw = parseNumber(this.#entry.value);
    if (mw === null) {
      this.#entry.setAttribute("aria-invalid", "true");
      setText(this.#readout, trans.__("Type the change in MW as a number, for instance 12.5 or \u22123."));
      return;
    }
    this.#entry.removeAttribute("aria-invalid");
    this.#edit.move(mw);
    void this.#commit(mw);
  }
}
