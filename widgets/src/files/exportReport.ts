import { button, h, setText } from "../ui/dom.ts";
import type { MadeFile } from "../workspace/index.ts";
import { trans } from "../text/index.ts";
import { PassingNote } from "./passingNote.ts";

/** Warnings of an export that are listed; the rest is counted. */
const LISTED = 20;

/**
 * Says which file was made. A note of success goes by itself after some seconds; what a format could not carry, and why there is no
 * file, stays until it is closed.
 */
export class ExportReport {
  readonly node: HTMLElement;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #list = h("ul", { class: "wb-Files-list wb-mod-remarks" });
  readonly #passing: PassingNote;

  constructor() {
    const close = button(trans.__("Close"), () => (this.node.hidden = true));
    const head = h("div", { class: "wb-Files-head" }, this.#words, close);
    this.node = h(
      "section",
      { class: "wb-Files", attributes: { "aria-label": trans.__("Export"), hidden: "" } },
      head,
      this.#list,
    );
    this.#passing = new PassingNote(this.node, () => (this.node.hidden = true));
  }

  dispose(): void {
    this.#passing.stop();
  }

  /** Tells of a file or of what went wrong with it. */
  report(made: MadeFile | Error): void {
    const failed = made instanceof Error;
    this.node.hidden = false;
    this.#passing.stop();
    this.#words.classList.toggle("wb-mod-failed", failed);
    if (failed) {
      setText(this.#words, made.message);
      this.#list.replaceChildren();
      return;
    }
    const { name, warnings } = made;
    setText(
      this.#words,
      warnings.length > 0
        ? trans.__("%1 is in your downloads. Some data could not be saved:", name)
        : trans.__("%1 is in your downloads.", name),
    );
    if (warnings.length === 0) {
      this.#passing.begin();
    }
    const more = warnings.length - LISTED;
    this.#list.replaceChildren(
      ...warnings.slice(0, LISTED).map((text) => h("li", { text })),
      ...(more > 0 ? [h("li", { text: trans._n("and %1 more", "and %1 more", more) })] : []),
    );
  }
}
