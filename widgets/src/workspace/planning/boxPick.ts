import { type ISignal, Signal } from "@lumino/signaling";
import type { SelectableKind } from "../cases/selection.ts";

/** A box that somebody is asked to draw on a map, and what becomes of the elements in it. */
export interface BoxRequest {
  readonly kind: SelectableKind;
  /** Whether an element can be taken at all. */
  accepts(id: number): boolean;
  take(ids: readonly number[]): void;
  /** The box was cancelled. */
  given?(): void;
}

/** Asks the maps of a session for a box: the first one in sight draws it. */
export class BoxPick {
  readonly #changed = new Signal<this, void>(this);
  #request: BoxRequest | null = null;
  #claimed = false;

  /** Tells that a box is asked for, or no longer. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** What is asked for; null without. */
  get request(): BoxRequest | null {
    return this.#request;
  }

  /** Asks for a box in place of the one before; false where no map is in sight. */
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

  /** A map takes the request, which is then no other's; null where there is none to take. */
  claim(): BoxRequest | null {
    const open = this.#claimed ? null : this.#request;
    this.#claimed ||= open !== null;
    return open;
  }

  /** The box is drawn: its elements that can be taken are. */
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
