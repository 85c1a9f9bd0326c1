import { type ReactElement, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  PathTable,
  changeLabel,
  changeSentence,
  totalLabel,
  changeText,
  type Readout,
  readout,
  listenSlider,
  pageFrame,
} from "../../ui/index.ts";
import {
  breakpointSentence,
  exactSentence,
  formatLoading,
  formatMw,
  formatPrice,
  priceIntervalSentence,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  ElementSlider,
  type EntryMode,
  MOST_RESPONSES,
  sameSelection,
  type Selection,
  type SessionChange,
  shareOf,
} from "../../workspace/index.ts";
import { MwEntry } from "./MwEntry.tsx";
import { useSession } from "../sections/useSignal.ts";

/** What the row of the primary element follows; the others do not move with a preview. */
const PRIMARY: readonly SessionChange[] = ["preview", "column", "path", "state", "status", "selection", "responses"];
const OTHER: readonly SessionChange[] = ["column", "state", "selection", "responses"];

interface EditRowProps {
  session: CaseSession;
  element: Selection;
  mode: EntryMode;
}

/** One selected element: where it stands, its slider with typed entry, where the first order is exact, and what it says. */
export function EditRow({ session, element, mode }: EditRowProps): ReactElement {
  const slider = useMemo(() => new ElementSlider(session, element, pageFrame), [session, element]);
  useEffect(() => () => slider.letGo(), [slider]);
  const primary = slider.primary;
  useSession(session, primary ? PRIMARY : OTHER);
  const { name, baseMw, mw, problem } = slider;
  const plain = session.opened.nameOf(element.kind, element.id);
  const label = changeLabel(element.kind, plain);
  const [refused, setRefused] = useState("");
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
            primary
              ? trans.__("The map shows how prices respond to this element")
              : trans.__("Show on the map how prices respond")
          }
          onClick={() => void session.makePrimary(element)}
        >
          {name}
        </button>
        {primary ? <span className="wb-EditRow-mark">{trans.__("on the map")}</span> : null}
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
        <span>{changeSentence(element.kind, baseMw, mw)}</span>
        <span>{valueText(session, element)}</span>
      </div>
      <div className="wb-EditRow-controls">
        <Track session={session} slider={slider} label={label} disabled={problem !== null} />
        <MwEntry
          label={mode === "value" ? totalLabel(element.kind, plain) : label}
          text={entryText(slider, mode)}
          disabled={problem !== null}
          parse={(text) => slider.typedMw(text, mode)}
          typing={() => session.forgetFailure()}
          refused={setRefused}
          commit={(to) => void slider.commit(to)}
        />
        <button
          type="button"
          className="wb-Button"
          disabled={mw === 0}
          aria-label={trans.__("Reset %1", name)}
          onClick={() => void slider.commit(0)}
        >
          {trans.__("Reset")}
        </button>
      </div>
      <p className={said.failed ? "wb-EditRow-words wb-mod-failed" : "wb-EditRow-words"}>{said.text}</p>
      {notUnique === "" ? null : <p className="wb-EditRow-words">{notUnique}</p>}
      {primary ? <Breakpoints session={session} slider={slider} /> : null}
    </li>
  );
}

interface TrackProps {
  session: CaseSession;
  slider: ElementSlider;
  label: string;
  disabled: boolean;
}

/** The slider with the band where the first order is exact, zero, and a tick for every breakpoint of the primary element. */
function Track({ session, slider, label, disabled }: TrackProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const { range, mw, exact, baseMw, primary } = slider;
  useLayoutEffect(() => {
    if (input.current !== null) {
      input.current.value = String(mw); // its own place while a finger is on it is the same
    }
  });
  useEffect(() => (input.current === null ? undefined : listenSlider(input.current, slider)), [slider]);
  const percent = (at: number): string => `${100 * shareOf(range, at)}%`;
  const [from, to] = [exact?.low ?? range.min, exact?.high ?? range.max];
  const band = { left: percent(from), width: `${100 * (shareOf(range, to) - shareOf(range, from))}%` };
  return (
    <div className="wb-EditRow-track">
      <input
        ref={input}
        className="wb-Slider"
        type="range"
        step="any"
        min={range.min}
        max={range.max}
        defaultValue={mw}
        disabled={disabled}
        aria-label={label}
        aria-valuetext={`${formatMw(mw, { signed: true })} MW, ${changeText(baseMw, mw)}`}
      />
      <div className="wb-Band" aria-hidden="true">
        {exact === null ? null : (
          <div
            className={`wb-Band-exact${exact.low === null ? " wb-mod-openLow" : ""}${exact.high === null ? " wb-mod-openHigh" : ""}`}
            style={band}
          />
        )}
        <div className="wb-Band-zero" style={{ left: percent(0) }} />
        {(primary ? (session.path?.breakpoints ?? []) : []).map((breakpoint) => (
          <i
            key={breakpoint.mw}
            className="wb-Band-tick"
            style={{ left: percent(breakpoint.mw) }}
            title={breakpointSentence(breakpoint, session.opened)}
            onClick={() => void slider.commit(breakpoint.mw)}
          />
        ))}
      </div>
      <div className="wb-EditRow-ends" aria-hidden="true">
        <span>{formatMw(range.min, { signed: true })}</span>
        <span>{formatMw(range.max, { signed: true })} MW</span>
      </div>
    </div>
  );
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

function entryText(slider: ElementSlider, mode: EntryMode): string {
  return mode === "value" ? formatMw(slider.baseMw + slider.mw) : formatMw(slider.mw, { signed: true });
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
  if (response !== null) {
    const column = response.dense?.column;
    return column === undefined ? (response.problem ?? "") : exactSentence(column, slider.committedMw, session.opened);
  }
  const asked = session.selected.slice(-MOST_RESPONSES).some((one) => sameSelection(one, slider.element));
  return asked
    ? trans.__("Computing where the first order is exact\u2026")
    : trans.__("Move its slider to see where the first order is exact.");
}

function valueText({ store, opened }: CaseSession, element: Selection): string {
  const row = opened.rowOf(element);
  if (element.kind === "bus") {
    const price = `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`;
    return store.previewing ? trans.__("%1, preview", price) : price;
  }
  const { flow_mw, loading } = store.columns;
  return `${formatMw(flow_mw[row] ?? NaN)} MW, ${formatLoading(loading[row] ?? NaN)}`;
}
