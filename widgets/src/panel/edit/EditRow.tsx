import { type ReactElement, useMemo } from "react";
import { changeSentence, elementValueText, pageFrame, ValueControls } from "../../ui/index.ts";
import { priceIntervalSentence, trans } from "../../text/index.ts";
import {
  type CaseSession,
  ElementSlider,
  hasDerivative,
  hasStatus,
  type Selection,
  type SessionChange,
  solvesHere,
} from "../../workspace/index.ts";
import { ReactiveRow } from "./ReactiveRow.tsx";
import { UnitsAt } from "./UnitsAt.tsx";
import { useSession } from "../../ui/useSignal.ts";

/** Changes that affect the row of the primary element; other rows do not follow a preview. */
const PRIMARY: readonly SessionChange[] = ["preview", "column", "path", "state", "status", "selection", "responses"];
const OTHER: readonly SessionChange[] = ["column", "state", "selection", "responses"];

interface EditRowProps {
  session: CaseSession;
  element: Selection;
}

/**
 * One selected element: its value, Reset, and the controls that only the panel has, which are reactive demand and the
 * generators at a bus. It is edited in the edit bar below the map.
 */
export function EditRow({ session, element }: EditRowProps): ReactElement {
  const slider = useMemo(() => new ElementSlider(session, element, pageFrame), [session, element]);
  const { primary, name, what, baseOrNone, mw, unit, edited, assumed, problem } = slider;
  useSession(session, primary ? PRIMARY : OTHER);
  const responds =
    hasDerivative(element) &&
    session.capabilities.has("sensitivities") &&
    !solvesHere(element, session.capabilities.has("paths"), session.state.edits, session.opened);
  const column = session.responseOf(element)?.dense?.column;
  const notUnique = column === undefined ? "" : priceIntervalSentence(column);
  return (
    <li className="wb-EditRow" data-element={`${element.kind} ${element.id}`} data-primary={primary}>
      <div className="wb-EditRow-head">
        <button
          type="button"
          className="wb-Button wb-mod-link wb-EditRow-name"
          aria-current={primary}
          title={
            !responds
              ? undefined
              : primary
                ? trans.__("The map shows how prices respond to this element")
                : trans.__("Show on the map how prices respond")
          }
          onClick={() => void session.makePrimary(element)}
        >
          {name}
        </button>
        {primary && responds ? <span className="wb-EditRow-mark">{trans.__("on the map")}</span> : null}
        <button
          type="button"
          className="wb-Button wb-mod-icon wb-EditRow-drop"
          aria-label={trans.__("Deselect %1", name)}
          title={trans.__("Deselect")}
          onClick={() => void session.toggle(element)}
        >
          {"\u00d7"}
        </button>
      </div>
      <div className="wb-EditRow-numbers">
        <span>{changeSentence(what, baseOrNone, mw, unit, assumed)}</span>
        <span>{elementValueText(session, element)}</span>
      </div>
      {edited || mw !== 0 ? (
        <button
          type="button"
          className="wb-Button wb-EditRow-reset"
          aria-label={trans.__("Reset %1", name)}
          onClick={() => void slider.commit(0)}
        >
          {trans.__("Reset")}
        </button>
      ) : null}
      {element.kind === "bus" ? (
        <>
          <ReactiveRow session={session} bus={element.id} />
          <UnitsAt session={session} bus={element.id} />
        </>
      ) : null}
      {hasStatus(session.opened, element) ? (
        <div className="wb-UnitControls">
          <ValueControls session={session} element={element} />
        </div>
      ) : null}
      {problem === null ? null : (
        <p className={session.opened.isEditable(element) ? "wb-EditRow-words wb-mod-failed" : "wb-EditRow-words"}>
          {problem}
        </p>
      )}
      {notUnique === "" ? null : <p className="wb-EditRow-words">{notUnique}</p>}
    </li>
  );
}
