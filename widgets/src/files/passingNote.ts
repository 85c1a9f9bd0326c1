/** A note of success is shown this long, ms, and longer while a hand or the focus is on it. */
const SHOWN_MS = 8000;
const AGAIN_MS = 1500;

/** Lets a note go after some seconds, once nobody is on it. What has to be read stays until it is closed: begin it not. */
export class PassingNote {
  readonly #node: HTMLElement;
  readonly #go: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `go` takes the note away. */
  constructor(node: HTMLElement, go: () => void) {
    this.#node = node;
    this.#go = go;
  }

  /** Begins the time anew. */
  begin(): void {
    this.stop();
    this.#wait(SHOWN_MS);
  }

  /** The note stays. */
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
