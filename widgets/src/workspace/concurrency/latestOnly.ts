/** Runs a job for the latest requested value; values requested while it runs replace each other. */
export class LatestOnly<T> {
  readonly #job: (value: T) => Promise<void>;
  #next: { value: T } | null = null;
  #running: Promise<void> | null = null;

  /** `job` must not reject. */
  constructor(job: (value: T) => Promise<void>) {
    this.#job = job;
  }

  /** Requests a value; resolves when every value requested so far is done or replaced. */
  request(value: T): Promise<void> {
    this.#next = { value };
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Drops the value that waits. */
  drop(): void {
    this.#next = null;
  }

  async #run(): Promise<void> {
    while (this.#next !== null) {
      const { value } = this.#next;
      this.#next = null;
      await this.#job(value);
    }
    this.#running = null;
  }
}
