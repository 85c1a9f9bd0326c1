import type { ReactElement } from "react";
import { capitalised } from "../../text/index.ts";
import type { CaseSession, Selection } from "../../workspace/index.ts";

interface ElementLinkProps {
  session: CaseSession;
  element: Selection;
  /** Text of the link; by default the name of the element. */
  text?: string;
}

/** The name of an element as a link that selects it; with Ctrl or Cmd it is added to the selection. */
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
