import { type ReactElement, useState } from "react";
import { capitalised, errorText, formatPower, formatPrice, trans } from "../../text/index.ts";
import {
  addedName,
  type CaseSession,
  type Expiry,
  planUnit,
  proposalDigest,
  type ProposalState,
  SESSION_ID,
} from "../../workspace/index.ts";
import { ApprovalWaits } from "../sections/ApprovalWaits.tsx";
import { ElementLink } from "../sections/ElementLink.tsx";
import { Section } from "../sections/Section.tsx";
import { onFirstClick, useApproval } from "../sections/useApproval.ts";
import { useSignal } from "../../ui/useSignal.ts";

/** A proposal that an agent requested without a goal, with its approval control; empty without a proposal. */
export function ProposalSection({ session }: { session: CaseSession }): ReactElement | null {
  useSignal(session.proposals.changed);
  const { state } = session.proposals;
  if (state.kind === "none" || state.proposal.goal !== null) {
    return null;
  }
  return (
    <Section id="proposal" title={trans.__("Proposal")} note={stateText(state)} open>
      <ProposalCard key={state.proposal.id} session={session} state={state} />
    </Section>
  );
}

type Shown = Exclude<ProposalState, { kind: "none" }>;

function ProposalCard({ session, state }: { session: CaseSession; state: Shown }): ReactElement {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { proposals } = session;
  const { proposal } = state;
  const { baseline, best, exact_solves: solves } = proposal.outcome;
  const unit = planUnit(proposal.spec, proposal.formulation);
  const report = (error: unknown): void => setProblem(errorText(error, session.opened));
  const button = useApproval(state.kind === "staged" ? proposalDigest(proposal) : null, (event, digest) => {
    setProblem(null);
    try {
      proposals.approve(event, proposal.id, proposal.baseRevision, digest);
    } catch (error) {
      report(error);
    }
  });
  const apply = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const { id: proposalId, baseRevision: expectedRevision, caseId } = proposal;
    await proposals.apply({ sessionId: SESSION_ID, caseId, proposalId, expectedRevision }).catch(report);
    setBusy(false);
  };
  const action = (name: string, text: string, act: () => void): ReactElement => (
    <button type="button" className="wb-Button" data-action={name} disabled={busy} onClick={onFirstClick(act)}>
      {text}
    </button>
  );
  return (
    <div className="wb-Proposal" data-approval="" data-state={state.kind} data-proposal={proposal.id}>
      <ul>
        {proposal.changes.map(({ element, mw }) => (
          <li key={`${element.kind} ${element.id}`} data-approved-line="">
            <ElementLink session={session} element={element} /> {formatPower(mw, unit, { signed: true })}
          </li>
        ))}
        {proposal.circuits.map((row, place) => (
          <li key={`circuit ${place}`} data-approved-line="">
            {capitalised(addedName({ table: "branches", place, row }, session.opened))}
          </li>
        ))}
      </ul>
      <p>
        {trans.__(
          "Weighted price %1 instead of %2 $/MWh: best verified within the budget, %3 exact solves.",
          formatPrice(best.phi),
          formatPrice(baseline.phi),
          solves,
        )}
      </p>
      {problem === null ? null : (
        <p role="alert" className="wb-mod-failed">
          {problem}
        </p>
      )}
      <div className="wb-Proposal-controls">
        {state.kind === "staged" ? (
          <button ref={button} type="button" className="wb-Button" data-action="approve">
            {trans.__("Approve")}
          </button>
        ) : null}
        {state.kind === "approved" ? action("apply", trans.__("Apply"), () => void apply()) : null}
        {state.kind === "approved"
          ? action("withdraw", trans.__("Withdraw approval"), () => proposals.withdraw())
          : null}
        {action("discard", trans.__("Discard"), () => proposals.discard())}
      </div>
      {state.kind === "staged" ? <ApprovalWaits /> : null}
    </div>
  );
}

/** The state of a proposal in a word or two. */
function stateText(state: Shown): string {
  switch (state.kind) {
    case "staged":
      return trans.__("not approved");
    case "approved":
      return trans.__("approved, not applied");
    case "applied":
      return trans.__("applied");
    case "expired":
      return expiryText(state.by);
    case "invalid":
      return state.changed === "goal" ? trans.__("its goal has changed") : trans.__("its starting state has changed");
  }
}

function expiryText(by: Expiry): string {
  switch (by) {
    case "edit":
      return trans.__("expired by an edit");
    case "reset":
      return trans.__("expired by a reset");
    case "formulation":
      return trans.__("expired by another formulation");
    case "network":
      return trans.__("expired: another network was selected");
  }
}
