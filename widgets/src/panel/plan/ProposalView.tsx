import { type ReactElement, useState } from "react";
import { capitalised, errorText, formatMw, formatPower, trans } from "../../text/index.ts";
import {
  addedName,
  type CaseSession,
  decisionOf,
  deltaOf,
  isOfBuses,
  type PlanProposal,
  planUnit,
  type Proposal,
  proposalDigest,
  type ProposalState,
  SESSION_ID,
} from "../../workspace/index.ts";
import { ApprovalWaits } from "../sections/ApprovalWaits.tsx";
import { ElementLink } from "../sections/ElementLink.tsx";
import { onFirstClick, useApproval } from "../sections/useApproval.ts";

/**
 * The proposal of the displayed plan, line by line, and its two steps to the live state: a person approves it, then it
 * is applied.
 */
export function ProposalView({ session }: { session: CaseSession }): ReactElement | null {
  const { proposal: planned, state: planning } = session.plans;
  if (planned === null) {
    return null;
  }
  const { inspection, history } = session;
  const { candidate } = planned;
  const inspecting = candidate !== null && inspection.state?.id === candidate.id;
  const live = candidate !== null && history.current.id === candidate.id;
  return (
    <div className="wb-Plan-proposal" data-approval="" data-proposal={session.proposals.state.kind}>
      <h4>{planning.kind === "running" ? trans.__("Best so far, not applied") : trans.__("Proposal")}</h4>
      <Changes session={session} planned={planned} />
      {candidate === null ? null : (
        <>
          <div className="wb-Plan-run">
            <button
              type="button"
              className="wb-Button"
              disabled={live || inspecting}
              onClick={() => void inspection.show(candidate.id).catch(() => undefined)}
            >
              {trans.__("Inspect the candidate")}
            </button>
          </div>
          <Decision session={session} planned={planned} live={live} />
        </>
      )}
    </div>
  );
}

/** The exact changes. */
function Changes({ session, planned }: { session: CaseSession; planned: PlanProposal }): ReactElement {
  const { opened } = session;
  const { changes, circuits, start, goal } = planned;
  const unit = planUnit(goal.spec, goal.formulation);
  return (
    <table className="wb-Changes wb-Plan-changes" aria-label={trans.__("Proposed changes")}>
      <thead>
        <tr>
          <th scope="col">{isOfBuses(decisionOf(goal.spec)) ? trans.__("Demand of") : trans.__("Rating of")}</th>
          <th scope="col">{trans.__("From, %1", unit)}</th>
          <th scope="col">{trans.__("To, %1", unit)}</th>
          <th scope="col">{trans.__("Change, %1", unit)}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ element, mw }) => {
          const { kind, id } = element;
          const from = opened.baseMw(element, start.edits) + deltaOf(start.edits, element);
          return (
            <tr key={id} data-approved-line="">
              <th scope="row">
                <ElementLink session={session} element={element} text={capitalised(opened.nameOf(kind, id))} />
              </th>
              <td>{formatMw(from)}</td>
              <td>{formatMw(from + mw)}</td>
              <td>{formatMw(mw, { signed: true })}</td>
            </tr>
          );
        })}
        {circuits.map((row, place) => {
          const rating = row.rating ?? opened.baseMw({ kind: "branch", id: Number(row.copy_of) });
          return (
            <tr key={`circuit ${place}`} data-approved-line="">
              <th scope="row">{capitalised(addedName({ table: "branches", place, row }, opened))}</th>
              <td>{trans.__("none")}</td>
              <td>{formatMw(rating)}</td>
              <td>{formatMw(rating, { signed: true })}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface DecisionProps {
  session: CaseSession;
  planned: PlanProposal;
  live: boolean;
}

/** Approve and, separately, Apply; or why there is nothing to approve. */
function Decision({ session, planned, live }: DecisionProps): ReactElement {
  const { proposals } = session;
  const { state } = proposals;
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const own = state.kind !== "none" && isOf(state.proposal, planned) ? state : null;
  const inspecting = !session.showsLive;
  const approvable = own?.kind === "staged" && own.proposal.goal !== null && !live && !inspecting ? own.proposal : null;
  // The digest covers the lines that the table shows; the approval desk compares it with the proposal's.
  const digest =
    approvable === null
      ? null
      : proposalDigest({ ...approvable, changes: planned.changes, circuits: planned.circuits });
  const button = useApproval(digest, (event, shown) => {
    try {
      setProblem("");
      proposals.approve(event, approvable?.id ?? "", approvable?.baseRevision ?? NaN, shown);
    } catch (error) {
      setProblem(errorText(error));
    }
  });
  if (live) {
    return <p role="status">{trans.__("Applied: this is the live state.")}</p>;
  }
  if (own === null || !(own.kind === "staged" || own.kind === "approved")) {
    return <p role="status">{closedWords(own)}</p>;
  }
  const { proposal } = own;
  if (proposal.goal === null) {
    return <p role="status">{trans.__("An agent asked for this plan: approve it in the section Proposal.")}</p>;
  }
  const approved = own.kind === "approved";
  const apply = async (): Promise<void> => {
    setBusy(true);
    setProblem("");
    const { id: proposalId, caseId } = proposal;
    try {
      await proposals.apply({ sessionId: SESSION_ID, caseId, proposalId, expectedRevision: proposals.revision });
    } catch (error) {
      setProblem(errorText(error, session.opened));
    }
    setBusy(false);
  };
  return (
    <>
      <div className="wb-Plan-decide">
        <p>{approvalText(planned)}</p>
        {approved ? (
          <button
            type="button"
            className="wb-Button"
            disabled={busy}
            onClick={onFirstClick(() => proposals.withdraw())}
          >
            {trans.__("Withdraw the approval")}
          </button>
        ) : (
          <>
            <button
              ref={button}
              type="button"
              className="wb-Button wb-mod-primary"
              data-action="approve"
              disabled={inspecting}
            >
              {trans.__("Approve these changes")}
            </button>
            {inspecting ? null : <ApprovalWaits />}
          </>
        )}
      </div>
      <div className="wb-Plan-apply">
        <p>
          {approved
            ? trans.__("Approved. Applying solves the state once more and makes it the live one.")
            : inspecting
              ? trans.__("Return to the live state to approve.")
              : trans.__("Nothing is applied before it is approved.")}
        </p>
        <button
          type="button"
          className="wb-Button wb-mod-primary"
          data-action="apply"
          disabled={!approved || busy || inspecting}
          onClick={() => void apply()}
        >
          {trans.__("Apply")}
        </button>
      </div>
      {problem === "" ? null : (
        <p role="alert" className="wb-mod-failed">
          {problem}
        </p>
      )}
    </>
  );
}

/** The effect of an approval. */
function approvalText({ changes, circuits, goal }: PlanProposal): string {
  const unit = planUnit(goal.spec, goal.formulation);
  const more = changes.reduce((total, { mw }) => total + Math.max(0, mw), 0);
  const [count, amount] = [changes.length, formatPower(more, unit, { signed: true })];
  switch (decisionOf(goal.spec)) {
    case "line_capacity":
      if (circuits.length > 0) {
        return trans._n(
          "Approving allows this once: %2 new circuit and %3 changed ratings, from the live state.",
          "Approving allows this once: %2 new circuits and %3 changed ratings, from the live state.",
          circuits.length,
          circuits.length,
          count,
        );
      }
      return trans._n(
        "Approving allows this once: %2 rating, %3 in total, from the live state.",
        "Approving allows this once: %2 ratings, %3 in total, from the live state.",
        count,
        count,
        amount,
      );
    case "demand_placement":
      return trans._n(
        "Approving allows this once: demand of %2 bus, %3 in total, from the live state.",
        "Approving allows this once: demand of %2 buses, %3 in total, from the live state.",
        count,
        count,
        amount,
      );
    case "demand_redistribution":
      return trans.__(
        "Approving allows this once: %1 moved, demand of %2 buses changed, from the live state.",
        formatPower(more, unit),
        count,
      );
  }
}

/** Whether a staged proposal belongs to the displayed plan. */
function isOf(proposal: Proposal, { goal }: PlanProposal): boolean {
  return proposal.goal === `g${goal.id}` || proposal.outcome === goal.outcome;
}

/** Why there is nothing to approve. */
function closedWords(state: Exclude<ProposalState, { kind: "none" }> | null): string {
  if (state?.kind === "expired") {
    return trans.__("The proposal has expired: the live state has changed. Plan again from there.");
  }
  if (state?.kind === "invalid") {
    return trans.__("The approval is not valid any more: the goal or its starting state was changed. Plan again.");
  }
  return state?.kind === "applied"
    ? trans.__("The proposal was applied.")
    : trans.__(
        "This proposal does not start from the live state. Plan again from there to get one that can be approved.",
      );
}
