import { button, h } from "../ui/dom.ts";
import { type CaseEdits, type CaseSession, countChanges } from "../workspace/index.ts";
import { trans } from "../text/index.ts";

/** A line above a map that offers the edits which its kernel lost in a restart. `node` is removed with the answer. */
export function earlierOffer(session: CaseSession, edits: CaseEdits): HTMLElement {
  const count = countChanges(edits);
  const words = trans._n(
    "Before the kernel restarted this map had %1 change.",
    "Before the kernel restarted this map had %1 changes.",
    count,
  );
  const node = h("div", { class: "wb-Offer", attributes: { role: "status" } });
  const answer = (): void => node.remove();
  const again = button(trans.__("Apply again"), () => {
    answer();
    // The status of the session reports failures.
    void session.commit(edits, session.live.revision).catch(() => undefined);
  });
  node.append(h("span", { text: words }), again, button(trans.__("Dismiss"), answer));
  return node;
}
