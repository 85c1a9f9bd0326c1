import { trans } from "../../text/index.ts";
import type { ProposalDesk } from "../proposals/proposalDesk.ts";
import type { Proposal, ProposalState } from "../proposals/proposal.ts";
import { Plans, type PlanningHost } from "./plans.ts";

/** The plans of a session beside its proposals: what is found is staged, what agents stage is taken in, and decisions are written down. */
export function sessionPlans(desk: ProposalDesk, host: Omit<PlanningHost, "revision" | "stage">): Plans {
  const plans = new Plans({
    ...host,
    revision: () => desk.revision,
    stage: (request) => void desk.stage(request),
  });
  let told: ProposalState = desk.state;
  desk.changed.connect(({ state }) => {
    const before = told;
    told = state;
    const another = proposalOf(state)?.id !== proposalOf(before)?.id;
    if (!another && state.kind === before.kind) {
      return;
    }
    const note = (decision: string, { id }: Proposal): void =>
      host.note({ kind: "decided", decision, result: trans.__("proposal %1", id.slice(0, 8)) });
    if (another && before.kind === "approved") {
      const discarded = state.kind === "none";
      note(
        discarded ? trans.__("Approved proposal discarded") : trans.__("Approved proposal replaced by another one"),
        before.proposal,
      );
    }
    if (state.kind === "none") {
      return;
    }
    if (another && state.kind === "staged" && state.proposal.goal === null) {
      plans.adopt(trans.__("an agent"), state.proposal);
    }
    const decision = decisionText(state.kind, another);
    if (decision !== null) {
      note(decision, state.proposal);
    }
  });
  return plans;
}

function proposalOf(state: ProposalState): Proposal | null {
  return state.kind === "none" ? null : state.proposal;
}

function decisionText(kind: Exclude<ProposalState["kind"], "none">, another: boolean): string | null {
  switch (kind) {
    case "approved":
      return trans.__("Proposal approved");
    case "applied":
      return trans.__("Proposal applied");
    case "expired":
      return trans.__("Proposal expired: the live state changed");
    case "invalid":
      return trans.__("Approval invalid: goal or start changed");
    case "staged":
      return another ? null : trans.__("Approval withdrawn");
  }
}
