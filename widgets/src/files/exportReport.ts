import { button, h, setText } from "../ui/dom.ts";
import type { MadeFile } from "../workspace/index.ts";
import { trans } from "../text/index.ts";
import { PassingNote } from "./passingNote.ts";

/** Number of export warnings listed; the others are counted. */
const LISTED = 20;

/**
 * Reports which file was made. A note of success disappears after some seconds; losses of the format and failures stay
 * until they are closed.
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

  /** Reports a file or the error that prevented it. */
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
