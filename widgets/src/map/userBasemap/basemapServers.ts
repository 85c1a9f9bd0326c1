import { type ISignal, Signal } from "@lumino/signaling";
import { type ChoiceStorage, localStorageOrNone } from "../../ui/rememberedChoices.ts";

const STORED = "wattbook:basemap-servers";

/**
 * The servers that maps of this browser may ask for basemaps: those that a person allowed or named here. A notebook names basemaps, and
 * may come from anybody, so that what it names is not enough.
 */
export class BasemapServers {
  readonly #storage: ChoiceStorage | null;
  readonly #allowed: Set<string>;
  /** Servers that a person named and that have not shown anything yet: they are asked, and forgotten with the page. */
  readonly #named = new Set<string>();
  readonly #changed = new Signal<this, string>(this);

  constructor(storage = localStorageOrNone()) {
    this.#storage = storage;
    this.#allowed = new Set(storedServers(storage));
  }

  /** Tells which server was allowed, or is not any more. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  /** The servers that are allowed, in the order in which they were. */
  get all(): readonly string[] {
    return [...this.#allowed];
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin) || this.#named.has(origin);
  }

  /** Takes that a person named a server: it may be asked, and is allowed once it has shown a basemap. */
  name(origin: string): void {
    if (!this.allows(origin)) {
      this.#named.add(origin);
      this.#changed.emit(origin);
    }
  }

  /** Takes note that a server has shown a basemap. */
  shown(origin: string): void {
    if (this.#named.has(origin)) {
      this.allow(origin);
    }
  }

  allow(origin: string): void {
    if (!this.#allowed.has(origin)) {
      this.#named.delete(origin);
      this.#allowed.add(origin);
      this.#keep(origin);
    }
  }

  /** Takes the permission back: maps that show a basemap of the server ask again. */
  revoke(origin: string): void {
    this.#named.delete(origin);
    if (this.#allowed.delete(origin)) {
      this.#keep(origin);
    }
  }

  #keep(changed: string): void {
    try {
      this.#storage?.setItem(STORED, JSON.stringify([...this.#allowed]));
    } catch {
      // A browser that keeps nothing: it holds until the page goes.
    }
    this.#changed.emit(changed);
  }
}

function storedServers(storage: ChoiceStorage | null): string[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(STORED) ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // not ours, or not readable
  }
}

/** The servers that maps of this page may ask. */
export const basemapServers = new BasemapServers();
