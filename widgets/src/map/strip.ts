import { endSentence, formatLoading, formatMw, formatPrice, parseNumber } from "../words/index.ts";
import { type CaseSession, ElementEdit, sameSelection, type Selection } from "../workspace/index.ts";
import { button, h, setText } from "./dom.ts";
import { type EditRange, editRange, keyedValue, shareOf } from "./editRange.ts";
import { changeText, readout } from "./readout.ts";

/** Keys held on the slider are one change, committed after this pause. */
const KEY_PAUSE_MS = 350;

/**
 * The strip below the picture: the selected element, a slider with typed entry, where the first order is exact, what it
 * says now, and Reset.
 */
export class EditStrip {
  readonly node = h("section", { class: "wb-Strip", attributes: { "aria-label": "Selected element", hidden: "" } });
  readonly #session: CaseSession;
  readonly #edit: ElementEdit;
  #range: EditRange = { min: 0, max: 1 };
  #frame = 0;
  #keyTimer = 0;
  #shown: Selection | null = null;

  readonly #name = h("div", { class: "wb-Strip-name" });
  readonly #change = h("div", { class: "wb-Strip-change" });
  readonly #value = h("div", { class: "wb-Strip-value" });
  readonly #slider = h("input", { class: "wb-Slider", attributes: { type: "range", step: "0.1" } });
  readonly #band = h("div", { class: "wb-Band-exact" });
  readonly #zero = h("div", { class: "wb-Band-zero" });
  readonly #ends = [h("span", {}), h("span", {})] as const;
  readonly #entry = h("input", { class: "wb-Entry", attributes: { type: "text", inputmode: "decimal" } });
  readonly #readout = h("div", { class: "wb-Strip-readout" });
  readonly #reset = button("Reset", () => void this.#commit(0));

  constructor(session: CaseSession) {
    this.#session = session;
    this.#edit = new ElementEdit(session);
    this.#build();
    this.update();
  }

  /** Shows the selected element as it is now. */
  update(): void {
    const { selection } = this.#session;
    this.node.hidden = selection === null;
    if (!sameSelection(selection, this.#shown)) {
      this.#shown = selection;
      this.#letGo();
    }
    if (selection !== null) {
      this.#showElement(selection);
      this.#showInterval();
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
    setText(this.#change, `${selection.kind === "bus" ? "Demand" : "Rating"} ${changeText(base, mw)}`);
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
    slider.addEventListener("input", () => this.#moveSoon(Number(slider.value)));
    for (const name of ["change", "pointerup", "pointercancel"] as const) {
      slider.addEventListener(name, () => void this.#commit(Number(slider.value)));
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
    this.node.append(
      h("div", { class: "wb-Strip-element" }, this.#name, this.#change, this.#value),
      h(
        "div",
        { class: "wb-Strip-slider" },
        slider,
        h("div", { class: "wb-Band", attributes: { "aria-hidden": "true" } }, this.#band, this.#zero),
      ),
      h("label", { class: "wb-Strip-entry" }, this.#entry, h("span", { class: "wb-unit", text: "MW" })),
      this.#reset,
      h("div", { class: "wb-Strip-words" }, h("div", { class: "wb-Band-ends" }, ...this.#ends), this.#readout),
    );
  }

  #showElement(selection: Selection): void {
    const { opened, column, committedMw, columnProblem } = this.#session;
    const name = opened.nameOf(selection.kind, selection.id);
    const what = selection.kind === "bus" ? "demand" : "rating";
    setText(this.#name, name.charAt(0).toUpperCase() + name.slice(1));
    this.#slider.setAttribute("aria-label", `Change of the ${what} of ${name}, MW`);
    this.#entry.setAttribute("aria-label", `Change of the ${what} of ${name}, MW`);
    this.#reset.title = `Set the ${what} of ${name} back to its base value`;
    this.#slider.disabled = this.#entry.disabled = columnProblem !== null;
    this.#range = editRange(selection.kind, opened.baseMw(selection), committedMw, column);
    this.#slider.min = String(this.#range.min);
    this.#slider.max = String(this.#range.max);
    this.#zero.style.left = `${100 * shareOf(this.#range, 0)}%`;
  }

  /** The band where the first order is exact, and the words for its ends. */
  #showInterval(): void {
    const { column, committedMw, opened } = this.#session;
    const [low, high] = column?.warrant.ends ?? [null, null];
    const [from, to] = [
      low === null ? 0 : shareOf(this.#range, committedMw + low.mw),
      high === null ? 1 : shareOf(this.#range, committedMw + high.mw),
    ];
    this.#band.hidden = column === null;
    this.#band.style.left = `${100 * from}%`;
    this.#band.style.width = `${100 * (to - from)}%`;
    this.#band.classList.toggle("wb-mod-openLow", low === null);
    this.#band.classList.toggle("wb-mod-openHigh", high === null);
    [low, high].forEach((end, k) => {
      setText(this.#ends[k as 0 | 1], end === null ? "" : endSentence(end, committedMw, opened));
    });
  }

  #entryText(): string {
    return formatMw(this.#session.previewMw ?? this.#session.committedMw, { signed: true });
  }

  #valueText(selection: Selection): string {
    const { store, opened } = this.#session;
    const row = opened.rowOf(selection);
    if (selection.kind === "bus") {
      return `Price ${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`;
    }
    const { flow_mw, loading } = store.columns;
    return `Flow ${formatMw(flow_mw[row] ?? NaN)} MW, ${formatLoading(loading[row] ?? NaN)}`;
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
    const mw = keyedValue(this.#range, Number(this.#slider.value), event.key, event.shiftKey);
    if (mw === null) {
      return;
    }
    event.preventDefault();
    this.#slider.value = String(mw);
    this.#edit.move(Number(this.#slider.value));
    clearTimeout(this.#keyTimer);
    this.#keyTimer = window.setTimeout(() => this.#commitKeys(), KEY_PAUSE_MS);
  }

  #commitKeys(): void {
    if (this.#keyTimer !== 0) {
      void this.#commit(Number(this.#slider.value));
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
      setText(this.#readout, "Type the change in MW as a number, for instance 12.5 or \u22123.");
      return;
    }
    this.#entry.removeAttribute("aria-invalid");
    this.#edit.move(mw);
    void this.#commit(mw);
  }
}
