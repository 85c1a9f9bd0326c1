/** Time a note of success is shown, ms; longer while the pointer or the focus is on it. */
const SHOWN_MS = 8000;
const AGAIN_MS = 1500;

/**
 * Hides a note after some seconds, unless the pointer or the focus is on it. Do not begin it for notes that must be
 * read.
 */
export class PassingNote {
  readonly #node: HTMLElement;
  readonly #go: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `go` removes the note. */
  constructor(node: HTMLElement, go: () => void) {
    this.#node = node;
    this.#go = go;
  }

  /** Restarts the time. */
  begin(): void {
    this.stop();
    this.#wait(SHOWN_MS);
  }

  /** Cancels the timer. */
  stop(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      if (this.#node.matches(":hover, :focus-within")) {
        this.#wait(AGAIN_MS);
      } else {
        this.#timer = null;
        this.#go();
      }
    }, ms);
  }
}
