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

/** A titled list of notable elements; empty without rows. */
export function ElementList({ session, title, kind, rows, text }: ElementListProps): ReactElement | null {
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
  return (
    <>
      <h4>{title}</h4>
      <ElementItems session={session} items={rows} element={elementOf} text={text} />
    </>
  );
}

interface ElementItemsProps<Item> {
  session: CaseSession;
  items: readonly Item[];
  /** The element that the line of an item selects. */
  element(item: Item): Selection;
  text(item: Item): string;
}

/** A line for each item, which selects its element; the first lines, and the others on demand. */
export function ElementItems<Item>({ session, items, element, text }: ElementItemsProps<Item>): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FIRST);
  return (
    <>
      <ul className="wb-Panel-binding">
        {shown.map((item, position) => (
          <li key={position}>
            <ElementLink session={session} element={element(item)} text={text(item)} />
          </li>
        ))}
      </ul>
      {shown.length === items.length ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(items.length))}
        </button>
      )}
    </>
  );
}
