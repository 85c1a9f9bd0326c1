import { branchValueName, capitalised, linkValueName, storageValueName, trans } from "../../text/index.ts";
import { type CaseSession, drawnElement, type EditedValue, type Selection } from "../../workspace/index.ts";
import { h } from "../dom.ts";
import { StatusSwitch } from "./statusSwitch.ts";

/** A value that the slider can move, its name, and the selection that has it. */
interface Choice {
  readonly value: EditedValue;
  readonly name: string;
  readonly element: Selection;
}

/** An element whose slider can move several values. */
type Kind = "branch" | "link" | "storage";

/** The values of an element in the order of the choice. */
function choicesOf(kind: Kind, id: number): readonly Choice[] {
  if (kind === "link") {
    return [
      { value: "limit", name: linkValueName("p_max"), element: { kind, id } },
      { value: "schedule", name: linkValueName("p"), element: { kind, id, value: "p" } },
    ];
  }
  if (kind === "storage") {
    return [
      { value: "injection", name: storageValueName("p"), element: { kind, id } },
      { value: "energy_value", name: storageValueName("energy_value"), element: { kind, id, value: "energy_value" } },
    ];
  }
  return [
    { value: "rating", name: branchValueName("rating"), element: { kind, id } },
    ...(["x", "tap", "shift"] as const).map((value) => {
      return { value, name: branchValueName(value), element: { kind, id, value } };
    }),
  ];
}

/** The controls of a line, transformer, HVDC link or storage unit besides its slider: which value the slider moves, and the status. */
export class BranchControls {
  readonly node = h("div", { class: "wb-UnitControls" });
  readonly #choice = h("select", { class: "wb-ValueChoice" });
  readonly #status: StatusSwitch;

  constructor(session: CaseSession, kind: Kind, id: number) {
    const element: Selection = kind === "storage" ? { kind, id } : drawnElement(kind, id);
    const choices = choicesOf(kind, id);
    this.#choice.setAttribute("aria-label", trans.__("What the slider of %1 moves", session.opened.nameOf(kind, id)));
    this.#choice.append(
      ...choices.map(({ value, name }) => h("option", { text: capitalised(name), attributes: { value } })),
    );
    this.#choice.addEventListener("change", () => {
      const chosen = choices.find(({ value }) => value === this.#choice.value);
      void session.makePrimary(chosen?.element ?? element);
    });
    this.#status = new StatusSwitch(session, element);
    this.node.append(this.#choice, this.#status.node);
  }

  /** Shows the present state of the element, and `what` its slider moves. */
  update(what: EditedValue): void {
    this.#choice.value = what;
    this.#status.update();
  }

  /** Focuses the choice of the value that the slider moves. */
  focus(): void {
    this.#choice.focus({ preventScroll: true });
  }
}
