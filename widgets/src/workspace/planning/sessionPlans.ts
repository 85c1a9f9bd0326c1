import { trans } from "../../text/index.ts";
import type { ProposalDesk } from "../proposals/proposalDesk.ts";
import type { ProposalState } from "../proposals/proposal.ts";
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
    if (state.kind === "none" || (before.kind === state.kind && before.proposal.id === state.proposal.id)) {
      return;
    }
    if (state.kind === "staged" && before.kind !== "approved" && state.proposal.goal === null) {
      plans.adopt(trans.__("an agent"), state.proposal);
    }
    const decision = decisionText(state, before);
    if (decision !== null) {
      host.note({ kind: "decided", decision, result: trans.__("proposal %1", state.proposal.id.slice(0, 8)) });
    }
  });
  return plans;
}

function decisionText(state: ProposalState, before: ProposalState): string | null {
  switch (state.kind) {
    case "approved":
      return trans.__("Proposal approved");
    case "applied":
      return trans.__("Proposal applied");
    case "expired":
      return trans.__("Proposal expired: the live state changed");
    case "invalid":
      return trans.__("Approval invalid: goal or start changed");
    case "staged":
      return before.kind === "approved" ? trans.__("Approval withdrawn") : null;
    case "none":
      return null;
  }
}
