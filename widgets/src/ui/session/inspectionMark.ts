import { trans } from "../../text/index.ts";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";
import { h, setText } from "../dom.ts";
import { markButton, markRow } from "./markRow.ts";

/** Marks that a saved state is displayed instead of the live one, with the ways back. Hidden for the live state. */
export class InspectionMark {
  readonly node = h("div", { class: "wb-Inspecting", attributes: { role: "status", hidden: "" } });
  readonly #session: CaseSession;
  readonly #name = h("span", { class: "wb-Inspecting-name" });
  readonly #live = h("span", { class: "wb-Inspecting-live" });
  readonly #resume = markButton(
    trans.__("Restore this state"),
    () => this.#makeLive(),
    trans.__("Make this the live state: the next change starts from it"),
  );

  constructor(session: CaseSession) {
    this.#session = session;
    const back = markButton(trans.__("Back to the live state"), () => session.inspection.end());
    const words = [this.#name, this.#live];
    this.node.append(...markRow({ kind: "inspecting", label: trans.__("Inspecting") }, words, [back, this.#resume]));
    session.changed.connect(this.#changed, this);
    session.history.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    this.#session.changed.disconnect(this.#changed, this);
    this.#session.history.changed.disconnect(this.#update, this);
    this.node.remove();
  }

  #changed(_: CaseSession, change: SessionChange): void {
    if (change === "state") {
      this.#update();
    }
  }

  #update(): void {
    const { inspection, history } = this.#session;
    const { state } = inspection;
    if (this.node.hidden !== (state === null)) {
      this.node.hidden = state === null;
    }
    if (state !== null) {
      setText(this.#name, this.#session.stateName(state));
      setText(this.#live, trans.__("Live: %1", this.#session.stateName(history.current)));
      this.#resume.hidden = state.revision === null; // a candidate is applied through its plan
    }
  }

  #makeLive(): void {
    const { state } = this.#session.inspection;
    if (state !== null) {
      this.#session.goTo(state.id).catch(() => undefined); // the status reports failures
    }
  }
}
