/** Where a page remembers what its user chose: its local storage, or anything like it. */
export type ChoiceStorage = Pick<Storage, "getItem" | "setItem">;

/** Reading the property throws where a browser forbids storage. */
export function localStorageOrNone(): ChoiceStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Yes or no by name, remembered from one visit to the next where the browser lets us. */
export class RememberedChoices {
  readonly #key: string;
  readonly #storage: ChoiceStorage | null;
  #choices: Record<string, boolean>;

  constructor(key: string, storage: ChoiceStorage | null = localStorageOrNone()) {
    this.#key = key;
    this.#storage = storage;
    this.#choices = stored(key, storage);
  }

  /** What was chosen, or else what is usual. */
  get(name: string, usually: boolean): boolean {
    return this.#choices[name] ?? usually;
  }

  set(name: string, choice: boolean): void {
    this.#choices = { ...this.#choices, [name]: choice };
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(this.#choices));
    } catch {
      // A storage that is full or forbidden: the choice holds all the same, and is forgotten with the page.
    }
  }
}

function stored(key: string, storage: ChoiceStorage | null): Record<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(key) ?? "{}");
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
  } catch {
    return {}; // not ours, or not readable: everything is as it usually is
  }
}
