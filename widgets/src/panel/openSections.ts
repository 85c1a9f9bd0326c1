import { createContext } from "react";

/** Where the panel remembers which sections are open: the page's local storage, or anything like it. */
export type PanelStorage = Pick<Storage, "getItem" | "setItem">;

const KEY = "wattbook:panel-sections";

/** Which sections are open, remembered from one visit to the next where the browser lets us. */
export class OpenSections {
  readonly #storage: PanelStorage | null;
  #open: Record<string, boolean>;

  constructor(storage: PanelStorage | null = localStorageOrNone()) {
    this.#storage = storage;
    this.#open = stored(storage);
  }

  isOpen(id: string, usually: boolean): boolean {
    return this.#open[id] ?? usually;
  }

  set(id: string, open: boolean): void {
    this.#open = { ...this.#open, [id]: open };
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#open));
    } catch {
      // A storage that is full or forbidden: the section opens all the same, and is forgotten with the page.
    }
  }
}

/** The open sections of the panel around a component. */
export const OpenSectionsContext = createContext<OpenSections>(new OpenSections(null));

function stored(storage: PanelStorage | null): Record<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? "{}");
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
  } catch {
    return {}; // not ours, or not readable: sections are as they usually are
  }
}

/** Reading the property throws where a browser forbids storage. */
function localStorageOrNone(): PanelStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
