import { unlessCancelled } from "./cancelling.ts";

/** Work that several may wait for: it is cancelled when the last of them has cancelled. */
export class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #work: Promise<T>;
  #waiting = 0;

  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.#work = begin(this.#abort.signal);
    this.#work.catch(() => undefined); // those who wait get it
  }

  /** Whether everybody has cancelled. */
  get abandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  /** What it gives. Rejects with `ABORTED` as soon as `signal` fires. */
  async result(signal?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      const result = await unlessCancelled(this.#work, signal);
      this.#waiting = Infinity; // a known result stays
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
