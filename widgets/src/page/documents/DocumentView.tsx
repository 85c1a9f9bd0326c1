import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import type { CaseMapView } from "../../map/index.ts";
import type { IWorkspace } from "../../workspace/index.ts";
import type { CaseService } from "../catalogue/caseService.ts";
import type { Documents, DocumentState, OpeningStage, PageDocument } from "./documents.ts";
import { FirstPictureView } from "./FirstPictureView.tsx";
import type { PageTheme } from "../frame/themeChoice.ts";
import { errorText, trans } from "../../text/index.ts";

/** Properties of a document's view. */
export interface DocumentViewProps {
  document: PageDocument;
  documents: Documents;
  workspace: IWorkspace;
  service: CaseService;
  theme: PageTheme;
  /** Whether the document is in front. */
  shown: boolean;
  /**
   * Whether the picture in front shows the progress of files, because the panel, which otherwise shows it, is closed.
   */
  showsFiles?: boolean;
  /** The initial view of the map. */
  view?: CaseMapView | undefined;
}

/** One open case: progress until its map exists, its map, or the reason why it failed. */
export function DocumentView(props: DocumentViewProps): ReactElement {
  const { document, documents, shown } = props;
  const { state, title, summary } = document;
  return (
    <section className="wb-Page-document" aria-label={title} hidden={!shown} data-document={document.key}>
      {state.kind !== "failed" && <h1 className="wb-Announcer">{title}</h1>}
      {state.kind === "opening" && <Opening {...props} stage={state.stage} />}
      {state.kind === "failed" && (
        <div className="wb-Page-failed" role="alert">
          <h1>{trans.__("%1 could not be opened", title)}</h1>
          <p>{state.message}</p>
          <div className="wb-Page-controls">
            {summary !== null && (
              <button type="button" className="wb-Button" onClick={() => void documents.openServed(summary)}>
                {trans.__("Try again")}
              </button>
            )}
            <button type="button" className="wb-Button" onClick={() => documents.close(document)}>
              {trans.__("Close")}
            </button>
          </div>
        </div>
      )}
      {(state.kind === "case" || state.kind === "network" || state.kind === "view") && (
        <ViewHost {...props} state={state} />
      )}
    </section>
  );
}

/** The current step, in words. */
function stageWords(stage: OpeningStage): string {
  switch (stage) {
    case "fetching":
      return trans.__("fetching the case\u2026");
    case "reading":
      return trans.__("reading it and checking its hash\u2026");
    case "solving":
      return trans.__("solving the base case\u2026");
  }
}

/** What a screen reader announces about the document in front. Failures announce themselves. */
export function announcement(front: PageDocument | null): string {
  switch (front?.state.kind) {
    case "opening":
      return `${front.title}: ${stageWords(front.state.stage)}`;
    case "case":
    case "network":
    case "view":
      return trans.__("%1 is open", front.title);
    default:
      return "";
  }
}

function Opening(props: DocumentViewProps & { stage: OpeningStage }): ReactElement {
  const { document, documents, service, theme, stage } = props;
  const { firstFrame } = documents;
  // Loads the code of the map while the case loads. The view that needs it reports a failure.
  useEffect(() => void firstFrame.shown.then(() => import("../../map/index.ts")).catch(() => undefined), [firstFrame]);
  const drawn = useCallback(() => firstFrame.settle(), [firstFrame]);
  return (
    <div className="wb-Page-opening">
      {document.summary !== null && (
        <FirstPictureView service={service} id={document.summary.id} theme={theme} drawn={drawn} />
      )}
      <div className="wb-Page-opening-box">
        <p>
          {document.title}: {stageWords(stage)}
        </p>
        <progress aria-label={trans.__("Opening %1", document.title)} />
        <button type="button" className="wb-Button" onClick={() => documents.close(document)}>
          {trans.__("Cancel")}
        </button>
        {document.summary !== null && (
          <p className="wb-unit">{trans.__("The picture shows the base prices that the server has stored.")}</p>
        )}
      </div>
    </div>
  );
}

type Shown = Extract<DocumentState, { kind: "case" | "network" | "view" }>;

/** The interface that the page needs of a case map, the viewer of a network without prices, or a large view. */
interface View {
  readonly node: HTMLElement;
  attached(): void;
  dispose(): void;
  showFiles?(): void;
  resized?(): void;
}

/** Holds a view while its document is open, and releases its session afterwards. */
function ViewHost(props: DocumentViewProps & { state: Shown }): ReactElement {
  const { workspace, documents, document, shown, showsFiles = false, state, view: requestedView } = props;
  const place = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<View | null>(null);
  useFileProgress(showsFiles && shown ? held : null, document, workspace);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let view: View | null = null;
    let gone = false;
    const sizes = new ResizeObserver(() => view?.resized?.());
    void createView(workspace, state, requestedView).then(
      (made) => {
        if (gone || place.current === null) {
          made.dispose();
          return;
        }
        view = made;
        setHeld(made);
        if (workspace.intake.onMap) {
          made.showFiles?.(); // the map that received the files is behind this one now
        }
        place.current.append(made.node);
        made.attached();
        sizes.observe(place.current);
      },
      (error: unknown) => setProblem(errorText(error)),
    );
    return () => {
      gone = true;
      sizes.disconnect();
      view?.dispose();
      setHeld(null);
      documents.release(state);
    };
  }, [workspace, documents, state, requestedView]);
  return problem === null ? (
    <div className="wb-Page-view" ref={place} />
  ) : (
    <div className="wb-Page-failed" role="alert">
      <h1>{trans.__("The map could not be shown")}</h1>
      <p>{trans.__("%1 Reload the page.", problem)}</p>
    </div>
  );
}

/** A view in front shows the progress of files, starting with those from which it was opened; null for no view. */
function useFileProgress(view: View | null, { summary }: PageDocument, { intake }: IWorkspace): void {
  const opened = summary === null;
  useEffect(() => {
    if (view === null) {
      return undefined;
    }
    const show = (): void => view.showFiles?.();
    if (intake.running.length > 0 || (opened && intake.outcomes.length > 0)) {
      show();
    }
    intake.changed.connect(show);
    return () => void intake.changed.disconnect(show);
  }, [view, opened, intake]);
}

/** Loads the code of the views with the first one. */
async function createView(workspace: IWorkspace, state: Shown, view?: CaseMapView): Promise<View> {
  if (state.kind === "view") {
    return state.view;
  }
  if (state.kind === "network") {
    const { NetworkView } = await import("../../diagram/index.ts");
    return new NetworkView(workspace, state.network);
  }
  const { CaseMap } = await import("../../map/index.ts");
  return new CaseMap(workspace, state.session, view);
}
