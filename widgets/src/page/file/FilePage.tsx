import { type ReactElement, useEffect, useState } from "react";
import { type CaseMapView, styleOf } from "../../map/index.ts";
import { useSignal } from "../../ui/useSignal.ts";
import { errorText, trans } from "../../text/index.ts";
import { announcement, DocumentView, type DocumentViewProps } from "../documents/DocumentView.tsx";
import { OpenDocument, PanelSwitch } from "../frame/Header.tsx";
import type { PageLayout } from "../frame/layout.ts";
import { Mark } from "../frame/PageIcon.tsx";
import { PanelFrame } from "../frame/PanelFrame.tsx";
import { SkipLink } from "../frame/SkipLink.tsx";
import { ThemeSelect } from "../frame/ThemeSelect.tsx";
import { useTheme } from "../frame/useTheme.ts";
import type { PackedView } from "./packed.ts";

interface FilePageProps extends Pick<DocumentViewProps, "documents" | "workspace" | "service"> {
  layout: PageLayout;
  /** Resolves when the Study of the file is open. */
  opened: Promise<PackedView>;
}

/**
 * The frame of a page with one map: title, theme, and switch of the panel, without a list of cases and without an
 * address.
 */
export function FilePage({ opened, layout, ...parts }: FilePageProps): ReactElement {
  const { workspace, documents } = parts;
  useSignal(documents.changed);
  useSignal(layout.changed);
  const theme = useTheme();
  const [view, setView] = useState<CaseMapView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    opened.then(
      (packed) => setView(viewOf(packed)),
      (error: unknown) => setProblem(errorText(error)),
    );
  }, [opened]);
  const { list, front } = documents;
  return (
    <div className="wb-Page">
      <SkipLink />
      <header className="wb-Page-header">
        <span className="wb-Page-brand">
          <Mark />
          <span>Wattbook</span>
        </span>
        <nav className="wb-Page-open" aria-label={trans.__("Open cases")}>
          <ul>
            {list.map((document) => (
              <OpenDocument
                key={document.key}
                document={document}
                documents={documents}
                close={list[0] === document ? null : (closed) => documents.close(closed)}
              />
            ))}
          </ul>
        </nav>
        <div className="wb-Page-tools">
          <ThemeSelect {...theme} />
          <PanelSwitch open={layout.panelOpen} show={(shown) => layout.showPanel(shown)} />
        </div>
      </header>
      <div className="wb-Page-body">
        <main id="main" tabIndex={-1}>
          {problem !== null && (
            <div className="wb-Page-failed" role="alert">
              <h1>{trans.__("The map could not be shown")}</h1>
              <p>{problem}</p>
            </div>
          )}
          {view === null && problem === null && (
            <div className="wb-Page-opening">
              <div className="wb-Page-opening-box">
                <p>{trans.__("Reading and solving the map\u2026")}</p>
                <progress aria-label={trans.__("Opening %1", document.title)} />
              </div>
            </div>
          )}
          {view !== null &&
            list.map((document) => (
              <DocumentView
                key={document.key}
                {...parts}
                document={document}
                theme={theme.shown}
                shown={document === front}
                view={document === list[0] ? view : undefined}
              />
            ))}
        </main>
        {view !== null && <PanelFrame workspace={workspace} layout={layout} documents={documents} />}
      </div>
      <div className="wb-Announcer" role="status">
        {view === null ? "" : announcement(front)}
      </div>
    </div>
  );
}

function viewOf({ quantity, lines, style }: PackedView): CaseMapView {
  return {
    ...(quantity === undefined ? {} : { quantity }),
    ...(lines === undefined ? {} : { branchQuantity: lines }),
    style: styleOf(style),
  };
}
