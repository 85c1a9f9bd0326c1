import { formatCount } from "../words/index.ts";
import type { AutomaticLayout } from "../workspace/index.ts";
import { button, h, setText } from "./dom.ts";

/** How far the automatic layout is, in the middle of the picture that waits for it: with a way to stop it and to start again. */
export class LayoutProgress {
  readonly node: HTMLElement;
  readonly #layout: AutomaticLayout;
  readonly #buses: string;
  readonly #words = h("span", {});
  readonly #bar = h("progress", { attributes: { max: "1", "aria-label": "Layout" } });
  readonly #stop: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  /** Says the beginning and the end; every per cent would be too much to listen to. */
  readonly #status = h("div", { class: "wb-Announcer", attributes: { role: "status" } });

  constructor(layout: AutomaticLayout, buses: number) {
    this.#layout = layout;
    this.#buses = `${formatCount(buses)} ${buses === 1 ? "bus" : "buses"}`;
    this.#stop = button("Cancel", () => layout.cancel());
    this.#again = button("Lay out", () => void layout.result().catch(() => undefined)); // its state tells a failure
    const box = h("div", { class: "wb-Placing-box" }, this.#words, this.#bar, this.#stop, this.#again);
    this.node = h("div", { class: "wb-Placing" }, box, this.#status);
  }

  /** Shows the present state, if the picture waits for the layout. */
  update(waiting: boolean): void {
    const { state } = this.#layout;
    const shown = waiting && state.kind !== "done";
    const running = state.kind === "running";
    this.node.hidden = !shown;
    this.#bar.hidden = this.#stop.hidden = !running;
    this.#again.hidden = state.kind !== "stopped";
    if (running) {
      this.#bar.value = state.fraction;
      setText(this.#words, `Laying out ${this.#buses}\u2026 ${Math.round(100 * state.fraction)} %`);
      setText(this.#status, shown ? `Laying out ${this.#buses}` : "");
    } else if (state.kind === "stopped") {
      setText(this.#words, state.message ?? `The layout of ${this.#buses} was cancelled.`);
      setText(this.#status, shown ? (this.#words.textContent ?? "") : "");
    } else {
      setText(this.#status, "");
    }
  }
}
