import { trans } from "../../text/index.ts";
import { type CaseSession, stepSentence } from "../../workspace/index.ts";
import { h, setText } from "../dom.ts";
import { markButton, markRow } from "./markRow.ts";

/**
 * Marks that a step of a series is displayed instead of the live state, with the way back. Hidden for the live state.
 */
export class SeriesMark {
  readonly node = h("div", { class: "wb-OutageMark wb-SeriesMark", attributes: { hidden: "" } });
  readonly #session: CaseSession;
  readonly #words = h("span", { class: "wb-Inspecting-name" });

  constructor(session: CaseSession) {
    this.#session = session;
    const back = markButton(trans.__("Back to the live state"), () => session.series.end(), trans.__("Escape"));
    this.node.append(...markRow({ kind: "series", label: trans.__("Series") }, [this.#words], [back]));
    session.series.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    this.#session.series.changed.disconnect(this.#update, this);
    this.node.remove();
  }

  #update(): void {
    const { shown, playing } = this.#session.series;
    if (this.node.hidden !== (shown === null)) {
      this.node.hidden = shown === null;
    }
    if (shown !== null && !playing) {
      setText(this.#words, stepSentence(shown.series, shown.step));
    }
  }
}
