import type { McOptions } from "@service/engine";
import { h } from "../../ui/index.ts";
import { trans } from "../../text/index.ts";
import type { FeederStudy } from "../../workspace/index.ts";

type Option = "source_impedance" | "controls";

/** The value of each option when it is not refused. */
const CHOSEN = { source_impedance: "branch", controls: "held" } as const;

/** The two options of a solution, shown once one of them was offered or chosen, so that the choice can be reversed. */
export class FeederOptions {
  readonly node = h("fieldset", { class: "wb-Feeder-options", attributes: { hidden: "" } });
  readonly #study: FeederStudy;
  readonly #boxes: Record<Option, HTMLInputElement>;
  readonly #offered = new Set<Option>();

  constructor(study: FeederStudy) {
    this.#study = study;
    this.#boxes = { source_impedance: this.#box("source_impedance"), controls: this.#box("controls") };
    const line = (option: Option, text: string): HTMLElement =>
      h("label", {}, this.#boxes[option], h("span", { text }));
    this.node.append(
      h("legend", { text: trans.__("Solve with") }),
      line("source_impedance", trans.__("source impedance as a branch (exact)")),
      line("controls", trans.__("controls held as written")),
    );
  }

  /** Shows the options that are chosen or that a refusal offered. */
  update(): void {
    const { state, wanted } = this.#study;
    for (const option of ["source_impedance", "controls"] as const) {
      const offered = state.kind === "refused" && state.refused.some((one) => one.option?.startsWith(option) === true);
      const chosen = wanted[option] === CHOSEN[option];
      if (offered || chosen) {
        this.#offered.add(option);
      }
      const box = this.#boxes[option];
      box.checked = chosen;
      box.disabled = state.kind === "solving";
      (box.parentElement as HTMLElement).hidden = !this.#offered.has(option);
    }
    this.node.hidden = this.#offered.size === 0;
  }

  #box(option: Option): HTMLInputElement {
    const box = h("input", {
      attributes: { type: "checkbox" },
      on: {
        change: () => {
          const chosen: McOptions = { [option]: box.checked ? CHOSEN[option] : "refuse" };
          this.#study.choose(chosen);
        },
      },
    });
    return box;
  }
}
