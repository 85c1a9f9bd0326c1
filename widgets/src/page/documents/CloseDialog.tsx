import { type ReactElement, useEffect, useRef } from "react";
import { formatCount, trans } from "../../text/index.ts";
import { listChanges } from "../../workspace/index.ts";
import type { PageDocument } from "./documents.ts";

/** How many changes from the base case would be lost with a document. */
export function changesIn({ state }: PageDocument): number {
  return state.kind === "case" ? listChanges(state.session.state.edits, state.session.opened).length : 0;
}

/** What the question is about and what its answers do. */
export interface CloseDialogProps {
  document: PageDocument;
  close: () => void;
  keep: () => void;
}

/** Asks before changes are lost. Escape keeps them. */
export function CloseDialog({ document, close, keep }: CloseDialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const changes = changesIn(document);
  return (
    <dialog ref={dialog} className="wb-Page-dialog" aria-labelledby="close-question" onClose={keep}>
      <h1 id="close-question">{trans.__("Close %1?", document.title)}</h1>
      <p>
        {trans._n(
          "Its change from the base case will be lost. \u201cSave module\u201d in the menu of the map keeps it in a file.",
          "Its %2 changes from the base case will be lost. \u201cSave module\u201d in the menu of the map keeps them in a file.",
          changes,
          formatCount(changes),
        )}
      </p>
      <div className="wb-Page-controls">
        <button type="button" className="wb-Button" onClick={keep}>
          {trans.__("Keep it open")}
        </button>
        <button type="button" className="wb-Button" onClick={close}>
          {trans.__("Close it")}
        </button>
      </div>
    </dialog>
  );
}
