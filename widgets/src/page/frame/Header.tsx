import type { ReactElement } from "react";
import type { Documents, PageDocument } from "../documents/documents.ts";
import { StorageMark } from "../storage/StorageNote.tsx";
import type { StoredStudies } from "../storage/storedStudies.ts";
import { Mark, PageIcon } from "./PageIcon.tsx";
import { PageLink } from "../address/PageLink.tsx";
import { HOME } from "../address/route.ts";
import { ThemeSelect } from "./ThemeSelect.tsx";
import type { ThemeChoice } from "./themeChoice.ts";
import { trans } from "../../text/index.ts";

/** Properties of the header. */
export interface HeaderProps {
  documents: Documents;
  stored: StoredStudies;
  close: (document: PageDocument) => void;
  openFiles: () => void;
  theme: { choice: ThemeChoice; choose: (choice: ThemeChoice) => void };
  /** The switch of the Study panel; null if no case is open. */
  panel: { open: boolean; show: (open: boolean) => void } | null;
}

/** The bar at the top of the page: cases, open documents, files, theme, and the switch of the panel. */
export function Header({ documents, stored, close, openFiles, theme, panel }: HeaderProps): ReactElement {
  const { list, front } = documents;
  return (
    <header className="wb-Page-header">
      <PageLink to={HOME} go={() => documents.showList()} className="wb-Page-brand" current={front === null}>
        <Mark />
        <span>Wattbook</span>
      </PageLink>
      <nav className="wb-Page-open" aria-label={trans.__("Open cases")}>
        <ul>
          {list.map((document) => (
            <OpenDocument key={document.key} document={document} documents={documents} close={close} />
          ))}
        </ul>
      </nav>
      <div className="wb-Page-tools">
        {front !== null && <StorageMark stored={stored} document={front} />}
        <button type="button" className="wb-Button wb-Page-files" onClick={openFiles}>
          <PageIcon name="open" />
          <span>{trans.__("Open files\u2026")}</span>
        </button>
        <ThemeSelect {...theme} />
        {panel !== null && <PanelSwitch {...panel} />}
      </div>
    </header>
  );
}

/** Shows and hides the Study panel. */
export function PanelSwitch({ open, show }: NonNullable<HeaderProps["panel"]>): ReactElement {
  return (
    <button
      type="button"
      className="wb-Button wb-mod-icon"
      aria-label={trans.__("Study panel")}
      title={open ? trans.__("Hide the Study panel") : trans.__("Show the Study panel")}
      aria-expanded={open}
      aria-controls="study-panel"
      onClick={() => show(!open)}
    >
      <PageIcon name="panel" />
    </button>
  );
}

interface OpenDocumentProps {
  document: PageDocument;
  documents: Documents;
  /** Null for a document that cannot be closed. */
  close: HeaderProps["close"] | null;
}

/** One open document in the header: a link to it, and the button that closes it. */
export function OpenDocument({ document, documents, close }: OpenDocumentProps): ReactElement {
  const { title, route, state } = document;
  const label = state.kind === "failed" ? trans.__("%1, could not be opened", title) : title;
  return (
    <li data-state={state.kind}>
      <PageLink
        to={route}
        go={() => documents.bringToFront(document)}
        current={documents.front === document}
        title={title}
        label={label}
      >
        {title}
      </PageLink>
      {close !== null && (
        <button
          type="button"
          className="wb-Button wb-mod-icon"
          aria-label={trans.__("Close %1", title)}
          title={trans.__("Close %1", title)}
          onClick={() => close(document)}
        >
          <PageIcon name="close" />
        </button>
      )}
    </li>
  );
}
