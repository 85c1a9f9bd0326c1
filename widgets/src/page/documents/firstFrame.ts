/**
 * How long the engine waits for the first picture, ms: the server may have no data, and a hidden page draws nothing.
 */
const PATIENCE_MS = 1000;

/**
 * Marks the time at which the first picture of the case in the address is on the screen. The engine starts after it,
 * because compiling it and reading the case would delay the picture.
 */
export class FirstFrame {
  /** Settles once the picture is painted, or at once if none is expected. */
  readonly shown: Promise<void>;
  #show: () => void = () => undefined;

  constructor(awaited: boolean) {
    this.shown = new Promise((resolve) => (this.#show = resolve));
    setTimeout(this.#show, awaited ? PATIENCE_MS : 0);
  }

  /** The picture is drawn, and will be painted after this task; or there will be no picture. */
  settle(): void {
    setTimeout(this.#show);
  }
}
