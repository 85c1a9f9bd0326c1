/** How long the engine waits for a first picture, ms: the server may have none, and a page that is not seen draws none. */
const PATIENCE_MS = 1000;

/**
 * When the first picture of the case that the address names is on the screen. The engine comes after it: compiling and reading the case
 * beside it would keep the prices waiting that the server has stored.
 */
export class FirstFrame {
  /** Settles once the picture is painted, and where there is none to wait for. */
  readonly shown: Promise<void>;
  #show: () => void = () => undefined;

  constructor(awaited: boolean) {
    this.shown = new Promise((resolve) => (this.#show = resolve));
    setTimeout(this.#show, awaited ? PATIENCE_MS : 0);
  }

  /** The picture is drawn, and painted when this task is done; or there will be none. */
  tell(): void {
    setTimeout(this.#show);
  }
}
