import type { ContingencyRow } from "@service/engine";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { keyedRow, rowWindow, scrolledTo } from "../map/index.ts";
import { cutOffSentence, formatCount, formatLoading, formatMw } from "../words/index.ts";
import type { CaseSession, OutageKey, SessionChange } from "../workspace/index.ts";
import { useSession } from "./useSignal.ts";

/** As in the style sheet, px. */
const ROW = 30;
const HEAD = 32;
const MOST_HEIGHT = 420;

const COLUMNS: [key: OutageKey, title: string, long: string][] = [
  ["outage", "Outage", "Branch that is out"],
  ["worst", "Worst", "Branch that is loaded most then"],
  ["loading", "Loading", "Its loading"],
  ["flow", "MW", "Its flow, MW"],
  ["overloads", "Over", "Branches above their rating"],
];

interface OutageTableProps {
  session: CaseSession;
  rows: readonly ContingencyRow[];
  sort: { key: OutageKey; descending: boolean };
  sortBy(key: OutageKey): void;
}

const FOLLOWED: readonly SessionChange[] = ["selection"];

/** Outages as a table of which only the rows on screen are in the page. Arrow keys move through it, Enter selects. */
export function OutageTable({ session, rows, sort, sortBy }: OutageTableProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const focusActive = useRef(false);
  useSession(session, FOLLOWED);
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
    scrollTo(selected); // what is selected on the map comes into view
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
  return (
    <div
      className="wb-Outages-box"
      ref={box}
      style={{ height }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={keyed}
    >
      <table aria-rowcount={rows.length + 1} aria-label="Outages">
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(([key, title, long]) => (
              <th key={key} scope="col" title={long} aria-sort={sortedBy(key, sort)}>
                <button type="button" className="wb-Button" onClick={() => sortBy(key)}>
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody onFocus={focused}>
          <Room height={shown.above} />
          {rows.slice(shown.first, shown.end).map((row, k) => (
            <Outage
              key={row.branch}
              session={session}
              row={row}
              place={shown.first + k}
              selected={shown.first + k === selected}
              focusable={shown.first + k === Math.max(shown.first, Math.min(active, shown.end - 1))}
              select={select}
            />
          ))}
          <Room height={shown.below} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are not in the page. */
function Room({ height }: { height: number }): ReactElement | null {
  return height === 0 ? null : (
    <tr aria-hidden="true" style={{ height }}>
      <td colSpan={COLUMNS.length} />
    </tr>
  );
}

interface OutageProps {
  session: CaseSession;
  row: ContingencyRow;
  place: number;
  selected: boolean;
  focusable: boolean;
  select(id: number): void;
}

function Outage({ session, row, place, selected, focusable, select }: OutageProps): ReactElement {
  const { opened } = session;
  const branch = (id: number, tab: number): ReactElement => (
    <button
      type="button"
      className="wb-Button wb-mod-link"
      tabIndex={tab}
      title={opened.nameOf("branch", id)}
      onClick={() => select(id)}
    >
      {opened.nameOf("branch", id).replace(/^line /, "")}
    </button>
  );
  const over = (row.overloads ?? 0) > 0;
  return (
    <tr
      data-row={place}
      data-branch={row.branch}
      data-kind={row.kind}
      aria-rowindex={place + 2}
      aria-selected={selected}
      className={over ? "wb-mod-over" : undefined}
    >
      <th scope="row">{branch(row.branch, focusable ? 0 : -1)}</th>
      {row.kind === "islanding" ? (
        <td colSpan={4} className="wb-mod-words" title={cutOffSentence(row, opened)}>
          {cutOffSentence(row, opened)}
        </td>
      ) : (
        <>
          <td className="wb-mod-words">{row.worst_branch === undefined ? "none" : branch(row.worst_branch, -1)}</td>
          <td>{row.worst_loading === undefined ? "" : formatLoading(row.worst_loading)}</td>
          <td>{row.worst_mw === undefined ? "" : formatMw(row.worst_mw)}</td>
          <td>{formatCount(row.overloads ?? 0)}</td>
        </>
      )}
    </tr>
  );
}

function sortedBy(key: OutageKey, sort: OutageTableProps["sort"]): "ascending" | "descending" | "none" {
  return key !== sort.key ? "none" : sort.descending ? "descending" : "ascending";
}
