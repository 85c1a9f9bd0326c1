import { type ReactElement, useEffect, useRef, useState } from "react";
import type { TableView, TableViewOptions } from "../../tables/tableView.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { LargeView, OpenLarge } from "./largeView.ts";
import { h, InspectionMark } from "../../ui/index.ts";
import { trans, whyNotShown } from "../../text/index.ts";

/** The table view with its grid is loaded with the first table. */
const loadView = (): Promise<typeof import("../../tables/tableView.ts")> => import("../../tables/tableView.ts");

interface TableFrameProps {
  session: CaseSession;
  /** Must be stable; a new object shows another table. */
  options: TableViewOptions;
  /** Title of the large view. */
  title: string;
  openLarge?: OpenLarge | undefined;
}

/** A table in the panel, with a button to open it large where the host supports that. */
export function TableFrame({ session, options, title, openLarge }: TableFrameProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let view: TableView | null = null;
    let gone = false;
    const show = async (): Promise<void> => {
      const { TableView } = await loadView();
      if (gone || place.current === null) {
        return;
      }
      const large = openLarge === undefined ? {} : { openLarge: () => openLarge(largeTable(view, TableView)) };
      view = new TableView(session, { ...options, ...large });
      place.current.replaceChildren(view.node);
      view.attached();
    };
    const largeTable = (from: TableView | null, View: typeof TableView): LargeView => {
      const kind = from?.kind ?? options.kind ?? "buses";
      const opened = new View(session, { ...options, kind, ...(from === null ? {} : { look: from.look }) });
      const mark = new InspectionMark(session);
      return {
        id: `wattbook-table-${session.caseId}-${title}`,
        title: trans.__("%1 of %2", title, session.caseName),
        node: h("div", { class: "wb-Table-large" }, mark.node, opened.node),
        attached: () => opened.attached(),
        resized: () => opened.attached(),
        dispose: () => {
          mark.dispose();
          opened.dispose();
        },
      };
    };
    show().catch((error: unknown) => setProblem(whyNotShown(error)));
    return () => {
      gone = true;
      view?.dispose();
    };
  }, [session, options, title, openLarge]);
  return problem === null ? (
    <div className="wb-Panel-table" ref={place} />
  ) : (
    <p role="alert" className="wb-mod-failed">
      {trans.__("The table cannot be shown: %1", problem)}
    </p>
  );
}
