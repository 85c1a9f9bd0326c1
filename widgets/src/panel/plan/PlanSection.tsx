import { type ReactElement, useState } from "react";
import { trans } from "../../text/index.ts";
import { type CaseSession, NEW_DRAFT, type PlanDraft, type SessionChange } from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { useSession, useSignal } from "../../ui/useSignal.ts";
import { GoalEditor } from "./GoalEditor.tsx";
import { PlanRun } from "./PlanRun.tsx";
import { ProposalView } from "./ProposalView.tsx";

const FOLLOWED: readonly SessionChange[] = ["state", "selection"];

/** Draft of each session; it outlives the section, which can be closed and reopened. */
const drafts = new WeakMap<CaseSession, PlanDraft>();

/** Capacity plans: the goal, the trials as they are solved, and the proposal on its way to the live state. */
export function PlanSection({ session }: { session: CaseSession }): ReactElement {
  useSignal(session.plans.changed);
  const { proposal, state } = session.plans;
  const note =
    state.kind === "running"
      ? trans.__("planning\u2026")
      : proposal === null
        ? ""
        : trans.__("%1 proposed", proposal.changes.length + proposal.circuits.length);
  return (
    <Section id="plan" title={trans.__("Plan")} note={note}>
      <Plan session={session} />
    </Section>
  );
}

function Plan({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  useSignal(session.plans.changed);
  useSignal(session.proposals.changed);
  const [draft, setDraft] = useState(() => drafts.get(session) ?? NEW_DRAFT);
  const change = (part: Partial<PlanDraft>): void => {
    const next = { ...draft, ...part };
    drafts.set(session, next);
    setDraft(next);
  };
  return (
    <div className="wb-Plan" data-plan={session.plans.state.kind}>
      <GoalEditor session={session} draft={draft} change={change} />
      <PlanRun session={session} draft={draft} />
      <ProposalView session={session} />
    </div>
  );
}
