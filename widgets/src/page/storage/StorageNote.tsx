import { type ReactElement, useState } from "react";
import { downloadFile } from "../../files/index.ts";
import { useSignal } from "../../ui/useSignal.ts";
import { errorText, trans } from "../../text/index.ts";
import type { PageDocument } from "../documents/documents.ts";
import type { StoredStudies } from "./storedStudies.ts";
import { storageProblem } from "./storageText.ts";

/** Properties of the notes. */
export interface StorageProps {
  stored: StoredStudies;
  document: PageDocument;
}

/** Whether the Study in front is stored, in two or three words. {@link StorageNote} reports failures. */
export function StorageMark({ stored, document }: StorageProps): ReactElement {
  useSignal(stored.changed);
  return (
    <span className="wb-Page-stored" role="status">
      {markText(stored.saverOf(document)?.state.kind)}
    </span>
  );
}

function markText(kind: string | undefined): string {
  switch (kind) {
    case "changed":
    case "saving":
      return trans.__("Storing\u2026");
    case "stored":
      return trans.__("Stored in this browser");
    case "failed":
      return trans.__("Not stored");
    default:
      return "";
  }
}

/** Why the Study in front is not stored and what to do about it, or what another window did to it. */
export function StorageNote({ stored, document }: StorageProps): ReactElement | null {
  useSignal(stored.changed);
  const [closed, setClosed] = useState<string | null>(null);
  const [failure, setFailure] = useState("");
  const keeper = stored.saverOf(document);
  if (keeper === null) {
    return null;
  }
  if (keeper.state.kind === "failed") {
    const download = (): void => {
      const file = stored.file({ id: keeper.stored?.id ?? "", title: document.title }, keeper);
      file.then(downloadFile, (error: unknown) => setFailure(errorText(error)));
    };
    return (
      <div className="wb-Page-note wb-mod-problem" role="alert">
        <p>
          {trans.__(
            "%1 is not stored: %2. It stays open here; download it before you close the page.",
            document.title,
            storageProblem(keeper.state.error),
          )}
          {failure !== "" && ` ${failure}`}
        </p>
        <button type="button" className="wb-Button" onClick={() => void keeper.save()}>
          {trans.__("Try again")}
        </button>
        <button type="button" className="wb-Button" onClick={download}>
          {trans.__("Download Study")}
        </button>
      </div>
    );
  }
  if (keeper.notice === null || keeper.notice === closed) {
    return null;
  }
  return (
    <div className="wb-Page-note" role="status">
      <p>{keeper.notice}</p>
      <button type="button" className="wb-Button" onClick={() => setClosed(keeper.notice)}>
        {trans.__("OK")}
      </button>
    </div>
  );
}
