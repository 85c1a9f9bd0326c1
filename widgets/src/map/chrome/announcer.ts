import { formatPrice, trans } from "../../text/index.ts";
import { h, setText } from "../../ui/dom.ts";
import { type CaseSession, PRICE } from "../../workspace/index.ts";

/** Announces selections and edits to screen readers. */
export class Announcer {
  readonly node = h("div", { class: "wb-Announcer", attributes: { "aria-live": "polite" } });
  readonly #session: CaseSession;

  constructor(session: CaseSession) {
    this.#session = session;
  }

  /** Announces a text; a repeated text is announced again. */
  say(text: string): void {
    this.node.textContent = text;
  }

  /** Announces the selection, a bus with its price. */
  announceSelection(): void {
    const { selection, selected, opened, store } = this.#session;
    if (selection === null) {
      setText(this.node, trans.__("Nothing selected"));
      return;
    }
    const name = opened.nameOf(selection.kind, selection.id);
    const price = selection.kind === "branch" || selection.kind === "link" ? null : store.shown(PRICE);
    const row = opened.busRow(opened.busOf(selection));
    const text = price === null ? name : `${name}, ${formatPrice(price[row] ?? NaN)} $/MWh`;
    const count = selected.length;
    setText(this.node, count > 1 ? trans._n("%2, %1 selected", "%2, %1 selected", count, text) : text);
  }

  /** Announces which step was undone or redone. */
  announceStep(): void {
    this.say(this.#session.stepText(this.#session.history.latest.event));
  }
}
