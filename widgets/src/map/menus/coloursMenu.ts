import type { CaseSession } from "../../workspace/index.ts";
import { ICONS } from "../../ui/icons.ts";
import { Menu } from "../../ui/menu.ts";
import { branchQuantities, type BranchQuantity, busQuantities, type Quantity } from "../colour/quantities.ts";
import { trans } from "../../text/index.ts";

/** The menu of the quantities of buses and lines; `shown` returns the present ones. */
export function coloursMenu(
  session: CaseSession,
  shown: () => { buses: Quantity; lines: BranchQuantity },
  actions: {
    showQuantity(quantity: Quantity): void;
    showBranchQuantity(quantity: BranchQuantity): void;
    showStyle(): void;
  },
): Menu {
  return new Menu(trans.__("Colours"), ICONS.colours, () => {
    const { buses, lines } = shown();
    const busItems = [...busQuantities(session)].map(([name, { label, choice, missing }]) => ({
      label: choice?.(session) ?? label,
      checked: name === buses,
      disabled: missing(session),
      explains: true,
      run: () => actions.showQuantity(name),
    }));
    const lineItems = [...branchQuantities(session)].map(([name, { label, missing }]) => ({
      label,
      checked: name === lines,
      disabled: name === lines ? null : missing(session),
      explains: true,
      run: () => actions.showBranchQuantity(name),
    }));
    return Promise.resolve([
      [{ label: trans.__("Layers and style\u2026"), run: () => actions.showStyle() }],
      { title: trans.__("Buses by"), items: busItems },
      { title: trans.__("Lines by"), items: lineItems },
    ]);
  });
}
