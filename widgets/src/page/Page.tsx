import { type ReactElement, useEffect, useRef, useState } from "react";
import { chooseFiles, DropZone } from "../files/index.ts";
import { useSignal } from "../ui/useSignal.ts";
import type { IWorkspace } from "../workspace/index.ts";
import { CloseDialog } from "./documents/CloseDialog.tsx";
import { CaseList } from "./catalogue/CaseList.tsx";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { CaseService } from "./catalogue/caseService.ts";
import type { Documents, PageDocument } from "./documents/documents.ts";
import { announcement, DocumentView } from "./documents/DocumentView.tsx";
import { Header } from "./frame/Header.tsx";
import { StorageNote } from "./storage/StorageNote.tsx";
import { storageProblem } from "./storage/storageText.ts";
import type { StoredStudies } from "./storage/storedStudies.ts";
import type { PageLayout } from "./frame/layout.ts";
import type { Navigation } from "./address/navigation.ts";
import { PanelFrame } from "./frame/PanelFrame.tsx";
import { SkipLink } from "./frame/SkipLink.tsx";
import { useTheme } from "./frame/useTheme.ts";

/** The parts from which the page is built. */
export interface PageParts {
  workspace: IWorkspace;
  service: CaseService;
  catalogue: Catalogue;
  documents: Documents;
  stored: StoredStudies;
  navigation: Navigation;
  layout: PageLayout;
}

/** The whole page: header, the case list or a map, and the Study panel. Files may be dropped anywhere. */
export function Page(parts: PageParts): ReactElement {
  const { workspace, documents, stored, layout } = parts;
  useSignal(documents.changed);
  useSignal(layout.changed);
  const { list, front } = documents;
  const root = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const open = front !== null && front.state.kind !== "opening" && front.state.kind !== "failed";
  useTitle(front);
  useRestoredFocus(front);
  useUnloadQuestion(stored);
  const take = async (files: File[]): Promise<void> => {
    if (files.length === 0) {
      return;
    }
    if (layout.beside) {
      layout.showPanel(true); // which shows progress; over the map the panel stays closed until the user opens it
    }
    await workspace.intake.take(files);
  };
  useEffect(() => {
    const zone = new DropZone(root.current ?? document.body, (files) => void workspace.intake.take(files));
    return () => zone.dispose();
  }, [workspace]);
  const [closing, setClosing] = useState<{ document: PageDocument; reason: string } | null>(null);
  const close = async (document: PageDocument): Promise<void> => {
    const keeper = stored.saverOf(document);
    await keeper?.save();
    if (keeper?.state.kind === "failed") {
      setClosing({ document, reason: storageProblem(keeper.state.error) });
    } else {
      documents.close(document);
    }
  };
  const openFiles = (): void => void chooseFiles().then(take);
  return (
    <div className="wb-Page" ref={root}>
      <SkipLink />
      <Header
        documents={documents}
        stored={stored}
        close={(document) => void close(document)}
        openFiles={openFiles}
        theme={theme}
        panel={open ? { open: layout.panelOpen, show: (shown) => layout.showPanel(shown) } : null}
      />
      {front !== null && <StorageNote key={front.key} stored={stored} document={front} />}
      <div className="wb-Page-body">
        <main id="main" tabIndex={-1}>
          {front === null && (
            <CaseList
              {...parts}
              intake={workspace.intake}
              theme={theme.shown}
              open={(summary) => void documents.openServed(summary)}
              openFiles={openFiles}
            />
          )}
          {list.map((document) => (
            <DocumentView
              key={document.key}
              {...parts}
              document={document}
              theme={theme.shown}
              shown={document === front}
              showsFiles={!layout.panelOpen}
            />
          ))}
        </main>
        {open && <PanelFrame workspace={workspace} layout={layout} documents={documents} />}
      </div>
      <div className="wb-Announcer" role="status">
        {announcement(front)}
      </div>
      {closing !== null && (
        <CloseDialog
          {...closing}
          keep={() => setClosing(null)}
          close={() => {
            setClosing(null);
            documents.close(closing.document);
          }}
        />
      )}
    </div>
  );
}

function useTitle(front: PageDocument | null): void {
  useEffect(() => {
    document.title = front === null ? "Wattbook" : `${front.title} \u2013 Wattbook`;
  }, [front]);
}

/** After a click on a card or a tab removes that element, moves the focus to the document that replaced it. */
function useRestoredFocus(front: PageDocument | null): void {
  const before = useRef(front?.key);
  useEffect(() => {
    if (before.current !== front?.key && document.activeElement === document.body) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    before.current = front?.key;
  }, [front]);
}

/** Stores all Studies when the page is left; the browser asks before it discards what is not stored. */
function useUnloadQuestion(stored: StoredStudies): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (!stored.safe) {
        stored.saveAll();
        event.preventDefault();
      }
    };
    const hidden = (): void => {
      if (document.visibilityState === "hidden") {
        stored.saveAll();
      }
    };
    addEventListener("beforeunload", ask);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      removeEventListener("beforeunload", ask);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, [stored]);
}
