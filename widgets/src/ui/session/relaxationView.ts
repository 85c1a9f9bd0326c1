import type { Explanation } from "@service/engine";
import { remedySentence, shortfallSentence, trans } from "../../text/index.ts";
import type { OpenedCase, RelaxationSearch } from "../../workspace/index.ts";
import { button, h, setText } from "../dom.ts";

/** Makes the view of an explanation's relaxation: an offer to apply it, or why there is no offer. */
export type MakeOffer = (explanation: Explanation) => HTMLElement;

/**
 * The search for a minimum relaxation: the bound so far and the progress, with buttons to cancel it and to take the
 * best so far; then the result, and the offer to apply it.
 */
export class RelaxationView {
  readonly node = h("div", { class: "wb-Relax" });
  readonly #search: RelaxationSearch;
  readonly #opened: OpenedCase;
  readonly #offer: MakeOffer;
  /** Whether this view announces the relaxation, which the status does elsewhere. */
  readonly #announces: boolean;
  readonly #words = h("p", { class: "wb-Relax-words" });
  readonly #bar = h("progress", {
    attributes: { max: "1", "aria-label": trans.__("Search for the minimum relaxation") },
  });
  readonly #running: HTMLElement;
  readonly #stop: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  readonly #result = h("div", {});
  /** Announces start and end only; every step would be too much for screen readers. */
  readonly #status = h("div", { class: "wb-Announcer", attributes: { role: "status" } });
  #shown: Explanation | null = null;

  constructor(search: RelaxationSearch, opened: OpenedCase, offer: MakeOffer, announces: boolean) {
    this.#search = search;
    this.#opened = opened;
    this.#offer = offer;
    this.#announces = announces;
    this.#stop = button(trans.__("Stop with the best so far"), () => search.stop());
    const cancel = button(trans.__("Cancel"), () => search.cancel());
    this.#running = h("div", { class: "wb-Relax-running" }, this.#bar, this.#stop, cancel);
    this.#again = button(trans.__("Look for the minimum relaxation"), () => search.again());
    this.node.append(this.#words, this.#running, this.#again, this.#result, this.#status);
    search.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    this.#search.changed.disconnect(this.#update, this);
  }

  #update(): void {
    const { state } = this.#search;
    this.node.dataset["search"] = state.kind;
    this.#running.hidden = state.kind !== "running" && state.kind !== "stopping";
    this.#stop.disabled = state.kind === "stopping";
    this.#again.hidden = state.kind !== "cancelled" && state.kind !== "failed";
    switch (state.kind) {
      case "running":
      case "stopping": {
        const doing =
          state.kind === "stopping"
            ? trans.__("Checking the best relaxation so far\u2026")
            : trans.__("Looking for the minimum relaxation\u2026");
        this.#bar.value = state.fraction;
        this.#say(state.atLeastMw > 0 ? `${shortfallSentence(state.atLeastMw)} ${doing}` : doing, doing);
        return;
      }
      case "cancelled":
        this.#say(
          [
            ...(state.atLeastMw > 0 ? [shortfallSentence(state.atLeastMw)] : []),
            trans.__("The search was cancelled."),
          ].join(" "),
        );
        return;
      case "failed":
        this.#say(state.message);
        return;
      case "found": {
        const remedy = remedySentence(state.explanation, this.#opened);
        this.#say(this.#announces ? remedy : "", remedy);
        if (this.#shown !== state.explanation) {
          this.#shown = state.explanation;
          this.#result.replaceChildren(this.#offer(state.explanation));
        }
      }
    }
  }

  #say(words: string, announced = words): void {
    setText(this.#words, words);
    this.#words.hidden = words === "";
    setText(this.#status, announced);
  }
}
