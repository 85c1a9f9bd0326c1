/** Shows a node on the whole screen, and takes it back. */
export class FullScreen {
  readonly #node: HTMLElement;
  readonly #changed: () => void;

  /** `changed` hears of every change, that by the Escape key included. */
  constructor(node: HTMLElement, changed: () => void) {
    this.#node = node;
    this.#changed = changed;
    document.addEventListener("fullscreenchange", changed);
  }

  toggle(): void {
    void (document.fullscreenElement === this.#node ? document.exitFullscreen() : this.#node.requestFullscreen());
  }

  dispose(): void {
    document.removeEventListener("fullscreenchange", this.#changed);
  }
}
