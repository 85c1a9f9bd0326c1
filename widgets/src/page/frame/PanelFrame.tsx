import {
  Component,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
} from "react";
import type { LargeView } from "../../panel/sections/largeView.ts";
import { useSignal } from "../../ui/useSignal.ts";
import type { IWorkspace } from "../../workspace/index.ts";
import type { Documents } from "../documents/documents.ts";
import { PANEL_WIDTH, type PageLayout } from "./layout.ts";
import { errorText, trans } from "../../text/index.ts";

/** Loaded when the panel is shown for the first time. */
const StudyPanel = lazy(async () => ({ default: (await import("../../panel/index.ts")).StudyPanel }));

/** Pixels of one press of an arrow key. */
const STEP = 24;

/** Properties of the frame. */
export interface PanelFrameProps {
  workspace: IWorkspace;
  layout: PageLayout;
  documents: Documents;
}

/** The Study panel beside the map with a draggable edge; on narrow screens a drawer over the map. */
export function PanelFrame({ workspace, layout, documents }: PanelFrameProps): ReactElement {
  useSignal(layout.changed);
  const { beside, panelOpen, panelWidth } = layout;
  const openLarge = useCallback(
    (view: LargeView): void => {
      if (workspace.active === null) {
        view.dispose(); // its case was closed meanwhile
      } else {
        documents.openLarge(view, workspace.active);
      }
    },
    [workspace, documents],
  );
  const frame = useRef<HTMLElement>(null);
  const drawer = panelOpen && !beside;
  useEffect(() => {
    if (drawer) {
      frame.current?.focus(); // the map under the drawer cannot be seen
    }
  }, [drawer]);
  const keyed = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && drawer && !event.defaultPrevented) {
      layout.showPanel(false);
      document.querySelector<HTMLElement>(".wb-Page-tools [aria-controls]")?.focus();
    }
  };
  return (
    <aside
      id="study-panel"
      className="wb-Page-panel"
      ref={frame}
      tabIndex={-1}
      aria-label={trans.__("Study panel")}
      hidden={!panelOpen}
      style={beside ? { width: panelWidth } : {}}
      onKeyDown={keyed}
    >
      {beside && <Edge layout={layout} />}
      <PanelGuard>
        <Suspense fallback={null}>
          <StudyPanel workspace={workspace} openLarge={openLarge} />
        </Suspense>
      </PanelGuard>
    </aside>
  );
}

function Edge({ layout }: { layout: PageLayout }): ReactElement {
  const from = useRef<{ x: number; width: number } | null>(null);
  const moved = (event: PointerEvent): void => {
    if (from.current !== null) {
      layout.resizePanel(from.current.width + from.current.x - event.clientX);
    }
  };
  const pressed = (event: PointerEvent): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: layout.panelWidth };
  };
  const keyed = (event: KeyboardEvent): void => {
    const width = {
      ArrowLeft: layout.panelWidth + STEP,
      ArrowRight: layout.panelWidth - STEP,
      Home: PANEL_WIDTH.most,
      End: PANEL_WIDTH.least,
    }[event.key];
    if (width !== undefined) {
      event.preventDefault();
      layout.resizePanel(width);
    }
  };
  return (
    <div
      className="wb-Page-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={trans.__("Width of the Study panel")}
      aria-valuenow={layout.panelWidth}
      aria-valuemin={PANEL_WIDTH.least}
      aria-valuemax={PANEL_WIDTH.most}
      tabIndex={0}
      onKeyDown={keyed}
      onPointerDown={pressed}
      onPointerMove={moved}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
    />
  );
}

/** Prevents a fault in the panel from affecting the maps. */
class PanelGuard extends Component<{ children: ReactNode }, { problem: string | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: errorText(error) };
  }

  override render(): ReactNode {
    return this.state.problem === null ? (
      this.props.children
    ) : (
      <div className="wb-Page-failed" role="alert">
        <p>{trans.__("The Study panel failed (%1). Reload the page; the maps keep working.", this.state.problem)}</p>
      </div>
    );
  }
}
