import { formatLoading, formatMw, formatPrice, trans } from "../../text/index.ts";
import { type CaseSession, ElementSlider, type Selection } from "../../workspace/index.ts";
import { changeLabel, changeSentence } from "../../ui/session/changeText.ts";
import { pageFrame } from "../../ui/pageFrame.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { MwField } from "../../ui/mwField.ts";
import { changeText } from "../../ui/session/editReadout.ts";
import { listenSlider } from "../../ui/session/sliderInput.ts";
import { SliderMarks } from "./sliderMarks.ts";

/** One selected element: what it is, its slider with band and ticks, typed entry, Reset, and a way out of the selection. */
export class EditBarRow {
  readonly node: HTMLLIElement;
  readonly element: Selection;
  readonly #session: CaseSession;
  readonly #slider: ElementSlider;
  readonly #marks: SliderMarks;
  readonly #entry: MwField;
  readonly #name: HTMLButtonElement;
  readonly #numbers = h("div", { class: "wb-EditBarRow-numbers" });
  readonly #input = h("input", { class: "wb-Slider", attributes: { type: "range", step: "any" } });
  readonly #reset: HTMLButtonElement;

  /** `refused` is told why a typed text is not taken; an empty text when that is over. */
  constructor(session: CaseSession, element: Selection, refused: (why: string) => void) {
    this.#session = session;
    this.element = element;
    this.#slider = new ElementSlider(session, element, pageFrame);
    this.#marks = new SliderMarks(session, this.#slider);
    const name = session.opened.nameOf(element.kind, element.id);
    const { baseMw } = this.#slider;
    this.#entry = new MwField({
      typed: (mw) => void this.#slider.commit(mw),
      refused,
      typing: () => session.forgetFailure(),
    });
    this.#name = button(this.#slider.name, () => void session.makePrimary(element), { class: "wb-mod-link" });
    this.#name.title = trans.__("Show on the map how prices respond");
    this.#reset = button(trans.__("Reset %1", name), () => void this.#slider.commit(0));
    setText(this.#reset, trans.__("Reset"));
    this.#reset.title =
      element.kind === "bus"
        ? trans.__("Set the demand of %1 back to its base value, %2 MW", name, formatMw(baseMw))
        : trans.__("Set the rating of %1 back to its base value, %2 MW", name, formatMw(baseMw));
    const remove = button(trans.__("Take %1 out of the selection", name), () => void session.toggle(element), {
      icon: "\u00d7",
      class: "wb-EditBarRow-remove",
    });
    this.node = h(
      "li",
      { class: "wb-EditBarRow", data: { kind: element.kind, id: String(element.id) } },
      h("div", { class: "wb-EditBarRow-element" }, this.#name, this.#numbers),
      h("div", { class: "wb-EditBar-scale" }, this.#input, this.#marks.node),
      h("div", { class: "wb-EditBar-controls" }, this.#entry.node, this.#reset, remove),
    );
    listenSlider(this.#input, this.#slider, () => this.#entry.focus());
    this.update();
  }

  /** Shows the element as it is now. */
  update(): void {
    const { primary, problem, range } = this.#slider;
    const { kind, id } = this.element;
    const label = changeLabel(kind, this.#session.opened.nameOf(kind, id));
    this.node.classList.toggle("wb-mod-primary", primary);
    this.#name.setAttribute("aria-current", String(primary));
    this.#input.setAttribute("aria-label", label);
    this.#input.disabled = problem !== null;
    this.#entry.describe(label, problem !== null);
    this.#input.min = String(range.min);
    this.#input.max = String(range.max);
    this.#marks.update();
    this.showValue();
  }

  /** Shows the numbers that move with the slider. */
  showValue(): void {
    const { mw, baseMw } = this.#slider;
    const signed = formatMw(mw, { signed: true });
    setText(this.#numbers, `${this.changeText}, ${this.#shortValue}`);
    const said = trans.__("%1 MW, %2", signed, changeText(baseMw, mw));
    if (this.#input.value !== String(mw)) {
      this.#input.value = String(mw);
    }
    if (this.#input.getAttribute("aria-valuetext") !== said) {
      this.#input.setAttribute("aria-valuetext", said);
    }
    this.#entry.show(signed);
    this.#reset.disabled = mw === 0;
  }

  /** `Bus 12 (Ash)`. */
  get name(): string {
    return this.#slider.name;
  }

  /** `Demand 61.2 → 81.2 MW`. */
  get changeText(): string {
    return changeSentence(this.element.kind, this.#slider.baseMw, this.#slider.mw);
  }

  /** The price of a bus, or how a line is loaded. */
  get valueText(): string {
    const { store, opened, path, previewMw } = this.#session;
    const row = opened.rowOf(this.element);
    if (this.element.kind === "bus") {
      return trans.__("Price %1 $/MWh", formatPrice(store.shownLmp[row] ?? NaN));
    }
    if (this.#slider.primary && previewMw !== null && path !== null) {
      // Flows are known again at the next exact state; until then the price that the rating moves most.
      const price = store.shownLmp[opened.busRow(path.watchedBus)] ?? NaN;
      return trans.__("Price at bus %1 %2 $/MWh", path.watchedBus, formatPrice(price));
    }
    const { flow_mw, loading } = store.columns;
    return trans.__("Flow %1 MW, %2", formatMw(flow_mw[row] ?? NaN), formatLoading(loading[row] ?? NaN));
  }

  get #shortValue(): string {
    const { store, opened } = this.#session;
    const row = opened.rowOf(this.element);
    return this.element.kind === "bus"
      ? `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`
      : trans.__("%1 loaded", formatLoading(store.columns.loading[row] ?? NaN));
  }

  /** Gives the focus to the slider. */
  focus(): void {
    this.#input.focus({ preventScroll: true });
  }

  /** Forgets a move or a key that is not done yet. */
  letGo(): void {
    this.#slider.letGo();
  }
}
