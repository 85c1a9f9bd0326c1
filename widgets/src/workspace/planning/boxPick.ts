import { type ISignal, Signal } from "@lumino/signaling";
import type { SelectableKind } from "../cases/selection.ts";

/** A request for a box drawn on a map, with the use of the elements in it. */
export interface BoxRequest {
  readonly kind: SelectableKind;
  /** Whether an element can be taken at all. */
  accepts(id: number): boolean;
  take(ids: readonly number[]): void;
  /** The box was cancelled. */
  given?(): void;
}

/** Requests boxes from the maps of a session: the first one in sight draws it. */
export class BoxPick {
  readonly #changed = new Signal<this, void>(this);
  #request: BoxRequest | null = null;
  #claimed = false;

  /** Emitted when a box is requested, or no longer. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The present request; null without one. */
  get request(): BoxRequest | null {
    return this.#request;
  }

  /** Requests a box in place of the one before; false where no map is in sight. */
  ask(request: BoxRequest): boolean {
    this.end();
    this.#request = request;
    this.#claimed = false;
    this.#changed.emit();
    if (!this.#claimed) {
      this.end();
    }
    return this.#claimed;
  }

  /** Gives the request to a map, and to no other; null without one. */
  claim(): BoxRequest | null {
    const open = this.#claimed ? null : this.#request;
    this.#claimed ||= open !== null;
    return open;
  }

  /** The box is drawn: passes on those of its elements that are accepted. */
  take(ids: readonly number[]): void {
    const request = this.#request;
    this.#forget();
    request?.take(ids.filter((id) => request.accepts(id)));
  }

  /** Gives the box up. */
  end(): void {
    const request = this.#request;
    this.#forget();
    request?.given?.();
  }

  dispose(): void {
    this.#request = null;
    Signal.clearData(this);
  }

  #forget(): void {
    if (this.#request !== null) {
      this.#request = null;
      this.#changed.emit();
    }
  }
}
