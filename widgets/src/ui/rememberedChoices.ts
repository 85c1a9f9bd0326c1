/** Storage for the user's choices: the page's local storage, or any equivalent. */
export type ChoiceStorage = Pick<Storage, "getItem" | "setItem">;

/** The local storage, or null: reading the property throws where a browser forbids storage. */
export function localStorageOrNone(): ChoiceStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Boolean choices by name, stored across visits where the browser permits. */
export class RememberedChoices {
  readonly #key: string;
  readonly #storage: ChoiceStorage | null;
  #choices: Record<string, boolean>;

  constructor(key: string, storage: ChoiceStorage | null = localStorageOrNone()) {
    this.#key = key;
    this.#storage = storage;
    this.#choices = stored(key, storage);
  }

  /** The stored choice, or else the default. */
  get(name: string, usually: boolean): boolean {
    return this.#choices[name] ?? usually;
  }

  set(name: string, choice: boolean): void {
    this.#choices = { ...this.#choices, [name]: choice };
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(this.#choices));
    } catch {
      // With full or forbidden storage the choice lasts only as long as the page.
    }
  }
}

function stored(key: string, storage: ChoiceStorage | null): Record<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(key) ?? "{}");
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
  } catch {
    return {}; // unreadable or foreign content: use the defaults
  }
}
