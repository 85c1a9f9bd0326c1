import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { keyedRow, rowWindow, scrolledTo } from "../../ui/index.ts";
import {
  cutOffSentence,
  errorText,
  newOverloadSentence,
  formatCount,
  formatLoading,
  formatMw,
  formatPerUnit,
  formatPoints,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  isOfAc,
  type Outage,
  type OutageKey,
  type SessionChange,
  wasAtLimit,
} from "../../workspace/index.ts";
import { useSession, useSignal } from "../../ui/useSignal.ts";

/** Row height in the style sheet, px. */
const ROW = 46;
const HEAD = 46;
const MOST_HEIGHT = 460;

interface Head {
  key: OutageKey;
  title: string;
  long: string;
}

/**
 * Column heads. The first column names the outage and below it the branch that it loads most; AC power flows have their
 * DC estimate and voltages too.
 */
function heads(isAc: boolean): Head[][] {
  return [
    [
      { key: "outage", title: trans.__("Outage"), long: trans.__("Branch out of service") },
      { key: "worst", title: trans.__("Loads most"), long: trans.__("Most loaded branch after the outage") },
    ],
    [
      {
        key: "new",
        title: trans.__("New"),
        long: trans.__("Branches above their rating after the outage that were not previously overloaded or binding"),
      },
      {
        key: "overloads",
        title: trans.__("Over"),
        long: trans.__("All branches above their rating after the outage"),
      },
    ],
    [
      { key: "loading", title: trans.__("After"), long: trans.__("Loading of that branch after the outage") },
      ...(isAc
        ? ([
            {
              key: "estimate",
              title: trans.__("DC"),
              long: trans.__("Highest loading by distribution factors, with the reactive flows before the outage"),
            },
          ] as const)
        : []),
    ],
    [{ key: "rise", title: trans.__("Rise"), long: trans.__("Increase caused by the outage, percentage points") }],
    [{ key: "before", title: trans.__("Before"), long: trans.__("Loading of that branch before the outage") }],
    isAc
      ? [{ key: "flow", title: "MVA", long: trans.__("Its apparent power after the outage, MVA") }]
      : [{ key: "flow", title: "MW", long: trans.__("Its flow after the outage, MW") }],
    ...(isAc ? voltageHeads() : []),
  ];
}

function voltageHeads(): Head[][] {
  return [
    [
      { key: "lowest", title: trans.__("Lowest"), long: trans.__("Lowest voltage after the outage, per unit") },
      { key: "highest", title: trans.__("Highest"), long: trans.__("Highest voltage after the outage, per unit") },
    ],
    [
      {
        key: "newViolations",
        title: trans.__("New"),
        long: trans.__("Buses beyond a voltage limit after the outage that were within their limits before"),
      },
      {
        key: "violations",
        title: trans.__("Beyond"),
        long: trans.__("All buses beyond a voltage limit after the outage"),
      },
    ],
  ];
}

interface OutageTableProps {
  session: CaseSession;
  rows: readonly Outage[];
  sort: { key: OutageKey; descending: boolean };
  sortBy(key: OutageKey): void;
}

const FOLLOWED: readonly SessionChange[] = ["selection"];

/** Outages as a virtualised table. Arrow keys move through it, Enter selects. */
export function OutageTable({ session, rows, sort, sortBy }: OutageTableProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const focusActive = useRef(false);
  useSession(session, FOLLOWED);
  useSignal(session.outage.changed);
  const height = Math.min(MOST_HEIGHT, HEAD + ROW * rows.length);
  const shown = rowWindow(rows.length, ROW, top, height);
  const { selection } = session;
  const selected = selection?.kind === "branch" ? rows.findIndex(({ branch }) => branch === selection.id) : -1;

  const scrollTo = (row: number): void => {
    if (box.current !== null && row >= 0) {
      box.current.scrollTop = scrolledTo(row, ROW, box.current.scrollTop, height, HEAD);
    }
  };
  useEffect(() => {
    scrollTo(selected); // brings the element selected on the map into view
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when another element is selected, not at every sort
  }, [selection]);
  useLayoutEffect(() => {
    if (focusActive.current) {
      focusActive.current = false;
      box.current?.querySelector<HTMLElement>(`tr[data-row="${active}"] button`)?.focus({ preventScroll: true });
    }
  }, [active, top]);

  const keyed = (event: KeyboardEvent): void => {
    const next = keyedRow(active, rows.length, event.key, Math.floor((height - HEAD) / ROW) - 1);
    if (next !== null && (event.target as HTMLElement).closest("tbody") !== null) {
      event.preventDefault();
      focusActive.current = true;
      setActive(next);
      scrollTo(next);
      setTop(box.current?.scrollTop ?? 0);
    }
  };
  const focused = ({ target }: FocusEvent<HTMLElement>): void => {
    const row = target.closest("tr")?.dataset["row"];
    if (row !== undefined) {
      setActive(Number(row));
    }
  };
  const select = (id: number): void => void session.select({ kind: "branch", id });
  const isAc = rows.some(isOfAc);
  const columns = heads(isAc);
  return (
    <div
      className="wb-Outages-box"
      ref={box}
      style={{ height }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={keyed}
    >
      <table
        className={isAc ? "wb-mod-voltages" : undefined}
        aria-rowcount={rows.length + 1}
        aria-label={trans.__("Outages")}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column[0]?.key} scope="col" aria-sort={sortedBy(column, sort)}>
                {column.map(({ key, title, long }) => (
                  <button
                    key={key}
                    type="button"
                    className="wb-Button"
                    title={long}
                    data-sorted={key !== sort.key ? "no" : sort.descending ? "down" : "up"}
                    onClick={() => sortBy(key)}
                  >
                    {title}
                  </button>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onFocus={focused}>
          <Room height={shown.above} columns={columns.length} />
          {rows.slice(shown.first, shown.end).map((row, k) => (
            <OutageRow
              key={row.branch}
              session={session}
              row={row}
              place={shown.first + k}
              selected={shown.first + k === selected}
              focusable={shown.first + k === Math.max(shown.first, Math.min(active, shown.end - 1))}
              select={select}
              columns={columns.length}
            />
          ))}
          <Room height={shown.below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Spacer for the rows outside the page. */
function Room({ height, columns }: { height: number; columns: number }): ReactElement | null {
  return height === 0 ? null : (
    <tr aria-hidden="true" style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}

interface OutageRowProps {
  session: CaseSession;
  row: Outage;
  place: number;
  selected: boolean;
  focusable: boolean;
  select(id: number): void;
  columns: number;
}

function OutageRow({ session, row, place, selected, focusable, select, columns }: OutageRowProps): ReactElement {
  const { opened } = session;
  const link = (id: number, tab: number, title: string, text: string): ReactElement => (
    <button type="button" className="wb-Button wb-mod-link" tabIndex={tab} title={title} onClick={() => select(id)}>
      {text}
    </button>
  );
  const branch = (id: number, tab: number): ReactElement =>
    link(id, tab, opened.nameOf("branch", id), shortName(id, opened));
  const over = (row.overloads ?? 0) > 0;
  const count = formatCount(row.new_overloads ?? 0);
  const flow = row.worst_mva ?? row.worst_mw;
  const added = newOverloadSentence(row, opened);
  const unsolved = row.kind !== "loading";
  const second = unsolved ? (
    <span title={unsolvedText(row, opened)}>{unsolvedText(row, opened)}</span>
  ) : row.worst_branch === undefined ? (
    <span>{trans.__("no other branch is loaded")}</span>
  ) : (
    branch(row.worst_branch, -1)
  );
  return (
    <tr
      data-row={place}
      data-branch={row.branch}
      data-kind={row.kind}
      aria-rowindex={place + 2}
      aria-selected={selected}
      className={over ? "wb-mod-over" : undefined}
    >
      <th scope="row" colSpan={unsolved ? columns : 1}>
        <div className="wb-Outages-out">{branch(row.branch, focusable ? 0 : -1)}</div>
        <div className="wb-Outages-worst">{second}</div>
      </th>
      {unsolved ? null : (
        <>
          <td className={(row.new_overloads ?? 0) > 0 ? "wb-Outages-new wb-mod-some" : "wb-Outages-new"}>
            <div title={added}>
              {row.worst_new_overload === undefined ? count : link(row.worst_new_overload.branch, -1, added, count)}
            </div>
            <div className="wb-Outages-all">{formatCount(row.overloads ?? 0)}</div>
          </td>
          <td className="wb-Outages-after">
            {row.worst_loading === undefined ? null : (
              <ShowAfter session={session} branch={row.branch} text={formatLoading(row.worst_loading)} />
            )}
            {row.estimated_loading === undefined ? null : (
              <div className="wb-Outages-all">{formatLoading(row.estimated_loading)}</div>
            )}
          </td>
          <td>{row.loading_rise === undefined ? "" : formatPoints(row.loading_rise)}</td>
          <td {...(wasAtLimit(row) && { className: "wb-mod-full", title: trans.__("At its limit before the outage") })}>
            {row.worst_base_loading === undefined ? "" : formatLoading(row.worst_base_loading)}
          </td>
          <td>{flow === undefined ? "" : formatMw(flow)}</td>
          {isOfAc(row) ? <VoltageCells session={session} row={row} /> : null}
        </>
      )}
    </tr>
  );
}

/** Why an outage has no flows. */
function unsolvedText(row: Outage, opened: CaseSession["opened"]): string {
  switch (row.kind) {
    case "islanding":
      return cutOffSentence(row, opened);
    case "not_converged":
      return trans.__("no AC power flow was found after it");
    default:
      return trans.__("loads a line to %1 by the DC estimate; not solved", formatLoading(row.estimated_loading ?? NaN));
  }
}

/** The lowest and highest voltage after an outage, and the buses beyond their limits. */
function VoltageCells({ session, row }: { session: CaseSession; row: Outage }): ReactElement {
  const at = (bus: number | undefined, pu: number | undefined): ReactElement | null =>
    bus === undefined || pu === undefined ? null : (
      <button
        type="button"
        className="wb-Button wb-mod-link"
        tabIndex={-1}
        title={session.opened.nameOf("bus", bus)}
        onClick={() => void session.select({ kind: "bus", id: bus })}
      >
        {formatPerUnit(pu)}
      </button>
    );
  const added = row.new_voltage_violations ?? 0;
  return (
    <>
      <td>
        <div>{at(row.lowest_voltage_bus, row.lowest_voltage_pu)}</div>
        <div>{at(row.highest_voltage_bus, row.highest_voltage_pu)}</div>
      </td>
      <td className={added > 0 ? "wb-Outages-new wb-mod-some" : "wb-Outages-new"}>
        <div>{formatCount(added)}</div>
        <div className="wb-Outages-all">{formatCount(row.voltage_violations ?? 0)}</div>
      </td>
    </>
  );
}

/** The loading after an outage, as a toggle that shows all flows after the outage on the map. */
function ShowAfter({ session, branch, text }: { session: CaseSession; branch: number; text: string }): ReactElement {
  const [problem, setProblem] = useState("");
  const shown = session.outage.shown?.branch === branch;
  if (!session.showsLive) {
    return <>{text}</>; // the flows on the map are not those of the screened state
  }
  const toggle = (): void => {
    setProblem("");
    if (shown) {
      session.outage.end();
    } else {
      session.outage.show(branch).catch((error: unknown) => setProblem(errorText(error, session.opened)));
    }
  };
  return (
    <>
      <button
        type="button"
        className="wb-Button wb-mod-link"
        tabIndex={-1}
        aria-pressed={shown}
        title={trans.__("Show the flows after this outage on the map")}
        onClick={toggle}
      >
        {text}
      </button>
      {problem === "" ? null : <span role="alert">{problem}</span>}
    </>
  );
}

/** The number of a branch and its ends, for a narrow column. */
function shortName(id: number, opened: CaseSession["opened"]): string {
  const branch = opened.branches[opened.branchRow(id)];
  return branch === undefined
    ? String(id)
    : trans.__("%1 %2 to %3", String(id), opened.placeOf(branch.from), opened.placeOf(branch.to));
}

function sortedBy(column: readonly Head[], sort: OutageTableProps["sort"]): "ascending" | "descending" | "none" {
  return !column.some(({ key }) => key === sort.key) ? "none" : sort.descending ? "descending" : "ascending";
}
