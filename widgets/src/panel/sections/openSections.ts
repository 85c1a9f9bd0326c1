import { createContext } from "react";
import { type ChoiceStorage, localStorageOrNone, RememberedChoices } from "../../ui/index.ts";

/** Where the panel remembers which sections are open: the page's local storage, or anything like it. */
export type PanelStorage = ChoiceStorage;

/** Which sections are open, remembered from one visit to the next where the browser lets us. */
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

/** The open sections of the panel around a component. */
export const OpenSectionsContext = createContext<OpenSections>(new OpenSections(null));
