import { shownOutageSentence, trans } from "../../text/index.ts";
import { type CaseSession, PRICE } from "../../workspace/index.ts";
import { h, setText } from "../dom.ts";
import { markButton, markRow } from "./markRow.ts";

/** Marks that the displayed flows are those after an outage, with the way back. Hidden for the flows of the state. */
export class OutageMark {
  readonly node = h("div", { class: "wb-OutageMark", attributes: { role: "status", hidden: "" } });
  readonly #session: CaseSession;
  readonly #words = h("span", { class: "wb-Inspecting-name" });

  constructor(session: CaseSession) {
    this.#session = session;
    const solve = markButton(trans.__("Solve with this outage"), () => void this.#solve(), trans.__("New prices"));
    const back = markButton(trans.__("Back to the state"), () => session.outage.end(), trans.__("Escape"));
    this.node.append(...markRow({ kind: "outage", label: trans.__("Outage") }, [this.#words], [solve, back]));
    session.outage.changed.connect(this.#update, this);
  }

  dispose(): void {
    this.#session.outage.changed.disconnect(this.#update, this);
    this.node.remove();
  }

  /** Takes the branch out of service: one exact commit, whose failure the status of the session shows. */
  async #solve(): Promise<void> {
    const branch = this.#session.outage.shown?.branch;
    if (branch !== undefined) {
      await this.#session.setStatus({ kind: "branch", id: branch }, false).catch(() => undefined);
    }
  }

  #update(): void {
    const { shown } = this.#session.outage;
    this.node.hidden = shown === null;
    if (shown !== null) {
      const prices = this.#session.store.columns.has(PRICE) ? [trans.__("Prices are those before the outage.")] : [];
      setText(this.#words, [`${shownOutageSentence(shown, this.#session.opened)}.`, ...prices].join(" "));
    }
  }
}
