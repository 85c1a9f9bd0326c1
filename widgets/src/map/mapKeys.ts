import { takesText } from "../ui/undoKeys.ts";
import { type CaseSession, PRICE, PRICE_CHANGE } from "../workspace/index.ts";
import { RESPONSE } from "./colour/priceQuantities.ts";
import { busQuantities, type Quantity } from "./colour/quantities.ts";
import { formulationName, trans } from "../text/index.ts";

/** Actions of the map's keys, in addition to those of every picture. */
export interface KeyedParts {
  readonly session: CaseSession;
  choose(quantity: Quantity): void;
  /** The present quantity of the buses. */
  shown(): Quantity;
  /** Announces a text to screen readers. */
  say(text: string): void;
  /** Shows everyone why something did not happen. */
  explain(text: string): void;
  search(): void;
  toggleLegend(): void;
  showKeys(): void;
  showOtherPlane(): void;
}

/** The plain keys of a map. */
export class MapKeys {
  readonly #parts: KeyedParts;

  constructor(parts: KeyedParts) {
    this.#parts = parts;
  }

  /** Handles a key of the map; false for other keys. */
  press(key: string): boolean {
    const quantities: Record<string, Quantity> = { p: PRICE, c: PRICE_CHANGE, r: RESPONSE };
    const quantity = quantities[key];
    if (quantity !== undefined) {
      this.#colourBy(quantity);
    } else if (key === "/") {
      this.#parts.search();
    } else if (key === "l") {
      this.#parts.toggleLegend();
    } else if (key === "?") {
      this.#parts.showKeys();
    } else {
      return false;
    }
    return true;
  }

  /** Colours the buses by a quantity and announces it, or why it cannot be shown. */
  #colourBy(quantity: Quantity): void {
    const { session } = this.#parts;
    const requested = busQuantities(session).get(quantity);
    if (requested === undefined) {
      this.#parts.explain(trans.__("%1 has no prices.", formulationName(session.formulation)));
      return;
    }
    this.#parts.choose(quantity);
    const shown = busQuantities(session).get(this.#parts.shown()) ?? requested;
    const colours = trans.__("Colours: %1", shown.label);
    const why = requested.missing(session);
    if (why === null) {
      this.#parts.say(colours);
    } else {
      this.#parts.explain(trans.__("%1. %2: %3", colours, requested.label, why));
    }
  }

  /** Handles map keys pressed in the edit bar outside text fields. */
  pressedInEditBar(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || takesText(target)) {
      return;
    }
    const other = key === "m";
    if (other) {
      this.#parts.showOtherPlane();
    }
    if (other || this.press(key)) {
      event.preventDefault();
    }
  }
}
