import { type ReactElement, useState } from "react";
import { formatCount, trans } from "../../text/index.ts";
import {
  type CaseSession,
  elementKey,
  inStableOrder,
  sameList,
  type SelectedList,
  type SessionChange,
} from "../../workspace/index.ts";
import { EditRow } from "./EditRow.tsx";
import { GroupEdit } from "./GroupEdit.tsx";
import { Section } from "../sections/Section.tsx";
import { useSession } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["selection", "mode", "state"];

/** Number of rows rendered initially. */
const FIRST_ROWS = 50;

/** One row for every selected element, and a change of all of them at once; each is edited in the edit bar below the map. */
export function EditSection({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const { length } = session.selected;
  const note =
    length === 0 ? trans.__("nothing selected") : trans._n("%2 selected", "%2 selected", length, formatCount(length));
  return (
    <Section id="edit" title={trans.__("Selected")} note={note} open>
      {length === 0 ? (
        <p className="wb-Panel-hint">
          {trans.__(
            "Click a bus or a line on the map, or a bus, line or generator in a table. With Ctrl or Shift held, more are added.",
          )}
        </p>
      ) : (
        <Rows session={session} />
      )}
    </Section>
  );
}

function Rows({ session }: { session: CaseSession }): ReactElement {
  const [most, setMost] = useState(FIRST_ROWS);
  const elements = useStableOrder(session.selected);
  const shown = elements.slice(0, most);
  const left = elements.length - shown.length;
  return (
    <>
      {elements.length > 1 ? <GroupEdit session={session} /> : null}
      <ul className="wb-Edit-rows" aria-label={trans.__("Selected elements")}>
        {shown.map((element) => (
          <EditRow key={elementKey(element)} session={session} element={element} />
        ))}
      </ul>
      {left === 0 ? null : (
        <button type="button" className="wb-Button" onClick={() => setMost(most + FIRST_ROWS)}>
          {trans.__("Show %1 more of %2", formatCount(Math.min(left, FIRST_ROWS)), formatCount(left))}
        </button>
      )}
    </>
  );
}

/** The selected elements, new ones first. A row stays in place when its element becomes the primary. */
function useStableOrder(selected: SelectedList): SelectedList {
  const [order, setOrder] = useState<SelectedList>([]);
  const next = inStableOrder(order, selected);
  if (!sameList(next, order)) {
    setOrder(next);
  }
  return next;
}
