import { type ReactElement, useEffect, useRef, useState } from "react";
import { formatCount, formatMoney, formulationName, trans } from "../../text/index.ts";
import { type CaseSession, type CommittedState, type SessionChange } from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { useSession, useSignalLater } from "../sections/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "status"];

/** States that are rendered before somebody asks for more. */
const FIRST_STATES = 30;

/** The committed states, the latest first: which one is shown, their names, and the way back to each. */
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
  const { states, current, undoable, redoable } = session.history;
  const busy = session.status.kind === "solving" || session.status.kind === "waiting";
  // Failures are told by the status.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  const shown = states.toReversed().slice(0, most);
  const left = states.length - shown.length;
  return (
    <>
      <div className="wb-History-controls">
        <button
          type="button"
          className="wb-Button"
          disabled={undoable === null || busy}
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
          disabled={redoable === null || busy}
          title={
            redoable === null ? trans.__("Nothing to redo") : trans.__("Redo: %1", session.stepText(redoable.event))
          }
          onClick={() => quietly(session.redo())}
        >
          {trans.__("Redo")}
        </button>
      </div>
      <ol className="wb-History" reversed aria-label={trans.__("States, the latest first")}>
        {shown.map((state) => (
          <StateRow
            key={state.id}
            session={session}
            state={state}
            base={states[0] ?? state}
            current={state.id === current.id}
            busy={busy}
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
  current: boolean;
  busy: boolean;
  open(): void;
}

function StateRow({ session, state, base, current, busy, open }: StateRowProps): ReactElement {
  const [naming, setNaming] = useState(false);
  const name = session.stateName(state);
  const button = useRef<HTMLButtonElement>(null);
  const done = (text: string | null): void => {
    if (text !== null) {
      session.history.rename(state.id, text);
    }
    setNaming(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <li aria-current={current} data-state={state.id}>
      <div className="wb-History-head">
        {naming ? (
          <NameEntry label={trans.__("Name of the state %1", name)} text={state.name ?? ""} done={done} />
        ) : (
          <span className="wb-History-name">{name}</span>
        )}
        {current ? <span className="wb-EditRow-mark">{trans.__("shown now")}</span> : null}
      </div>
      <div className="wb-History-words">
        {state.name === null ? null : <span>{session.stepText(state.event)}</span>}
        <span>{costWords(state, base)}</span>
        {state.remote ? <span>{trans.__("from the kernel")}</span> : null}
        <time dateTime={new Date(state.at).toISOString()}>{new Date(state.at).toTimeString().slice(0, 8)}</time>
      </div>
      <div className="wb-History-controls">
        <button
          type="button"
          className="wb-Button"
          disabled={current || busy}
          aria-label={trans.__("Open the state %1", name)}
          title={current ? trans.__("It is the one that is shown") : trans.__("Show this state again")}
          onClick={open}
        >
          {trans.__("Open")}
        </button>
        <button
          ref={button}
          type="button"
          className="wb-Button"
          disabled={naming}
          aria-label={trans.__("Rename the state %1", name)}
          onClick={() => setNaming(true)}
        >
          {trans.__("Rename")}
        </button>
      </div>
    </li>
  );
}

/** The cost of a state, and how far it is from that of the base case; the name of its formulation where that is another one. */
function costWords({ objective, formulation }: CommittedState, base: CommittedState): string {
  const model = formulation === base.formulation ? [] : [formulationName(formulation)];
  const cost = objective === null ? [] : [trans.__("%1 $/h", formatMoney(objective))];
  const change = (objective ?? NaN) - (base.objective ?? NaN);
  const moved =
    model.length > 0 || !Number.isFinite(change) || change === 0
      ? []
      : [trans.__("%1 from the base case", formatMoney(change, { signed: true }))];
  return [...model, ...cost, ...moved].join(", ");
}

interface NameEntryProps {
  label: string;
  text: string;
  /** Called with the name, or with null to leave it as it was. */
  done(text: string | null): void;
}

/** A name that is typed in place: Enter or leaving the field takes it, Escape leaves it as it was. */
function NameEntry({ label, text, done }: NameEntryProps): ReactElement {
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => input.current?.select(), []);
  const end = (name: string | null): void => {
    if (!ended.current) {
      ended.current = true;
      done(name);
    }
  };
  return (
    <input
      ref={input}
      type="text"
      className="wb-Entry wb-History-entry"
      aria-label={label}
      placeholder={trans.__("Name")}
      maxLength={120}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => end(typed)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          end(event.key === "Enter" ? typed : null);
        }
      }}
    />
  );
}
