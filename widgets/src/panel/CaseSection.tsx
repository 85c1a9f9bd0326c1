import type { ReactElement } from "react";
import { changeName, relaxedMw } from "../ui/index.ts";
import { formatCount, formatExactMw, formatMw, resetUnavailable, susceptanceText, trans } from "../text/index.ts";
import {
  caseSize,
  type CaseSession,
  countChanges,
  editUnit,
  type IWorkspace,
  type ElementChange,
  listChanges,
  type OpenedCase,
  type SessionChange,
  total,
} from "../workspace/index.ts";
import { CostsPart } from "./costs/CostsPart.tsx";
import { FormulationChoice } from "./edit/FormulationChoice.tsx";
import { SecuritySwitch } from "./edit/SecuritySwitch.tsx";
import { ElementLink } from "./sections/ElementLink.tsx";
import { Section } from "./sections/Section.tsx";
import { useSession } from "../ui/useSignal.ts";
import { ValueChanges } from "./ValueChanges.tsx";

const FOLLOWED: readonly SessionChange[] = ["state", "status"];

/** The case, and how far the displayed state is from its base: every edit by element, in MW. */
export function CaseSection({ session, workspace }: { session: CaseSession; workspace: IWorkspace }): ReactElement {
  useSession(session, FOLLOWED);
  const { opened, state } = session;
  const { ingested } = opened;
  const changes = listChanges(state.edits, opened);
  const moved = total(Float64Array.from(Object.values(state.edits.deltas)));
  const count = countChanges(state.edits);
  const note = count === 0 ? trans.__("base case") : trans._n("%2 changed", "%2 changed", count, formatCount(count));
  return (
    <Section id="case" title={trans.__("Case")} note={note} open>
      <dl>
        <div>
          <dt>{trans.__("Size")}</dt>
          <dd>{caseSize(ingested)}</dd>
        </div>
        <div>
          <dt>{trans.__("Formulation")}</dt>
          <dd>
            <FormulationChoice session={session} />
          </dd>
        </div>
        <SecuritySwitch session={session} workspace={workspace} />
        {state.solution.dc_convention === undefined ? null : (
          <div>
            <dt>{trans.__("Susceptance")}</dt>
            <dd>{susceptanceText(state.solution.dc_convention)}</dd>
          </div>
        )}
        <div>
          <dt>{trans.__("Base demand")}</dt>
          <dd>{formatMw(ingested.load_mw)} MW</dd>
        </div>
        <div>
          <dt>{trans.__("Demand now")}</dt>
          <dd className="wb-Panel-demand">
            {formatMw(ingested.load_mw + moved)} MW{moved === 0 ? "" : ` (${formatMw(moved, { signed: true })})`}
          </dd>
        </div>
      </dl>
      <CostsPart session={session} workspace={workspace} />
      <Origin opened={opened} />
      <Changes session={session} changes={changes} />
    </Section>
  );
}

/** The changes that made a relaxed case in this page, line by line; empty for other cases. */
function Origin({ opened }: { opened: OpenedCase }): ReactElement | null {
  const { origin } = opened;
  return origin?.kind !== "relaxed" ? null : (
    <>
      <p>{trans.__("Made from %1 by a relaxation of its limits. Changed data:", origin.name)}</p>
      <table className="wb-Changes" aria-label={trans.__("Differences from %1", origin.name)}>
        <thead>
          <tr>
            <th scope="col">{trans.__("Changed")}</th>
            <th scope="col">{trans.__("There, MW")}</th>
            <th scope="col">{trans.__("Here, MW")}</th>
            <th scope="col">{trans.__("Change, MW")}</th>
          </tr>
        </thead>
        <tbody>
          {origin.changes.map((change) => (
            <tr key={`${change.kind} ${change.id} ${change.limit}`}>
              <th scope="row">{changeName(change, opened)}</th>
              <td>{formatExactMw(change.fromMw)}</td>
              <td>{formatExactMw(change.toMw)}</td>
              <td>{relaxedMw(change)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Changes({ session, changes }: { session: CaseSession; changes: ElementChange[] }): ReactElement {
  const busy = session.status.kind === "solving" || session.status.kind === "waiting";
  const inspecting = !session.showsLive;
  // The status reports failures.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  const reactive = Object.entries(session.state.edits.reactive ?? {});
  if (countChanges(session.state.edits) === 0) {
    return (
      <p className="wb-Panel-hint">
        {trans.__("Nothing is changed. Select a bus, a line or a generator and move its slider.")}
      </p>
    );
  }
  return (
    <>
      <table className="wb-Changes" aria-label={trans.__("Changes from the base case")}>
        <thead>
          <tr>
            <th scope="col">{trans.__("Changed")}</th>
            <th scope="col">{trans.__("Base")}</th>
            <th scope="col">{trans.__("Change")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {changes.map(({ kind, id, baseMw, deltaMw }) => (
            <tr key={`${kind} ${id}`}>
              <th scope="row">
                <ElementLink session={session} element={{ kind, id }} />
                <span className="wb-unit">
                  {" "}
                  {kind === "bus"
                    ? trans.__("demand, MW")
                    : trans.__("rating, %1", editUnit(kind, session.formulation))}
                </span>
              </th>
              <td>{formatMw(baseMw)}</td>
              <td>{formatMw(deltaMw, { signed: true })}</td>
              <td>
                <button
                  type="button"
                  className="wb-Button"
                  disabled={inspecting}
                  aria-label={trans.__("Reset %1", session.opened.nameOf(kind, id))}
                  onClick={() => quietly(session.edit([{ element: { kind, id }, mw: 0 }]))}
                >
                  {trans.__("Reset")}
                </button>
              </td>
            </tr>
          ))}
          <ValueChanges session={session} />
          {reactive.map(([bus, mvar]) => (
            <tr key={`reactive ${bus}`}>
              <th scope="row">
                <ElementLink session={session} element={{ kind: "bus", id: Number(bus) }} />
                <span className="wb-unit"> {trans.__("reactive demand, MVAr")}</span>
              </th>
              <td />
              <td>{formatMw(mvar, { signed: true })}</td>
              <td>
                <button
                  type="button"
                  className="wb-Button"
                  disabled={inspecting}
                  aria-label={trans.__(
                    "Let the reactive demand of %1 follow its power factor",
                    session.opened.nameOf("bus", Number(bus)),
                  )}
                  onClick={() => quietly(session.setReactive(Number(bus), null))}
                >
                  {trans.__("Reset")}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {session.resettable ? (
        <button
          type="button"
          className="wb-Button"
          disabled={busy || inspecting}
          onClick={() => quietly(session.reset())}
        >
          {trans.__("Reset to the base case")}
        </button>
      ) : (
        <p className="wb-Panel-hint">{resetUnavailable()}</p>
      )}
    </>
  );
}
