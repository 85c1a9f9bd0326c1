import type { CaseSession } from "../../workspace/index.ts";
import { responseName } from "../colour/colourScale.ts";
import { ICONS } from "../../ui/icons.ts";
import { Menu } from "../../ui/menu.ts";
import { BRANCH_QUANTITIES, type BranchQuantity, BUS_QUANTITIES, type Quantity } from "../colour/quantities.ts";
import { trans } from "../../text/index.ts";

/** The menu of what buses and lines are coloured by; `shown` tells what is on. */
export function coloursMenu(
  session: CaseSession,
  shown: () => { buses: Quantity; lines: BranchQuantity },
  actions: { showQuantity(quantity: Quantity): void; showBranchQuantity(quantity: BranchQuantity): void },
): Menu {
  return new Menu(trans.__("Colours"), ICONS.colours, () => {
    const { buses, lines } = shown();
    const busItems = (Object.keys(BUS_QUANTITIES) as Quantity[]).map((name) => {
      const { label, missing } = BUS_QUANTITIES[name];
      return {
        label: name === "sensitivity" ? trans.__("LMP sensitivity, %1", responseName(session.selection)) : label,
        checked: name === buses,
        disabled: missing(session),
        explains: true,
        run: () => actions.showQuantity(name),
      };
    });
    const lineItems = (Object.keys(BRANCH_QUANTITIES) as BranchQuantity[]).map((name) => ({
      label: BRANCH_QUANTITIES[name].label,
      checked: name === lines,
      disabled: name === lines ? null : BRANCH_QUANTITIES[name].missing(session),
      explains: true,
      run: () => actions.showBranchQuantity(name),
    }));
    return Promise.resolve([
      { title: trans.__("Buses by"), items: busItems },
      { title: trans.__("Lines by"), items: lineItems },
    ]);
  });
}
