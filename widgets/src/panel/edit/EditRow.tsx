import { type ReactElement, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  changeSentence,
  ElementControls,
  PathTable,
  type Readout,
  readout,
  tellingElementValue,
  UnitControls,
} from "../../ui/index.ts";
import {
  costCurveSentence,
  exactSentence,
  formatAmount,
  formatPower,
  priceIntervalSentence,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  costCurveOf,
  editedValue,
  type ElementSlider,
  type EntryMode,
  MOST_RESPONSES,
  sameSelection,
  type Selection,
  type SessionChange,
} from "../../workspace/index.ts";
import { Mounted } from "../sections/Mounted.tsx";
import { ReactiveRow } from "./ReactiveRow.tsx";
import { UnitsAt } from "./UnitsAt.tsx";
import { useSession } from "../sections/useSignal.ts";

/** What the row of the primary element follows; the others do not move with a preview. */
const PRIMARY: readonly SessionChange[] = ["preview", "column", "path", "state", "status", "selection", "responses"];
const OTHER: readonly SessionChange[] = ["column", "state", "selection", "responses"];

interface EditRowProps {
  session: CaseSession;
  element: Selection;
  mode: EntryMode;
}

/** One selected element: where it stands, its slider with typed entry, where the linear estimate is exact, and what it says. */
export function EditRow({ session, element, mode }: EditRowProps): ReactElement {
  const [refused, setRefused] = useState("");
  const controls = useMemo(() => new ElementControls(session, element, setRefused), [session, element]);
  useEffect(() => () => controls.dispose(), [controls]);
  const { slider } = controls;
  const { primary, name, what, baseOrNone, mw, range, unit } = slider;
  useSession(session, primary ? PRIMARY : OTHER);
  useLayoutEffect(() => {
    controls.update(mode); // its own place while a finger is on it is the same
  });
  const responds = session.capabilities.has("sensitivities");
  const said = wordsOf(session, slider, refused);
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
        <span>{changeSentence(what, baseOrNone, mw, unit)}</span>
        <span>{tellingElementValue(session, element)}</span>
      </div>
      <div className="wb-EditRow-controls">
        <div className="wb-EditRow-track">
          <Mounted node={controls.input} />
          <Mounted node={controls.band.node} />
          <div className="wb-EditRow-ends" aria-hidden="true">
            <span>{formatAmount(range.min, unit, { signed: true })}</span>
            <span>{formatPower(range.max, unit, { signed: true })}</span>
          </div>
        </div>
        <Mounted className="wb-MwEntry" node={controls.entry.node} />
        <Mounted node={controls.reset} />
      </div>
      {element.kind === "bus" ? (
        <>
          <ReactiveRow session={session} bus={element.id} />
          <UnitsAt session={session} bus={element.id} />
        </>
      ) : null}
      {element.kind === "generator" ? (
        <UnitRow session={session} id={element.id} cost={editedValue(element) === "cost"} />
      ) : null}
      <p className={said.failed ? "wb-EditRow-words wb-mod-failed" : "wb-EditRow-words"}>{said.text}</p>
      {notUnique === "" ? null : <p className="wb-EditRow-words">{notUnique}</p>}
      {primary ? <Breakpoints session={session} slider={slider} /> : null}
    </li>
  );
}

/** Which value of a generator the slider moves, and whether it is on. */
function UnitRow({ session, id, cost }: { session: CaseSession; id: number; cost: boolean }): ReactElement {
  const controls = useMemo(() => new UnitControls(session, { kind: "generator", id }), [session, id]);
  useLayoutEffect(() => controls.update(cost));
  return <Mounted node={controls.node} />;
}

/** The breakpoints of the exact path in words, as buttons that go there. */
function Breakpoints({ session, slider }: { session: CaseSession; slider: ElementSlider }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const table = new PathTable(session, (mw) => void slider.commit(mw));
    const update = (_: CaseSession, change: SessionChange): void => {
      if (change !== "preview") {
        table.update();
      }
    };
    place.current?.append(table.node);
    table.update();
    session.changed.connect(update);
    return () => {
      session.changed.disconnect(update);
      table.node.remove();
    };
  }, [session, slider]);
  return <div ref={place} />;
}

/** What a row says: of what is previewed, and of what failed, the sentence of the edit bar. */
function wordsOf(session: CaseSession, slider: ElementSlider, refused: string): Readout {
  if (refused !== "") {
    return { text: refused, failed: true };
  }
  const moved = session.previewMw !== null || session.status.kind === "failed";
  return slider.primary && moved
    ? readout(session)
    : { text: exactText(session, slider), failed: slider.problem !== null };
}

function exactText(session: CaseSession, slider: ElementSlider): string {
  const response = session.responseOf(slider.element);
  if (!session.capabilities.has("sensitivities")) {
    return "";
  }
  if (response !== null) {
    const column = response.dense?.column;
    if (column === undefined) {
      return slider.problem ?? "";
    }
    const curve = costCurveOf(session, slider.element);
    return curve === null
      ? exactSentence(column, slider.committedMw, session.opened, slider.range)
      : costCurveSentence(...curve);
  }
  const asked = session.selected.slice(-MOST_RESPONSES).some((one) => sameSelection(one, slider.element));
  return asked
    ? trans.__("Computing where the linear estimate is exact\u2026")
    : trans.__("Move its slider to see where the linear estimate is exact.");
}
