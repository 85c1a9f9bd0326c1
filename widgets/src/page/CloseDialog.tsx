import { type ReactElement, useEffect, useRef } from "react";
import { formatCount } from "../words/index.ts";
import { listChanges } from "../workspace/index.ts";
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
      <h1 id="close-question">Close {document.title}?</h1>
      <p>
        {changes === 1 ? "Its change" : `Its ${formatCount(changes)} changes`} from the base case will be lost. “Save
        module” in the menu of the map keeps {changes === 1 ? "it" : "them"} in a file.
      </p>
      <div className="wb-Page-hands">
        <button type="button" className="wb-Button" onClick={keep}>
          Keep it open
        </button>
        <button type="button" className="wb-Button" onClick={close}>
          Close it
        </button>
      </div>
    </dialog>
  );
}
