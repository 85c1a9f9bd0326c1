import { type ReactElement, useMemo, useState } from "react";
import { copyText, downloadFile } from "../../files/index.ts";
import { formatCount, outagesSentence, trans } from "../../text/index.ts";
import {
  type CaseSession,
  countOutages,
  fileName,
  isOfAc,
  type IWorkspace,
  type Outage,
  type OutageFilter,
  type OutageKey,
  outagesCsv,
  securityOffer,
  type SessionChange,
  sortedOutages,
  worstOutage,
} from "../../workspace/index.ts";
import { OutageTable } from "./OutageTable.tsx";
import { OffersFrame } from "../sections/OffersFrame.tsx";
import { RunProgress } from "../sections/RunProgress.tsx";
import { useIntoView } from "../sections/useIntoView.ts";
import { useSession, useSignal } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state"];

/** N-1: the branch that each single outage loads most, and its voltages in an AC power flow, at the displayed state. */
export function OutageSection({ session, workspace }: { session: CaseSession; workspace: IWorkspace }): ReactElement {
  const screen = session.outages;
  useSignal(screen.changed);
  useSession(session, FOLLOWED);
  const { state } = screen;
  const running = state.kind === "running";
  const place = useIntoView<HTMLParagraphElement>(running, state.kind === "done");
  const offer = session.options.security === undefined ? securityOffer(session) : null;
  const outdated = state.kind === "done" && !screen.isOf(session.live.edits);
  return (
    <div className="wb-Outages" data-state={state.kind}>
      <div className="wb-Run-controls">
        <button type="button" className="wb-Button" disabled={running} onClick={() => void screen.run()}>
          {state.kind === "done" ? trans.__("Run N-1 again") : trans.__("Run N-1")}
        </button>
        <RunProgress run={screen} label={trans.__("Outages screened")} />
      </div>
      <p ref={place} role="status" className={state.kind === "failed" ? "wb-mod-failed" : undefined}>
        {outagesText(session)}
      </p>
      {outdated ? (
        <p className="wb-Run-old">{trans.__("These outages belong to the state before the last change.")}</p>
      ) : null}
      {state.kind === "done" && state.rows.length > 0 ? <Outages session={session} rows={state.rows} /> : null}
      {state.kind === "done" && offer !== null ? <OffersFrame offers={[offer]} workspace={workspace} /> : null}
    </div>
  );
}

/** Text of the live region: start and end only, not every step. */
function outagesText(session: CaseSession): string {
  const { state } = session.outages;
  switch (state.kind) {
    case "none":
      return session.formulation === "acpf"
        ? trans.__("Flows and voltages after the outage of each line, with dispatch and demand fixed.")
        : trans.__("Flows after the outage of each line, with dispatch and demand fixed.");
    case "running":
      return trans.__("Screening\u2026");
    case "failed":
      return state.message;
    case "done":
      return state.rows.length === 0
        ? trans.__("No branch is in service.")
        : outagesSentence(countOutages(state.rows), worstOutage(state.rows), session.opened);
  }
}

function filters(isAc: boolean, failed: number): [filter: Exclude<OutageFilter, "all">, title: string][] {
  return [
    ["loading", trans.__("Connected")],
    ["overloads", trans.__("Overloads")],
    ...(isAc ? [["voltages", trans.__("Voltages")] as ["voltages", string]] : []),
    ["islanding", trans.__("Islanding")],
    ...(failed > 0 ? [["not_converged", trans.__("Unsolved")] as ["not_converged", string]] : []),
  ];
}

function Outages({ session, rows }: { session: CaseSession; rows: readonly Outage[] }): ReactElement {
  const [sort, setSort] = useState<{ key: OutageKey; descending: boolean }>({ key: "loading", descending: true });
  const [filter, setFilter] = useState<OutageFilter>("loading"); // islanding outages are listed under another filter
  const [copied, setCopied] = useState("");
  const counts = useMemo(() => countOutages(rows), [rows]);
  const listed = useMemo(() => sortedOutages(rows, sort.key, sort.descending, filter), [rows, sort, filter]);
  const sortBy = (key: OutageKey): void =>
    setSort(key === sort.key ? { key, descending: !sort.descending } : { key, descending: key !== "outage" });
  const copy = async (): Promise<void> => {
    try {
      await copyText(outagesCsv(listed, session.opened));
      setCopied(trans._n("%2 row copied", "%2 rows copied", listed.length, formatCount(listed.length)));
    } catch (error) {
      setCopied(error instanceof Error ? error.message : String(error));
    }
  };
  const save = (): void => {
    const name = `${fileName(session.caseName)}_outages.csv`;
    downloadFile({ name, bytes: new TextEncoder().encode(outagesCsv(listed, session.opened)) });
    setCopied(trans.__("%1 saved", name));
  };
  return (
    <>
      <div className="wb-Run-controls">
        <div className="wb-Switch" role="group" aria-label={trans.__("Outages listed")}>
          {filters(rows.some(isOfAc), counts.not_converged).map(([name, title]) => (
            <button
              key={name}
              type="button"
              className="wb-Button"
              aria-pressed={filter === name}
              onClick={() => setFilter(name)}
            >
              {title} {formatCount(counts[name])}
            </button>
          ))}
        </div>
        <button type="button" className="wb-Button" onClick={() => void copy()}>
          {trans.__("Copy as CSV")}
        </button>
        <button type="button" className="wb-Button" onClick={save}>
          {trans.__("Save CSV")}
        </button>
        <span role="status">{copied}</span>
      </div>
      <OutageTable key={filter} session={session} rows={listed} sort={sort} sortBy={sortBy} />
    </>
  );
}
