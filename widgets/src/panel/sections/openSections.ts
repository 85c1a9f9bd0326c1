import { createContext } from "react";
import { type ChoiceStorage, localStorageOrNone, RememberedChoices } from "../../ui/index.ts";

/** Storage for the open sections: the page's local storage, or any equivalent. */
export type PanelStorage = ChoiceStorage;

/** Which sections are open, stored across visits where the browser permits. */
export class OpenSections {
  readonly #choices: RememberedChoices;

  constructor(storage: PanelStorage | null = localStorageOrNone()) {
    this.#choices = new RememberedChoices("wattbook:panel-sections", storage);
  }

  isOpen(id: string, usually: boolean): boolean {
    return this.#choices.get(id, usually);
  }

  set(id: string, open: boolean): void {
    this.#choices.set(id, open);
  }
}

/** The open sections of the enclosing panel. */
export const OpenSectionsContext = createContext<OpenSections>(new OpenSections(null));
