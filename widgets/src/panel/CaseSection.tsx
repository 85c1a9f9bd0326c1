import { FORMULATIONS } from "@service/engine";
import type { ReactElement } from "react";
import { formatCount, formatMw } from "../words/index.ts";
import { type CaseSession, type ElementChange, listChanges, type SessionChange, total } from "../workspace/index.ts";
import { ElementLink } from "./ElementLink.tsx";
import { Section } from "./Section.tsx";
import { useSession } from "./useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "status"];

/** What the case is, and how far the state shown is from its base: every change by element, in MW. */
export function CaseSection({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const { opened, state } = session;
  const { ingested } = opened;
  const changes = listChanges(state.edits, opened);
  const formulation = FORMULATIONS.find(({ id }) => id === session.formulation)?.label ?? session.formulation;
  const moved = total(Float64Array.from(Object.values(state.edits.deltas)));
  const note = changes.length === 0 ? "base case" : `${formatCount(changes.length)} changed`;
  return (
    <Section id="case" title="Case" note={note} open>
      <dl>
        <div>
          <dt>Size</dt>
          <dd>
            {formatCount(ingested.n_bus)} buses, {formatCount(ingested.n_branch)} lines, {formatCount(ingested.n_gen)}{" "}
            generators
          </dd>
        </div>
        <div>
          <dt>Formulation</dt>
          <dd>
            {formulation}, convention {state.solution.dc_convention}
          </dd>
        </div>
        <div>
          <dt>Base demand</dt>
          <dd>{formatMw(ingested.load_mw)} MW</dd>
        </div>
        <div>
          <dt>Demand now</dt>
          <dd className="wb-Panel-demand">
            {formatMw(ingested.load_mw + moved)} MW{moved === 0 ? "" : ` (${formatMw(moved, { signed: true })})`}
          </dd>
        </div>
      </dl>
      <Changes session={session} changes={changes} />
    </Section>
  );
}

function Changes({ session, changes }: { session: CaseSession; changes: ElementChange[] }): ReactElement {
  const busy = session.status.kind === "solving" || session.status.kind === "waiting";
  // Failures are told by the status.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  if (changes.length === 0) {
    return <p className="wb-Panel-hint">Nothing is changed. Select a bus or a line and move its slider.</p>;
  }
  return (
    <>
      <table className="wb-Changes" aria-label="Changes from the base case">
        <thead>
          <tr>
            <th scope="col">Changed</th>
            <th scope="col">Base, MW</th>
            <th scope="col">Change, MW</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {changes.map(({ kind, id, baseMw, deltaMw }) => (
            <tr key={`${kind} ${id}`}>
              <th scope="row">
                <ElementLink session={session} element={{ kind, id }} />
                <span className="wb-unit"> {kind === "bus" ? "demand" : "rating"}</span>
              </th>
              <td>{formatMw(baseMw)}</td>
              <td>{formatMw(deltaMw, { signed: true })}</td>
              <td>
                <button
                  type="button"
                  className="wb-Button"
                  aria-label={`Reset ${session.opened.nameOf(kind, id)}`}
                  onClick={() => quietly(session.edit([{ element: { kind, id }, mw: 0 }]))}
                >
                  Reset
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="wb-Button" disabled={busy} onClick={() => quietly(session.reset())}>
        Reset to the base case
      </button>
    </>
  );
}
