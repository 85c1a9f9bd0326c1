import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactElement, useRef, useState } from "react";
import { errorText, formatCount, formatMoney, formulationName, trans } from "../../text/index.ts";
import {
  type CaseSession,
  type CommittedState,
  type SessionChange,
  type StateLane,
  stateLanes,
} from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { Lanes } from "./Lanes.tsx";
import { NameEntry, NoteEntry } from "./stateEntries.tsx";
import { type StateMark, StateMarks } from "./StateMarks.tsx";
import { useSession, useSignalLater } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "status"];

/** Number of states rendered initially. */
const FIRST_STATES = 30;

/**
 * The saved states as a tree, the latest first: which is inspected, recommended or applied, with names, notes and the
 * commands for each.
 */
export function HistorySection({ session }: { session: CaseSession }): ReactElement {
  useSignalLater(session.history.changed);
  const count = session.history.states.length;
  return (
    <Section
      id="history"
      title={trans.__("History")}
      note={trans._n("%2 state", "%2 states", count, formatCount(count))}
    >
      <States session={session} />
    </Section>
  );
}

function States({ session }: { session: CaseSession }): ReactElement {
  useSignalLater(session.history.changed);
  useSession(session, FOLLOWED);
  const [most, setMost] = useState(FIRST_STATES);
  const [problem, setProblem] = useState("");
  const { states, current, recommended, undoable, redoable } = session.history;
  const inspected = session.inspection.state;
  const busy = session.status.kind === "solving" || session.status.kind === "waiting";
  const fixed = busy || inspected !== null;
  const lanes = stateLanes(states.toReversed());
  // The status reports failures.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  const show = (id: number): void => {
    setProblem("");
    session.inspection.show(id).catch((error: unknown) => setProblem(errorText(error, session.opened)));
  };
  const shown = states.toReversed().slice(0, most);
  const left = states.length - shown.length;
  return (
    <>
      <div className="wb-History-controls">
        <button
          type="button"
          className="wb-Button"
          disabled={undoable === null || fixed}
          title={
            undoable === null ? trans.__("Nothing to undo") : trans.__("Undo: %1", session.stepText(undoable.event))
          }
          onClick={() => quietly(session.undo())}
        >
          {trans.__("Undo")}
        </button>
        <button
          type="button"
          className="wb-Button"
          disabled={redoable === null || fixed}
          title={
            redoable === null ? trans.__("Nothing to redo") : trans.__("Redo: %1", session.stepText(redoable.event))
          }
          onClick={() => quietly(session.redo())}
        >
          {trans.__("Redo")}
        </button>
      </div>
      {problem === "" ? null : (
        <p role="alert" className="wb-mod-failed">
          {problem}
        </p>
      )}
      <ol className="wb-History" reversed aria-label={trans.__("States, latest first")}>
        {shown.map((state, k) => (
          <StateRow
            key={state.id}
            session={session}
            state={state}
            base={states[0] ?? state}
            lanes={lanes[k]}
            marks={{
              applied: state.id === current.id,
              inspecting: state.id === inspected?.id,
              recommended: state.id === recommended?.id,
            }}
            busy={busy}
            inspect={() => show(state.id)}
            open={() => quietly(session.goTo(state.id))}
          />
        ))}
      </ol>
      {left === 0 ? null : (
        <button type="button" className="wb-Button" onClick={() => setMost(most + FIRST_STATES)}>
          {trans.__("Show %1 more", formatCount(Math.min(left, FIRST_STATES)))}
        </button>
      )}
    </>
  );
}

interface StateRowProps {
  session: CaseSession;
  state: CommittedState;
  base: CommittedState;
  lanes: StateLane | undefined;
  marks: Record<StateMark, boolean>;
  busy: boolean;
  inspect(): void;
  open(): void;
}

function StateRow({ session, state, base, lanes, marks, busy, inspect, open }: StateRowProps): ReactElement {
  const [writing, setWriting] = useState<"name" | "note" | null>(null);
  const name = session.stateName(state);
  const row = useRef<HTMLLIElement>(null);
  const done = (what: "name" | "note", text: string | null): void => {
    if (text !== null && what === "name") {
      session.history.rename(state.id, text);
    } else if (text !== null) {
      session.history.annotate(state.id, text);
    }
    setWriting(null);
    requestAnimationFrame(() => row.current?.querySelector("summary")?.focus());
  };
  const { inspecting, applied } = marks;
  const shown = inspecting || (applied && session.showsLive);
  const { model, cost, moved } = costWords(state, base);
  const words = [
    session.stepText(state.event),
    ...[model, cost, moved].filter((part) => part !== ""),
    ...(state.remote ? [trans.__("from the kernel")] : []),
    new Date(state.at).toTimeString().slice(0, 8),
  ];
  return (
    <li ref={row} aria-current={shown} data-state={state.id}>
      {lanes === undefined ? null : <Lanes lane={lanes} />}
      <div className="wb-History-head" title={words.join(", ")}>
        {writing === "name" ? (
          <NameEntry
            label={trans.__("Name of the state %1", name)}
            text={state.name ?? ""}
            done={(text) => done("name", text)}
          />
        ) : (
          <span className="wb-History-name">{name}</span>
        )}
        <StateMarks marks={marks} />
        <span className="wb-History-words">{model}</span>
        <span className="wb-History-cost">{cost}</span>
        <details className="wb-History-menu" onBlur={closeOutside} onKeyDown={closeByKey}>
          <summary aria-label={trans.__("Actions for the state %1", name)} title={trans.__("Actions")}>
            {"\u22ef"}
          </summary>
          <div className="wb-History-actions" onClick={closeMenu}>
            <p>{words.join(", ")}</p>
            {inspecting ? (
              <button type="button" className="wb-Button" onClick={() => session.inspection.end()}>
                {trans.__("Stop inspecting")}
              </button>
            ) : (
              <button
                type="button"
                className="wb-Button"
                disabled={applied || busy}
                aria-label={trans.__("Inspect the state %1", name)}
                title={applied ? trans.__("It is the live state") : trans.__("Show it; the live state does not change")}
                onClick={inspect}
              >
                {trans.__("Inspect")}
              </button>
            )}
            {state.revision === null ? null : (
              <button
                type="button"
                className="wb-Button"
                disabled={applied || busy}
                aria-label={trans.__("Restore this state: %1", name)}
                title={
                  applied
                    ? trans.__("It is the live state")
                    : trans.__("Make this the live state: the next change starts from it")
                }
                onClick={open}
              >
                {trans.__("Restore this state")}
              </button>
            )}
            <button
              type="button"
              className="wb-Button"
              disabled={writing !== null}
              aria-label={trans.__("Rename the state %1", name)}
              onClick={() => setWriting("name")}
            >
              {trans.__("Rename")}
            </button>
            <button
              type="button"
              className="wb-Button"
              disabled={writing !== null}
              aria-label={trans.__("Write a note on the state %1", name)}
              onClick={() => setWriting("note")}
            >
              {trans.__("Note")}
            </button>
          </div>
        </details>
      </div>
      {writing === "note" ? (
        <NoteEntry
          label={trans.__("Note on the state %1", name)}
          text={state.note ?? ""}
          done={(text) => done("note", text)}
        />
      ) : state.note === null ? null : (
        <p className="wb-History-note">{state.note}</p>
      )}
    </li>
  );
}

/** Closes the menu of a state after a choice. */
function closeMenu(event: MouseEvent<HTMLElement>): void {
  if ((event.target as HTMLElement).closest("button") !== null) {
    event.currentTarget.closest("details")?.removeAttribute("open");
  }
}

/** Closes the menu when the focus leaves it, and on Escape. */
function closeOutside({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) {
    currentTarget.open = false;
  }
}

function closeByKey(event: KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key === "Escape" && event.currentTarget.open) {
    event.stopPropagation();
    event.currentTarget.open = false;
    event.currentTarget.querySelector("summary")?.focus();
  }
}

/** The name of the formulation where it differs from that of the base case, the cost, and its difference to that case. */
function costWords(
  { objective, formulation }: CommittedState,
  base: CommittedState,
): Record<"model" | "cost" | "moved", string> {
  const model = formulation === base.formulation ? "" : formulationName(formulation);
  const cost = objective === null ? "" : trans.__("%1 $/h", formatMoney(objective));
  const change = (objective ?? NaN) - (base.objective ?? NaN);
  const isMoved = model === "" && Number.isFinite(change) && change !== 0;
  const moved = isMoved ? trans.__("%1 from the base case", formatMoney(change, { signed: true })) : "";
  return { model, cost, moved };
}
