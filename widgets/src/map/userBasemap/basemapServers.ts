import { type ISignal, Signal } from "@lumino/signaling";
import { type ChoiceStorage, localStorageOrNone } from "../../ui/rememberedChoices.ts";

const STORED = "wattbook:basemap-servers";

/**
 * The servers that maps in this browser may contact for basemaps: those that a person allowed or named here. A
 * notebook's own basemap is no permission, because a notebook may come from anybody.
 */
export class BasemapServers {
  readonly #storage: ChoiceStorage | null;
  readonly #allowed: Set<string>;
  /**
   * Servers that a person named and that have not served anything yet: they may be contacted, and are forgotten with
   * the page.
   */
  readonly #named = new Set<string>();
  readonly #changed = new Signal<this, string>(this);

  constructor(storage = localStorageOrNone()) {
    this.#storage = storage;
    this.#allowed = new Set(storedServers(storage));
  }

  /** Emitted with a server that was allowed or revoked. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  /** The allowed servers in order of permission. */
  get all(): readonly string[] {
    return [...this.#allowed];
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin) || this.#named.has(origin);
  }

  /** Records that a person named a server: it may be contacted, and is allowed once it has served a basemap. */
  name(origin: string): void {
    if (!this.allows(origin)) {
      this.#named.add(origin);
      this.#changed.emit(origin);
    }
  }

  /** Records that a server has served a basemap. */
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

  /** Revokes the permission: maps with a basemap of the server ask again. */
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
      // Without storage the permission lasts as long as the page.
    }
    this.#changed.emit(changed);
  }
}

function storedServers(storage: ChoiceStorage | null): string[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(STORED) ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // foreign or unreadable content
  }
}

/** The servers that maps of this page may contact. */
export const basemapServers = new BasemapServers();
