import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { formatPrice, trans } from "../../text/index.ts";
import { type CaseSession, hasStatus, PRICE, type Selection } from "../../workspace/index.ts";
import { changeSentence } from "../../ui/editrow/changeText.ts";
import { ElementControls } from "../../ui/editrow/elementControls.ts";
import { elementValue, shortElementValue } from "../../ui/editrow/elementValue.ts";
import { focusValue, ValueControls } from "../../ui/editrow/ValueControls.tsx";
import { button, h, setText } from "../../ui/dom.ts";
import { SliderAxis } from "./sliderAxis.ts";

/** One selected element: its name, its slider with band and ticks, typed entry, Reset, and a button to deselect it. */
export class EditBarRow {
  readonly node: HTMLLIElement;
  readonly element: Selection;
  readonly #session: CaseSession;
  readonly #controls: ElementControls;
  readonly #axis: SliderAxis;
  readonly #name: HTMLButtonElement;
  /** Controls of a generator, an HVDC link, a storage unit, and a line or transformer that can be edited. */
  readonly #own: { readonly node: HTMLElement; readonly root: Root } | null = null;
  readonly #numbers = h("div", { class: "wb-EditBarRow-numbers" });

  /**
   * `refused` is called with the reason why typed text is not accepted, and with an empty text when it is accepted
   * again.
   */
  constructor(session: CaseSession, element: Selection, refused: (why: string) => void) {
    this.#session = session;
    this.element = element;
    this.#controls = new ElementControls(session, element, refused);
    const { slider, input, band, entry, reset } = this.#controls;
    this.#axis = new SliderAxis(session, slider);
    if (element.kind === "generator" || hasStatus(session.opened, element)) {
      const node = h("div", { class: "wb-UnitControls" });
      this.#own = { node, root: createRoot(node) };
    }
    const name = session.opened.nameOf(element.kind, element.id);
    this.#name = button(slider.name, () => void session.makePrimary(element), { class: "wb-mod-link" });
    this.#name.title = trans.__("Show on the map how prices respond");
    const remove = button(trans.__("Remove %1 from the selection", name), () => void session.toggle(element), {
      icon: "\u00d7",
      class: "wb-EditBarRow-remove",
    });
    const slides = session.opened.isEditable(element);
    this.node = h(
      "li",
      {
        class: this.#own === null ? "wb-EditBarRow" : "wb-EditBarRow wb-mod-unit",
        data: { kind: element.kind, id: String(element.id) },
      },
      h(
        "div",
        { class: "wb-EditBarRow-element" },
        this.#name,
        this.#numbers,
        ...(this.#own === null ? [] : [this.#own.node]),
      ),
      ...(slides ? [h("div", { class: "wb-EditBar-scale" }, input, h("div", {}, band.node, this.#axis.node))] : []),
      h("div", { class: "wb-EditBar-controls" }, ...(slides ? [entry.node, reset] : []), remove),
    );
    this.update();
  }

  /** Shows the present state of the element. */
  update(): void {
    const { primary } = this.#controls.slider;
    this.node.classList.toggle("wb-mod-primary", primary);
    this.#name.setAttribute("aria-current", String(primary));
    this.#controls.update();
    this.#drawOwn();
    this.#axis.update();
    this.#showNumbers();
  }

  /** Shows the numbers that follow the slider. */
  showValue(): void {
    this.#controls.showValue();
    this.#showNumbers();
  }

  /** `Bus 12 (Ash)`. */
  get name(): string {
    return this.#controls.slider.name;
  }

  /** `Demand 61.2 → 81.2 MW`. */
  get changeText(): string {
    const { what, baseOrNone, mw, unit, assumed } = this.#controls.slider;
    return changeSentence(what, baseOrNone, mw, unit, assumed);
  }

  /** The price of a bus, or the loading of a line. */
  get valueText(): string {
    const { store, opened, path } = this.#session;
    const estimated = store.previewing && !store.previewsFlows;
    if (this.element.kind === "branch" && this.#controls.slider.primary && estimated && path !== null) {
      // A linear estimate has no flows: the price that the rating moves most.
      const price = store.shownAt(PRICE, opened.busRow(path.watchedBus));
      return trans.__("Price at bus %1 %2 $/MWh", path.watchedBus, formatPrice(price));
    }
    return elementValue(this.#session, this.element);
  }

  /** Focuses the choice of the value that the slider moves. */
  focusValue(): void {
    if (this.#own !== null) {
      flushSync(() => this.#drawOwn());
      focusValue(this.#own.node);
    }
  }

  /** Focuses the slider. */
  focus(): void {
    this.#controls.input.focus({ preventScroll: true });
  }

  /** Discards a pending move or key. */
  letGo(): void {
    this.#controls.slider.letGo();
  }

  dispose(): void {
    this.letGo();
    // After the present event, which may be one of these controls.
    queueMicrotask(() => this.#own?.root.unmount());
  }

  #drawOwn(): void {
    this.#own?.root.render(createElement(ValueControls, { session: this.#session, element: this.element }));
  }

  #showNumbers(): void {
    const texts = [this.changeText, shortElementValue(this.#session, this.element)].filter((text) => text !== "");
    setText(this.#numbers, texts.join(", "));
  }
}
