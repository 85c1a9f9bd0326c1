import { type ReactElement, useEffect, useMemo, useState } from "react";
import { compareTable } from "../../tables/compareTables.ts";
import type { TableViewOptions } from "../../tables/tableView.ts";
import {
  errorText,
  formatError,
  formatMoney,
  formatPrice,
  formatShare,
  isSamePrice,
  previewErrorText,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  type CommittedState,
  PRICE_CHANGE,
  type QuantityTable,
  type Reconciliation,
  relativeError,
  type SessionChange,
} from "../../workspace/index.ts";
import type { OpenLarge } from "../sections/largeView.ts";
import { Section } from "../sections/Section.tsx";
import { FormulationTable } from "./FormulationTable.tsx";
import { StateChoice } from "./StateChoice.tsx";
import { TableFrame } from "../sections/TableFrame.tsx";
import { useSession, useSignalLater } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "selection", "reference", "status"];

interface CompareProps {
  session: CaseSession;
  openLarge?: OpenLarge | undefined;
}

/** Compares the last preview with the exact result, and one committed state with another. */
export function CompareSection({ session, openLarge }: CompareProps): ReactElement {
  return (
    <Section id="compare" title={trans.__("Compare")}>
      {session.capabilities.has("sensitivities") ? <PreviewAgainstExact session={session} /> : null}
      <FormulationTable session={session} />
      <States session={session} openLarge={openLarge} />
    </Section>
  );
}

function PreviewAgainstExact({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const { reconciled } = session.state;
  return (
    <>
      <h4>{trans.__("Preview and exact result")}</h4>
      {reconciled === null ? (
        <p className="wb-Panel-hint">
          {trans.__("Move a slider and release it to compare its preview with the exact result.")}
        </p>
      ) : (
        <Reconciled session={session} difference={reconciled} />
      )}
    </>
  );
}

function Reconciled({ session, difference }: { session: CaseSession; difference: Reconciliation }): ReactElement {
  const name = (row: number): string => session.opened.nameOf("bus", session.opened.busId(row));
  const relative = relativeError(difference);
  return (
    <table className="wb-Compare-preview">
      <caption>
        {difference.mode === "exact"
          ? trans.__("Exact path at %1", name(difference.row))
          : trans.__("Linear estimate at %1", name(difference.row))}
      </caption>
      <tbody>
        <tr>
          <th scope="row">{trans.__("Price before")}</th>
          <td>{formatPrice(difference.before)} $/MWh</td>
        </tr>
        <tr>
          <th scope="row">{trans.__("Preview")}</th>
          <td>{formatPrice(difference.preview)} $/MWh</td>
        </tr>
        <tr>
          <th scope="row">{trans.__("Exact")}</th>
          <td>{formatPrice(difference.exact)} $/MWh</td>
        </tr>
        <tr>
          <th scope="row">{trans.__("Absolute error")}</th>
          <td>{isSamePrice(difference) ? trans.__("preview = exact") : `${previewErrorText(difference)} $/MWh`}</td>
        </tr>
        <tr>
          <th scope="row">{trans.__("Relative error")}</th>
          <td>
            {relative === null
              ? trans.__("not defined (exact change is zero)")
              : trans.__("%1 of the change", formatShare(relative))}
          </td>
        </tr>
        <tr>
          <th scope="row">{trans.__("Largest error at a bus")}</th>
          <td>
            {difference.worst.row < 0
              ? trans.__("none")
              : trans.__("%1 $/MWh at %2", formatError(difference.worst.usdPerMwh), name(difference.worst.row))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function States({ session, openLarge }: CompareProps): ReactElement {
  useSignalLater(session.history.changed);
  useSession(session, FOLLOWED);
  const { states, current } = session.history;
  const [chosen, setChosen] = useState<{ from: number; to: number | null }>({ from: 0, to: null });
  if (states.length < 2) {
    return (
      <>
        <h4>{trans.__("Two states compared")}</h4>
        <p className="wb-Panel-hint">{trans.__("The base case is the only state. Commit a change to add one.")}</p>
      </>
    );
  }
  const byId = (id: number | null): CommittedState => states.find((state) => state.id === id) ?? current;
  const [from, to] = [byId(chosen.from), byId(chosen.to)];
  return (
    <>
      <h4>{trans.__("Two states compared")}</h4>
      <div className="wb-Compare-states">
        <StateChoice
          label={trans.__("From")}
          states={states}
          name={(state) => session.stateName(state)}
          value={from}
          choose={(id) => setChosen({ ...chosen, from: id })}
        />
        <StateChoice
          label={trans.__("To")}
          states={states}
          name={(state) => session.stateName(state)}
          value={to}
          choose={(id) => setChosen({ ...chosen, to: id === current.id ? null : id })}
        />
      </div>
      {from.objective === null || to.objective === null ? null : (
        <p>
          {trans.__(
            "Objective %1 \u2192 %2 $/h, %3 $/h.",
            formatMoney(from.objective),
            formatMoney(to.objective),
            formatMoney(to.objective - from.objective, { signed: true }),
          )}
        </p>
      )}
      <StateControls session={session} from={from} to={to} />
      <Differences session={session} from={from} to={to} openLarge={openLarge} />
    </>
  );
}

interface BetweenStates {
  session: CaseSession;
  from: CommittedState;
  to: CommittedState;
}

/** Controls for two states: show their difference on the map, or go back to the first. */
function StateControls({ session, from, to }: BetweenStates): ReactElement {
  const [problem, setProblem] = useState("");
  const { current } = session.history;
  const run = async (work: () => Promise<void>): Promise<void> => {
    try {
      setProblem("");
      await work();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const show = (): Promise<void> =>
    run(async () => {
      await session.setReference(from);
      session.showQuantity(PRICE_CHANGE);
    });
  const goTo = (state: CommittedState): Promise<void> => run(() => session.goTo(state.id));
  return (
    <div className="wb-Compare-controls">
      {session.capabilities.has("prices") ? (
        <button
          type="button"
          className="wb-Button"
          disabled={to.id !== current.id || from.id === to.id}
          title={
            to.id === current.id
              ? trans.__("Colour the map by the change of the prices")
              : trans.__("Choose the state on the map as To")
          }
          onClick={() => void show()}
        >
          {trans.__("Show the change on the map")}
        </button>
      ) : null}
      <button
        type="button"
        className="wb-Button"
        disabled={from.id === current.id || from.revision === null}
        title={trans.__("Commit the edits of: %1", session.stepText(from.event))}
        onClick={() => void goTo(from)}
      >
        {trans.__("Go to \u201cFrom\u201d")}
      </button>
      <span role="status" className="wb-mod-failed">
        {problem}
      </span>
    </div>
  );
}

function Differences({
  session,
  from,
  to,
  openLarge,
}: BetweenStates & { openLarge?: OpenLarge | undefined }): ReactElement {
  const columns = useColumns(session, from, to);
  const options = useMemo(
    (): TableViewOptions | null =>
      columns === null || "problem" in columns
        ? null
        : {
            tables: (of, kind) => compareTable(of, kind, columns.before, columns.after),
            name: trans.__("%1 %2 to %3", session.caseName, session.stateName(from), session.stateName(to)),
          },
    [session, columns, from, to],
  );
  if (columns !== null && "problem" in columns) {
    return <p className="wb-mod-failed">{columns.problem}</p>;
  }
  return options === null ? (
    <p role="status">{trans.__("Solving the two states again\u2026")}</p>
  ) : (
    <TableFrame
      session={session}
      options={options}
      title={trans.__("Changes %1 to %2", from.id, to.id)}
      openLarge={openLarge}
    />
  );
}

type TwoColumns = { before: QuantityTable; after: QuantityTable } | { problem: string };

/** The columns of two states once they are available. */
function useColumns(session: CaseSession, from: CommittedState, to: CommittedState): TwoColumns | null {
  const [found, setFound] = useState<{ of: string; columns: TwoColumns } | null>(null);
  const of = `${from.id} ${to.id}`;
  useEffect(() => {
    let gone = false;
    const fetch = async (): Promise<TwoColumns> => {
      try {
        const before = await session.history.columnsOf(from);
        return { before, after: await session.history.columnsOf(to) };
      } catch (error) {
        return { problem: errorText(error) };
      }
    };
    void fetch().then((columns) => {
      if (!gone) {
        setFound({ of, columns });
      }
    });
    return () => {
      gone = true;
    };
  }, [session, from, to, of]);
  return found?.of === of ? found.columns : null;
}
