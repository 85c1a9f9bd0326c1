import { type ReactElement, useEffect, useReducer, useRef, useState } from "react";
import { chooseFiles, DropZone } from "../files/index.ts";
import { useSignal } from "../panel/useSignal.ts";
import type { Workspace } from "../workspace/index.ts";
import { CaseList } from "./CaseList.tsx";
import type { Catalogue } from "./catalogue.ts";
import type { CaseService } from "./caseService.ts";
import type { Documents, PageDocument } from "./documents.ts";
import { DocumentView } from "./DocumentView.tsx";
import { Header } from "./Header.tsx";
import type { PageLayout } from "./layout.ts";
import type { Navigation } from "./navigation.ts";
import { PanelFrame } from "./PanelFrame.tsx";
import { showTheme, storedTheme, storeTheme, type ThemeChoice, themeOf, watchSystem } from "./themeChoice.ts";

/** The parts that the page is made of. */
export interface PageParts {
  workspace: Workspace;
  service: CaseService;
  catalogue: Catalogue;
  documents: Documents;
  navigation: Navigation;
  layout: PageLayout;
}

/** The whole page: header, the case list or a map, and the Study panel. Files may be dropped anywhere. */
export function Page(parts: PageParts): ReactElement {
  const { workspace, documents, layout } = parts;
  useSignal(documents.changed);
  useSignal(layout.changed);
  const { list, front } = documents;
  const root = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const open = front !== null && front.state.kind !== "opening" && front.state.kind !== "failed";
  useTitle(front);
  const take = async (files: File[]): Promise<void> => {
    if (files.length > 0) {
      layout.showPanel(true); // which tells what becomes of them
      await workspace.intake.take(files);
    }
  };
  useEffect(() => {
    const zone = new DropZone(root.current ?? document.body, (files) => void workspace.intake.take(files));
    return () => zone.dispose();
  }, [workspace]);
  const openFiles = (): void => void chooseFiles().then(take);
  return (
    <div className="wb-Page" ref={root}>
      <a className="wb-Page-skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Header
        documents={documents}
        openFiles={openFiles}
        theme={theme}
        panel={open ? { open: layout.panelOpen, show: (shown) => layout.showPanel(shown) } : null}
      />
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
            />
          ))}
        </main>
        {open && <PanelFrame workspace={workspace} layout={layout} documents={documents} />}
      </div>
    </div>
  );
}

/** Moves the focus without an address of its own, which would name no case. */
function toMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function useTheme() {
  const [choice, setChoice] = useState(storedTheme);
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => watchSystem(again), []);
  const shown = themeOf(choice);
  useEffect(() => showTheme(shown), [shown]);
  const choose = (next: ThemeChoice): void => {
    storeTheme(next);
    setChoice(next);
  };
  return { choice, shown, choose };
}

function useTitle(front: PageDocument | null): void {
  useEffect(() => {
    document.title = front === null ? "Wattbook" : `${front.title} \u2013 Wattbook`;
  }, [front]);
}
