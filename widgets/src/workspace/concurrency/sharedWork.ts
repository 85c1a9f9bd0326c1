import { unlessCancelled } from "./cancelling.ts";

/** Work that several callers may wait for; it is cancelled when the last of them has cancelled. */
export class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #work: Promise<T>;
  #waiting = 0;

  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.#work = begin(this.#abort.signal);
    this.#work.catch(() => undefined); // its callers receive the rejection
  }

  /** Whether every caller has cancelled. */
  get abandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  /** The result. Rejects with `ABORTED` as soon as `signal` fires. */
  async result(signal?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      const result = await unlessCancelled(this.#work, signal);
      this.#waiting = Infinity; // no caller can cancel a completed result
      return result;
    } catch (error) {
      this.#waiting -= 1;
      if (signal?.aborted && this.#waiting === 0) {
        this.#abort.abort();
      }
      throw error;
    }
  }
}
