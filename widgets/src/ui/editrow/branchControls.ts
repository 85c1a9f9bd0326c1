import { branchValueName, capitalised, trans } from "../../text/index.ts";
import type { BranchValue, CaseSession, EditedValue } from "../../workspace/index.ts";
import { h } from "../dom.ts";
import { StatusSwitch } from "./statusSwitch.ts";

/** The values of a line or transformer that its slider can move, in the order of the choice. */
const VALUES = ["rating", "x", "tap", "shift"] as const satisfies ("rating" | BranchValue)[];

/** The controls of a line or transformer besides its slider: which value the slider moves, and the status. */
export class BranchControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #choice = h("select", { class: "wb-ValueChoice" });
  readonly #status: StatusSwitch;

  constructor(session: CaseSession, id: number) {
    const element = { kind: "branch", id } as const;
    this.#choice.setAttribute(
      "aria-label",
      trans.__("What the slider of %1 moves", session.opened.nameOf("branch", id)),
    );
    this.#choice.append(
      ...VALUES.map((value) => h("option", { text: capitalised(branchValueName(value)), attributes: { value } })),
    );
    this.#choice.addEventListener("change", () => {
      const value = VALUES.find((one) => one === this.#choice.value);
      void session.makePrimary(value === undefined || value === "rating" ? element : { ...element, value });
    });
    this.#status = new StatusSwitch(session, element);
    this.node.append(this.#choice, this.#status.node);
  }

  /** Shows the present state of the branch, and `what` its slider moves. */
  update(what: EditedValue): void {
    this.#choice.value = what;
    this.#status.update();
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    this.#choice.focus({ preventScroll: true });
  }
}
