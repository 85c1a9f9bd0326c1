import { type CaseSession, editedValue, PRICE, type Selection, isSynthetic } from "../../workspace/index.ts";
import { responseName } from "../colour/colourScale.ts";
import { button, h } from "../../ui/dom.ts";
import { ICONS } from "../../ui/icons.ts";
import { RESPONSE } from "../colour/priceQuantities.ts";
import type { Quantity } from "../colour/quantities.ts";
import { trans } from "../../text/index.ts";

/** Actions of the bar. */
export interface BarActions {
  showQuantity(quantity: Quantity): void;
  step(step: "undo" | "redo"): void;
  search(): void;
  toggleTable(): void;
  fit(): void;
  toggleFullScreen(): void;
}

/** The bar on top of the map. */
export class Bar {
  readonly node: HTMLElement;
  readonly #session: CaseSession;
  readonly #quantities: Record<typeof PRICE | typeof RESPONSE, HTMLButtonElement>;
  readonly #switch: HTMLElement;
  readonly #steps: Record<"undo" | "redo", HTMLButtonElement>;
  readonly #table: HTMLButtonElement;
  readonly #fullScreen: HTMLButtonElement;

  /**
   * `formulation` is the choice of the model, `planes` the switch between map and diagram, `colours` the menu of
   * quantities, `menu` the button at the end of the bar.
   */
  constructor(
    session: CaseSession,
    parts: Record<"status" | "formulation" | "planes" | "colours" | "menu", HTMLElement>,
    actions: BarActions,
  ) {
    this.#session = session;
    this.#quantities = {
      [PRICE]: button(trans.__("Price"), () => actions.showQuantity(PRICE)),
      [RESPONSE]: button(trans.__("Effect on prices"), () => actions.showQuantity(RESPONSE)),
    };
    this.#switch = h(
      "div",
      { class: "wb-Switch wb-Bar-quantity", attributes: { role: "group", "aria-label": trans.__("Quantity shown") } },
      ...Object.values(this.#quantities),
    );
    this.#steps = {
      undo: button(trans.__("Undo"), () => actions.step("undo"), { icon: ICONS.undo, class: "wb-Bar-step" }),
      redo: button(trans.__("Redo"), () => actions.step("redo"), { icon: ICONS.redo, class: "wb-Bar-step" }),
    };
    this.#table = button(trans.__("Table of buses"), actions.toggleTable, { icon: ICONS.table, class: "wb-Bar-table" });
    this.#fullScreen = button(trans.__("Full screen"), actions.toggleFullScreen, { icon: ICONS.fullScreen });
    const madeUp = trans.__("Synthetic network, no real equipment");
    const name = session.caseName.replace(/,\s*synthetic$/i, ""); // the mark beside it states that
    this.node = h(
      "div",
      { class: "wb-Bar" },
      h(
        "div",
        { class: "wb-Bar-what" },
        h("span", { class: "wb-Bar-case", text: name, attributes: { title: session.caseName } }),
        ...(isSynthetic(session.opened)
          ? [
              h(
                "span",
                { class: "wb-Bar-synthetic", attributes: { title: madeUp } },
                h("span", { class: "wb-Bar-short", text: trans.__("synthetic") }),
                h("span", { class: "wb-Bar-long", text: trans.__("synthetic network") }),
              ),
            ]
          : []),
        parts.formulation,
        parts.planes,
        this.#switch,
        parts.colours,
      ),
      h(
        "div",
        { class: "wb-Bar-tools" },
        parts.status,
        ...Object.values(this.#steps),
        button(trans.__("Search"), actions.search, { icon: ICONS.search, class: "wb-Bar-search" }),
        this.#table,
        button(trans.__("Show everything"), actions.fit, { icon: ICONS.fit, class: "wb-Bar-fit" }),
        this.#fullScreen,
        parts.menu,
      ),
    );
  }

  /** Shows the next undo and redo steps; both buttons appear with the first edit. */
  updateSteps(): void {
    const { undoable, redoable } = this.#session.history;
    const { undo, redo } = this.#steps;
    undo.hidden = redo.hidden = undoable === null && redoable === null;
    const inspecting = !this.#session.showsLive;
    undo.disabled = undoable === null || inspecting;
    redo.disabled = redoable === null || inspecting;
    undo.title =
      undoable === null ? trans.__("Nothing to undo") : trans.__("Undo: %1", this.#session.stepText(undoable.event));
    redo.title =
      redoable === null ? trans.__("Nothing to redo") : trans.__("Redo: %1", this.#session.stepText(redoable.event));
    undo.setAttribute("aria-label", undoable === null ? trans.__("Undo") : undo.title);
    redo.setAttribute("aria-label", redoable === null ? trans.__("Redo") : redo.title);
  }

  /** Shows the present quantity, and the switch only where there is a choice. */
  update(quantity: Quantity, selection: Selection | null, tableOpen: boolean): void {
    const { [RESPONSE]: response } = this.#quantities;
    this.#switch.hidden = selection === null || !this.#session.capabilities.has("sensitivities");
    response.title = trans.__("%1: %2", responseName(selection), responseTitle(selection));
    for (const [name, element] of Object.entries(this.#quantities)) {
      element.setAttribute("aria-pressed", String(name === quantity));
    }
    this.#table.setAttribute("aria-pressed", String(tableOpen));
    const full = document.fullscreenElement !== null;
    this.#fullScreen.setAttribute("aria-pressed", String(full));
    this.#fullScreen.title = full ? trans.__("Leave full screen") : trans.__("Full screen");
  }
}

/** Explains the derivative of the prices by the edited value of an element. */
function responseTitle(selection: Selection | null): string {
  switch (selection === null ? "demand" : editedValue(selection)) {
    case "demand":
      return trans.__("How every price responds to one more MW of demand there");
    case "rating":
      return trans.__("How every price responds to one more MW of rating there");
    case "capacity":
      return trans.__("How every price responds to one more MW of capacity there");
    case "p_min":
      return trans.__("How every price responds to one more MW of Pmin there");
    case "cost":
      return trans.__("How every price responds to one more $/MWh of its cost");
    case "shift":
      return trans.__("How every price responds to one more degree of phase shift there");
    case "limit":
      return trans.__("How every price responds to one more MW of the upper limit of the link");
    case "x":
    case "tap":
    case "schedule":
    case "injection":
    case "energy_value":
      return trans.__("Prices have no derivative by this value, which changes the network");
  }
}
