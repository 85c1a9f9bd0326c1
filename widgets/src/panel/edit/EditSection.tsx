import { type ReactElement, useState } from "react";
import { formatCount, trans } from "../../text/index.ts";
import {
  type CaseSession,
  editUnits,
  elementKey,
  type EntryMode,
  inStableOrder,
  sameList,
  type SelectedList,
  type SessionChange,
} from "../../workspace/index.ts";
import { EditRow } from "./EditRow.tsx";
import { GroupEdit } from "./GroupEdit.tsx";
import { Section } from "../sections/Section.tsx";
import { useSession } from "../sections/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["selection", "mode", "state"];

/** Rows that are rendered before somebody asks for more. */
const FIRST_ROWS = 50;

/** One row for every selected element, and a change of all of them at once. */
export function EditSection({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const { length } = session.selected;
  const note =
    length === 0 ? trans.__("nothing selected") : trans._n("%2 selected", "%2 selected", length, formatCount(length));
  return (
    <Section id="edit" title={trans.__("Edit")} note={note} open>
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
  const [mode, setMode] = useState<EntryMode>("change");
  const [most, setMost] = useState(FIRST_ROWS);
  const elements = useStableOrder(session.selected);
  const shown = elements.slice(0, most);
  const unit = editUnits(elements, session.formulation).join(trans.__(" or "));
  const left = elements.length - shown.length;
  return (
    <>
      <div className="wb-Edit-modes">
        <div className="wb-Switch" role="group" aria-label={trans.__("Numbers typed are")}>
          <ModeButton
            mode="change"
            now={mode}
            set={setMode}
            title={trans.__("Change")}
            hint={trans.__("Type the change from the base case, %1", unit)}
          />
          <ModeButton
            mode="value"
            now={mode}
            set={setMode}
            title={trans.__("Total")}
            hint={trans.__("Type the demand, rating, capacity or cost itself, %1", unit)}
          />
        </div>
        {session.capabilities.has("paths") ? (
          <label className="wb-Edit-exact" title={trans.__("Show exact prices at every slider position")}>
            <input
              type="checkbox"
              role="switch"
              checked={session.previewMode === "exact"}
              onChange={({ target }) => setExact(session, target.checked)}
            />
            <span>{trans.__("Exact while dragging")}</span>
          </label>
        ) : null}
      </div>
      {elements.length > 1 ? <GroupEdit session={session} /> : null}
      <ul className="wb-Edit-rows" aria-label={trans.__("Selected elements")}>
        {shown.map((element) => (
          <EditRow key={elementKey(element)} session={session} element={element} mode={mode} />
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

interface ModeButtonProps {
  mode: EntryMode;
  now: EntryMode;
  set: (mode: EntryMode) => void;
  title: string;
  hint: string;
}

function ModeButton({ mode, now, set, title, hint }: ModeButtonProps): ReactElement {
  return (
    <button type="button" className="wb-Button" aria-pressed={mode === now} title={hint} onClick={() => set(mode)}>
      {title}
    </button>
  );
}

function setExact(session: CaseSession, exact: boolean): void {
  session.previewMode = exact ? "exact" : "first_order";
}

/** The selected elements, new ones first; a row keeps its place when a hand makes its element the primary. */
function useStableOrder(selected: SelectedList): SelectedList {
  const [order, setOrder] = useState<SelectedList>([]);
  const next = inStableOrder(order, selected);
  if (!sameList(next, order)) {
    setOrder(next);
  }
  return next;
}
