import { button, h, setText } from "../map/dom.ts";
import type { MadeFile } from "../workspace/index.ts";
import { trans } from "../words/index.ts";

/** Warnings of an export that are listed; the rest is counted. */
const LISTED = 20;

/** Says which file was made and what its format could not carry, until it is closed. */
export class ExportReport {
  readonly node: HTMLElement;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #list = h("ul", { class: "wb-Files-list wb-mod-remarks" });

  constructor() {
    const close = button(trans.__("Close"), () => (this.node.hidden = true));
    const head = h("div", { class: "wb-Files-head" }, this.#words, close);
    this.node = h(
      "section",
      { class: "wb-Files", attributes: { "aria-label": trans.__("Export"), hidden: "" } },
      head,
      this.#list,
    );
  }

  /** Tells of a file or of what went wrong with it. */
  tell(made: MadeFile | Error): void {
    const failed = made instanceof Error;
    this.node.hidden = false;
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
        ? trans.__("%1 is in your downloads. It does not carry everything:", name)
        : trans.__("%1 is in your downloads.", name),
    );
    const more = warnings.length - LISTED;
    this.#list.replaceChildren(
      ...warnings.slice(0, LISTED).map((text) => h("li", { text })),
      ...(more > 0 ? [h("li", { text: trans._n("and %1 more", "and %1 more", more) })] : []),
    );
  }
}
