import { FORMULATIONS } from "@service/engine";
import { type ReactElement, useEffect, useRef } from "react";
import { chooseFiles, DropZone } from "../files/index.ts";
import { statusText } from "../map/index.ts";
import { certificateLines, formatCount, formatMoney, formatMw } from "../words/index.ts";
import { type CaseSession, listChanges, type ViewedNetwork, type Workspace } from "../workspace/index.ts";
import { FilesSection } from "./FilesSection.tsx";
import { OutageSection } from "./OutageSection.tsx";
import { SelectedElement } from "./SelectedElement.tsx";
import { useSignal } from "./useSignal.ts";

/** The Study panel: files, what is known about the session in front, and what was changed in it. Files may be dropped on it. */
export function StudyPanel({ workspace }: { workspace: Workspace }): ReactElement {
  useSignal(workspace.changed);
  const root = useRef<HTMLDivElement>(null);
  const { intake, active: session, network } = workspace;
  useEffect(() => {
    if (root.current === null) {
      return undefined;
    }
    const zone = new DropZone(root.current, (files) => void intake.take(files));
    return () => zone.dispose();
  }, [intake]);
  return (
    <div className="wb-Panel-root" ref={root}>
      <FilesSection intake={intake} />
      {session !== null ? (
        <SessionPanel key={session.caseId} session={session} />
      ) : network !== null ? (
        <NetworkPanel network={network} />
      ) : (
        <EmptyPanel workspace={workspace} />
      )}
    </div>
  );
}

function NetworkPanel({ network }: { network: ViewedNetwork }): ReactElement {
  return (
    <div className="wb-Panel">
      <section aria-label="Case">
        <h2>{network.name}</h2>
        <p>
          {network.model}, shown without prices{network.problem === null ? "." : `: ${network.problem}`}
        </p>
        <dl>
          {network.counts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function EmptyPanel({ workspace }: { workspace: Workspace }): ReactElement {
  const open = async (): Promise<void> => {
    const files = await chooseFiles();
    if (files.length > 0) {
      await workspace.intake.take(files);
    }
  };
  return (
    <div className="wb-Panel wb-Panel-empty">
      <p>No map is open. Run a cell that ends with a study’s map, or drop case files here.</p>
      <button type="button" className="wb-Button" onClick={() => void open()}>
        Open case files…
      </button>
    </div>
  );
}

function SessionPanel({ session }: { session: CaseSession }): ReactElement {
  useSignal(session.changed);
  return (
    <div className="wb-Panel" data-case={session.caseId} data-revision={session.state.revision}>
      <CaseSection session={session} />
      <ResultSection session={session} />
      <SelectedElement session={session} />
      <ChangesSection session={session} />
      <OutageSection session={session} />
    </div>
  );
}

function CaseSection({ session }: { session: CaseSession }): ReactElement {
  const { ingested } = session.opened;
  const label = FORMULATIONS.find(({ id }) => id === session.formulation)?.label ?? session.formulation;
  return (
    <section aria-label="Case">
      <h2>{session.caseName}</h2>
      <dl>
        <dt>Size</dt>
        <dd>
          {formatCount(ingested.n_bus)} buses, {formatCount(ingested.n_branch)} lines, {formatCount(ingested.n_gen)}{" "}
          generators
        </dd>
        <dt>Base demand</dt>
        <dd>{formatMw(ingested.load_mw)} MW</dd>
        <dt>Formulation</dt>
        <dd>
          {label}, convention {session.state.solution.dc_convention}
        </dd>
      </dl>
    </section>
  );
}

function ResultSection({ session }: { session: CaseSession }): ReactElement {
  const { solution } = session.state;
  return (
    <section aria-label="Result">
      <h3>Result</h3>
      <dl>
        <dt>Status</dt>
        <dd className={session.status.kind === "failed" ? "wb-mod-failed" : undefined}>{statusText(session)}</dd>
        <dt>Objective</dt>
        <dd className="wb-Panel-objective">{formatMoney(solution.objective)} $/h</dd>
      </dl>
      <details>
        <summary>Certificate</summary>
        <dl>
          {certificateLines(solution, session.opened).map(({ term, meaning }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function ChangesSection({ session }: { session: CaseSession }): ReactElement {
  const { opened, state } = session;
  const changes = listChanges(state.edits, opened);
  const busy = session.status.kind === "solving" || session.status.kind === "waiting";
  // A failed reset is told by the status above.
  const reset = (): void => void session.reset().catch(() => undefined);
  return (
    <section aria-label="Changes">
      <h3>Changes from the base case</h3>
      {changes.length === 0 ? (
        <p>None. Select a bus or a line on the map and move its slider.</p>
      ) : (
        <ul className="wb-Panel-changes">
          {changes.map((change) => (
            <li key={`${change.kind} ${change.id}`}>
              <button
                type="button"
                className="wb-Button wb-mod-link"
                onClick={() => void session.select({ kind: change.kind, id: change.id })}
              >
                {opened.nameOf(change.kind, change.id)}
              </button>
              <span>
                {change.kind === "bus" ? "demand" : "rating"} {formatMw(change.deltaMw, { signed: true })} MW
              </span>
            </li>
          ))}
        </ul>
      )}
      <button type="button" className="wb-Button" disabled={changes.length === 0 || busy} onClick={reset}>
        Reset to the base case
      </button>
    </section>
  );
}
