import type { FormulationId } from "@service/engine";
import { formulationHint, formulationName, trans } from "../../text/index.ts";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";
import { h } from "../dom.ts";
import { isPending } from "./statusText.ts";

/**
 * The formulation of the displayed state: a list to choose from, or a plain name without alternatives. The status
 * reports the outcome of a choice; a failed one leaves the formulation unchanged.
 */
export class FormulationSelect {
  readonly node = h("span", { class: "wb-Formulation" });
  readonly #session: CaseSession;
  readonly #select = h("select", {
    class: "wb-Formulation-select",
    attributes: { "aria-label": trans.__("Formulation") },
    on: { change: () => this.#choose() },
  });
  readonly #name = h("span", { class: "wb-Formulation-name" });

  constructor(session: CaseSession) {
    this.#session = session;
    session.changed.connect(this.#changed, this);
    this.update();
  }

  /** Shows the formulation of the published state, or the one that is being solved. */
  update(): void {
    const { formulation, formulations, status } = this.#session;
    const hint = formulationHint(formulation);
    if (formulations.length < 2) {
      this.#name.textContent = formulationName(formulation);
      this.#name.title = hint;
      this.node.replaceChildren(this.#name);
      return;
    }
    if (Array.from(this.#select.options, ({ value }) => value).join() !== formulations.join()) {
      const options = formulations.map((id) => {
        return h("option", { text: formulationName(id), attributes: { value: id, title: formulationHint(id) } });
      });
      this.#select.replaceChildren(...options);
    }
    if (!isPending(status)) {
      this.#select.value = formulation;
    }
    this.#select.title = hint;
    if (this.#select.parentElement !== this.node) {
      this.node.replaceChildren(this.#select); // a focused list stays in place
    }
  }

  dispose(): void {
    this.#session.changed.disconnect(this.#changed, this);
  }

  #changed(_: CaseSession, change: SessionChange): void {
    if (change === "state" || change === "status") {
      this.update();
    }
  }

  #choose(): void {
    // The status reports a failure.
    this.#session.setFormulation(this.#select.value as FormulationId).catch(() => this.update());
  }
}
