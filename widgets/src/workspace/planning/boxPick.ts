import { type ISignal, Signal } from "@lumino/signaling";
import type { SelectableKind } from "../cases/selection.ts";

/** A request for a box drawn on a map, with the callback for its elements. */
export interface BoxRequest {
  readonly kind: SelectableKind;
  /** Whether an element may be picked. */
  accepts(id: number): boolean;
  take(ids: readonly number[]): void;
  /** Called when the user cancels the box. */
  given?(): void;
}

/** Passes requests for boxes to the maps of a session: the first visible one draws the box. */
export class BoxPick {
  readonly #changed = new Signal<this, void>(this);
  #request: BoxRequest | null = null;
  #claimed = false;

  /** Emitted when a box is requested, and when the request ends. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The present request; null without one. */
  get request(): BoxRequest | null {
    return this.#request;
  }

  /** Requests a box in place of the previous one; false where no map is visible. */
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

  /** Gives the request to one map; null without one. */
  claim(): BoxRequest | null {
    const open = this.#claimed ? null : this.#request;
    this.#claimed ||= open !== null;
    return open;
  }

  /** Ends the box and passes on those of its elements that are accepted. */
  take(ids: readonly number[]): void {
    const request = this.#request;
    this.#forget();
    request?.take(ids.filter((id) => request.accepts(id)));
  }

  /** Cancels the box. */
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
