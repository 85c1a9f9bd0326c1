import { formatAmount, formatPower, trans } from "../../text/index.ts";
import { type CaseSession, ElementSlider, type EntryMode, type Selection } from "../../workspace/index.ts";
import { button, h, setText } from "../dom.ts";
import { MwField } from "../mwField.ts";
import { pageFrame } from "../pageFrame.ts";
import { changeLabel, changeText, resetTitle, totalLabel } from "./changeText.ts";
import { SliderBand } from "./sliderBand.ts";
import { listenSlider } from "./sliderInput.ts";

/** The controls of one selected element in the edit bar and in the panel: slider with its marks, typed entry, Reset. */
export class ElementControls {
  readonly slider: ElementSlider;
  readonly input = h("input", { class: "wb-Slider", attributes: { type: "range", step: "any" } });
  readonly band: SliderBand;
  readonly entry: MwField;
  readonly reset: HTMLButtonElement;
  readonly #session: CaseSession;
  #mode: EntryMode = "change";
  readonly #name: string;
  readonly #stop: () => void;

  /**
   * `refused` is called with the reason why typed text is not accepted, and with an empty text when it is accepted
   * again.
   */
  constructor(session: CaseSession, element: Selection, refused: (why: string) => void) {
    const { kind, id } = element;
    this.#session = session;
    this.slider = new ElementSlider(session, element, pageFrame);
    this.band = new SliderBand(session, this.slider);
    this.#name = session.opened.nameOf(kind, id);
    this.entry = new MwField({
      parse: (text) => this.slider.typedMw(text, this.#mode),
      typed: (mw, text) => void this.#commitTyped(mw, text),
      refused,
      typing: () => session.forgetFailure(),
    });
    this.reset = button(trans.__("Reset %1", this.#name), () => void this.slider.commit(0));
    setText(this.reset, trans.__("Reset"));
    this.#stop = listenSlider(this.input, this.slider, () => this.entry.focus());
  }

  /** Shows the present state of the element; `mode` is the meaning of typed numbers. */
  update(mode: EntryMode = "change"): void {
    this.#mode = mode;
    const { problem, range, what, unit, baseOrNone } = this.slider;
    const label = changeLabel(what, this.#name, unit);
    this.reset.title = resetTitle(what, this.#name, changeText(baseOrNone, 0, unit));
    this.input.setAttribute("aria-label", label);
    this.input.disabled = problem !== null;
    const total = (): string => totalLabel(what, this.#name, unit);
    this.entry.describe(this.#mode === "value" ? total() : label, unit, problem !== null);
    this.input.min = String(range.min);
    this.input.max = String(range.max);
    this.band.update();
    this.showValue();
  }

  /** Shows the numbers that follow the slider. */
  showValue(): void {
    const { mw, baseMw, baseOrNone, unit } = this.slider;
    const signed = formatAmount(mw, unit, { signed: true });
    const text = trans.__("%1, %2", formatPower(mw, unit, { signed: true }), changeText(baseOrNone, mw, unit));
    if (this.input.value !== String(mw)) {
      this.input.value = String(mw);
    }
    if (this.input.getAttribute("aria-valuetext") !== text) {
      this.input.setAttribute("aria-valuetext", text);
    }
    this.entry.show(this.#mode === "value" ? formatAmount(baseMw + mw, unit) : signed);
    this.reset.disabled = mw === 0 && !this.slider.edited;
  }

  /** A value without a solution stays in the field to be corrected; the message states the limit. */
  async #commitTyped(mw: number, text: string): Promise<void> {
    await this.slider.commit(mw);
    if (this.#session.status.kind === "failed") {
      this.entry.refuse(text);
    }
  }

  /** Removes all listeners and discards pending input. */
  dispose(): void {
    this.#stop();
    this.slider.letGo();
  }
}
