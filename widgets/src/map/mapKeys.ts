import { takesText } from "../ui/undoKeys.ts";
import { type CaseSession, PRICE, PRICE_CHANGE } from "../workspace/index.ts";
import { RESPONSE } from "./colour/priceQuantities.ts";
import { busQuantities, type Quantity } from "./colour/quantities.ts";

/** What the keys of a map do, besides those of every picture. */
export interface KeyedParts {
  readonly session: CaseSession;
  choose(quantity: Quantity): void;
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

  /** Does what a key of the map says; false where it is none. */
  press(key: string): boolean {
    const quantities: Record<string, Quantity> = { p: PRICE, c: PRICE_CHANGE, r: RESPONSE };
    const quantity = quantities[key];
    if (quantity !== undefined && busQuantities(this.#parts.session).has(quantity)) {
      this.#parts.choose(quantity);
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

  /** Keys of the map that are pressed in the edit bar, where they do not write. */
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
