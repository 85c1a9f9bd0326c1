import { formatCount, trans } from "../../text/index.ts";
import type { AutomaticLayout } from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";

/** Progress of the automatic layout in the middle of the waiting picture, with buttons to stop and restart it. */
export class LayoutProgress {
  readonly node: HTMLElement;
  readonly #layout: AutomaticLayout;
  readonly #buses: string;
  readonly #words = h("span", {});
  readonly #bar = h("progress", { attributes: { max: "1", "aria-label": trans.__("Layout") } });
  readonly #stop: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  /** Announces start and end only; every per cent would be too much for screen readers. */
  readonly #status = h("div", { class: "wb-Announcer", attributes: { role: "status" } });

  constructor(layout: AutomaticLayout, buses: number) {
    this.#layout = layout;
    this.#buses = trans._n("%2 bus", "%2 buses", buses, formatCount(buses));
    this.#stop = button(trans.__("Cancel"), () => layout.cancel());
    this.#again = button(trans.__("Lay out"), () => void layout.result().catch(() => undefined)); // its state reports failures
    const box = h("div", { class: "wb-Placing-box" }, this.#words, this.#bar, this.#stop, this.#again);
    this.node = h("div", { class: "wb-Placing" }, box, this.#status);
  }

  /** Shows the present state while the picture waits for the layout. */
  update(waiting: boolean): void {
    const { state } = this.#layout;
    const shown = waiting && state.kind !== "done";
    const running = state.kind === "running";
    this.node.hidden = !shown;
    this.#bar.hidden = this.#stop.hidden = !running;
    this.#again.hidden = state.kind !== "stopped";
    if (running) {
      this.#bar.value = state.fraction;
      setText(this.#words, trans.__("Laying out %1\u2026 %2 %", this.#buses, Math.round(100 * state.fraction)));
      setText(this.#status, shown ? trans.__("Laying out %1", this.#buses) : "");
    } else if (state.kind === "stopped") {
      setText(this.#words, state.message ?? trans.__("The layout of %1 was cancelled.", this.#buses));
      setText(this.#status, shown ? (this.#words.textContent ?? "") : "");
    } else {
      setText(this.#status, "");
    }
  }
}
