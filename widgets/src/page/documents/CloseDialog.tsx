import { type ReactElement, useEffect, useRef } from "react";
import { trans } from "../../text/index.ts";
import type { PageDocument } from "./documents.ts";

/** Properties of the dialog. */
export interface CloseDialogProps {
  document: PageDocument;
  /** Why the Study could not be stored, in words. */
  reason: string;
  close: () => void;
  keep: () => void;
}

/** Asks before a Study that could not be stored is closed. Escape leaves it open. */
export function CloseDialog({ document, reason, close, keep }: CloseDialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="wb-Page-dialog" aria-labelledby="close-question" onClose={keep}>
      <h1 id="close-question">{trans.__("Close %1?", document.title)}</h1>
      <p>
        {trans.__(
          "It is not stored in this browser: %1. Its changes will be lost. \u201cDownload Study\u201d keeps them in a file.",
          reason,
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
