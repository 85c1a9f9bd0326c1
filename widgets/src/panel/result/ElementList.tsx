import { type ReactElement, useState } from "react";
import { formatCount, trans } from "../../text/index.ts";
import type { CaseSession, Selection } from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

/** Number of elements listed initially. */
const FIRST = 8;

interface ElementListProps {
  session: CaseSession;
  title: string;
  /** Element kind of the rows. */
  kind: "bus" | "branch" | "generator";
  /** Dense rows in the order of the list. */
  rows: readonly number[];
  text(row: number): string;
}

/** A list of notable elements, each line selecting its element; empty without rows. */
export function ElementList({ session, title, kind, rows, text }: ElementListProps): ReactElement | null {
  const [all, setAll] = useState(false);
  if (rows.length === 0) {
    return null;
  }
  const { opened } = session;
  const elementOf = (row: number): Selection => {
    switch (kind) {
      case "bus":
        return { kind, id: opened.busId(row) };
      case "branch":
        return { kind, id: opened.branches[row]?.id ?? 0 };
      case "generator":
        return { kind, id: opened.generators[row]?.id ?? 0 };
    }
  };
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <>
      <h4>{title}</h4>
      <ul className="wb-Panel-binding">
        {shown.map((row) => (
          <li key={row}>
            <ElementLink session={session} element={elementOf(row)} text={text(row)} />
          </li>
        ))}
      </ul>
      {shown.length === rows.length ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(rows.length))}
        </button>
      )}
    </>
  );
}
