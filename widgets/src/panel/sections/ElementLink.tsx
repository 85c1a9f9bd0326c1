import type { ReactElement } from "react";
import { capitalised } from "../../text/index.ts";
import type { CaseSession, Selection } from "../../workspace/index.ts";

interface ElementLinkProps {
  session: CaseSession;
  element: Selection;
  /** The words of the link; the name of the element by default. */
  text?: string;
}

/** The name of an element; it selects the element, with Ctrl or the command key beside those that are selected. */
export function ElementLink({ session, element, text }: ElementLinkProps): ReactElement {
  return (
    <button
      type="button"
      className="wb-Button wb-mod-link"
      onClick={({ ctrlKey, metaKey }) => void (ctrlKey || metaKey ? session.toggle(element) : session.select(element))}
    >
      {text ?? capitalised(session.opened.nameOf(element.kind, element.id))}
    </button>
  );
}
