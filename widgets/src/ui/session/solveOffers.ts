import { errorText, trans } from "../../text/index.ts";
import { type IWorkspace, isCancelled, type SolveOffer } from "../../workspace/index.ts";
import { button, h, setText } from "../dom.ts";

/** Buttons that solve another problem of a case, each as a separate case; null without offers. */
export function solveOffers(offers: readonly SolveOffer[], workspace: IWorkspace): HTMLElement | null {
  if (offers.length === 0) {
    return null;
  }
  const status = h("p", { class: "wb-mod-failed", attributes: { role: "status" } });
  const buttons = offers.map((offer) => {
    const take = button(offer.label, () => {
      take.disabled = true;
      setText(status, "");
      workspace
        .openOffer(offer)
        .catch((error: unknown) => {
          if (!isCancelled(error)) {
            setText(status, errorText(error, offer.opened));
          }
        })
        .finally(() => {
          take.disabled = false;
        });
    });
    return take;
  });
  const attributes = { role: "group", "aria-label": trans.__("Other problems of this case") };
  return h("div", { class: "wb-Offers", attributes }, h("div", { class: "wb-Offers-buttons" }, ...buttons), status);
}
