/** Enters and leaves full screen with a node. */
export class FullScreen {
  readonly #node: HTMLElement;
  readonly #changed: () => void;

  /** `changed` is called on every change, including the Escape key. */
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
