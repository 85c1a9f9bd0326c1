import { type ISignal, Signal } from "@lumino/signaling";

/** Which case maps of kernels live in this page, by the ids of their widget models. */
export class LiveMaps {
  readonly #ids = new Set<string>();
  readonly #added = new Signal<this, string>(this);

  /** Tells the id of a map that has come. */
  get added(): ISignal<this, string> {
    return this.#added;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#added.emit(id);
  }

  remove(id: string): void {
    this.#ids.delete(id);
  }
}
