import { type EditUnit, notPowerSentence, parseMw } from "../text/index.ts";
import { h, setText } from "./dom.ts";

/** Callbacks of a field for a power. */
export interface MwFieldEvents {
  /** The number that a text stands for, or null. By default a power in MW. */
  parse?(text: string): number | null;
  /** A power was typed, MW, as this text. */
  typed(mw: number, text: string): void;
  /** Why the typed text is not accepted; empty when it is accepted again. */
  refused(why: string): void;
  /** The text being typed is acceptable so far. */
  typing(): void;
}

/**
 * A field for a power in MW or MVA, or a cost in $/MWh. Enter and leaving the field accept the text; Escape restores
 * the previous one.
 */
export class MwField {
  readonly node: HTMLElement;
  readonly #entry = h("input", { class: "wb-Entry", attributes: { type: "text", inputmode: "decimal" } });
  readonly #shownUnit = h("span", { class: "wb-unit", text: "MW" });
  readonly #events: MwFieldEvents;
  readonly #parse: (text: string) => number | null;
  #text = "";
  #unit: EditUnit = "MW";

  constructor(events: MwFieldEvents) {
    this.#events = events;
    this.#parse = (text) => (events.parse ?? parseMw)(text);
    this.node = h("label", { class: "wb-MwField" }, this.#entry, this.#shownUnit);
    this.#entry.addEventListener("input", () => this.#typing());
    this.#entry.addEventListener("change", () => this.#taken());
    this.#entry.addEventListener("blur", () => this.#left());
    this.#entry.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#entry.value !== this.#text) {
        event.stopPropagation(); // the next Escape reaches the edit bar
        this.#restore();
        this.#entry.select();
        this.#events.refused("");
      }
    });
  }

  /** Shows a number unless the user is typing; refused text stays until the number changes. */
  show(text: string): void {
    const untouched = this.#entry.value === this.#text;
    const refused = this.#refused && text === this.#text;
    this.#text = text;
    if (untouched || !(refused || document.activeElement === this.#entry)) {
      this.#restore();
    }
  }

  /** Shows the typed text of a failed edit again. */
  refuse(typed: string): void {
    this.#entry.value = typed;
    this.#entry.setAttribute("aria-invalid", "true");
  }

  get #refused(): boolean {
    return this.#entry.hasAttribute("aria-invalid");
  }

  #left(): void {
    if (!this.#refused) {
      this.#restore();
    }
  }

  /** Sets the label and the unit, and whether the field is disabled. */
  describe(label: string, unit: EditUnit, disabled: boolean): void {
    this.#unit = unit;
    setText(this.#shownUnit, unit);
    this.#entry.setAttribute("aria-label", label);
    this.#entry.disabled = disabled;
  }

  /** Focuses the field with its text selected. */
  focus(): void {
    this.#entry.focus();
    this.#entry.select();
  }

  #restore(): void {
    if (this.#entry.value !== this.#text) {
      this.#entry.value = this.#text;
    }
    this.#entry.removeAttribute("aria-invalid");
  }

  #typing(): void {
    if (this.#parse(this.#entry.value) !== null) {
      this.#entry.removeAttribute("aria-invalid");
      this.#events.refused("");
      this.#events.typing();
    }
  }

  #taken(): void {
    const mw = this.#parse(this.#entry.value);
    if (mw === null) {
      this.#entry.setAttribute("aria-invalid", "true");
      this.#events.refused(notPowerSentence(this.#entry.value, this.#unit));
    } else {
      this.#text = this.#entry.value; // shown until the resulting number arrives
      this.#entry.removeAttribute("aria-invalid");
      this.#events.typed(mw, this.#text);
    }
  }
}
