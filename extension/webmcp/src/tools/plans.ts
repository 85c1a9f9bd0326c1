import { planMoves, SESSION_ID, trialStep } from "@service/widgets/workspace";
import { rounded, ToolError } from "../answers.ts";
import { type Call, changing, type Done, type ToolContext } from "../call.ts";
import { elementOf, type ElementId } from "../elements.ts";
import { AGENT_TOOLS } from "../tools.generated.ts";
import { bindingLines, meanWeights, named } from "./means.ts";
import { published, snapshot } from "./updates.ts";

const TO_APPROVE = "A person has to approve the proposal in the Study panel.";
const TO_APPLY = "A person approves and applies the proposal in the Study panel; nothing applies it here.";

interface PlanInput {
  case_id: string;
  expected_revision: number;
  weights?: readonly { bus_id: ElementId; weight: number }[];
  candidates?: readonly ElementId[];
  circuits?: readonly ElementId[];
  max_increase_per_branch_mw: number;
  budget_mw: number;
  increment_mw: number;
  max_changed_lines?: number;
  exact_solve_budget: number;
}

/** Searches for rating increases on separate states and stages the best as a proposal. */
export async function proposeCapacityPlan(input: PlanInput, call: Call, { ids, via }: ToolContext): Promise<Done> {
  const session = ids.live(input.case_id);
  const { proposals, formulation } = session;
  proposals.expect(input.expected_revision);
  if (!session.capabilities.has("plans")) {
    throw new ToolError("FORMULATION.UNAVAILABLE", `${formulation} has no prices to plan for.`);
  }
  const weights =
    input.weights?.map(({ bus_id, weight }) => ({ bus: elementOf(session, "bus", bus_id).id, weight })) ??
    meanWeights(session);
  const candidates =
    input.candidates?.map((id) => elementOf(session, "branch", id).id) ??
    bindingLines(session).slice(0, AGENT_TOOLS.limits.candidates);
  if (candidates.length === 0) {
    throw new ToolError("PLAN.SPEC", "No line binds: name candidates.");
  }
  const circuits = (input.circuits ?? []).map((id) => elementOf(session, "branch", id).id);
  const added = circuits.find((id) => id > session.opened.rowsOfCase.branches.length);
  if (added !== undefined) {
    throw new ToolError("PLAN.SPEC", `Line ${added} is not of the case: only lines of the case can be copied.`);
  }
  const { outcome, proposal } = await proposals.propose(
    {
      objective: { kind: "weighted_lmp", weights },
      candidates,
      max_increase_per_branch_mw: input.max_increase_per_branch_mw,
      budget_mw: input.budget_mw,
      increment_mw: input.increment_mw,
      max_changed_lines: input.max_changed_lines ?? candidates.length,
      exact_solve_budget: input.exact_solve_budget,
    },
    { expectedRevision: input.expected_revision, circuits, signal: call.signal, check: () => call.checkWanted() },
  );
  const { baseline, best, trials } = outcome;
  return {
    data: {
      ...{ staged: proposal !== null, proposal_id: proposal?.id ?? null },
      ...{ session_id: SESSION_ID, case_id: input.case_id, base_revision: input.expected_revision },
      changes: planMoves(outcome.proposal).map(({ element, mw }) => ({
        ...{ branch_id: element.id, ...named(session.opened, "branch", session.opened.branchRow(element.id)) },
        delta_mw: rounded(mw),
      })),
      ...(circuits.length > 0 && {
        circuits: (proposal?.circuits ?? []).map(({ copy_of: id }) => ({
          ...{ copy_of: id, ...named(session.opened, "branch", session.opened.branchRow(Number(id))) },
        })),
      }),
      unit: formulation === "socwr" ? "MVA" : "MW",
      ...{ weighted_price_before: rounded(baseline.phi), weighted_price_after: rounded(best.phi) },
      ...{ objective_before: rounded(baseline.objective), objective_after: rounded(best.objective) },
      ...{ exact_solves: outcome.exact_solves, ended: outcome.ended },
      trials: trials.map((trial) => ({
        branch_id: trialStep(trial)[0]?.element.id ?? null,
        predicted: rounded(trial.predicted_phi_delta),
        exact: rounded(trial.exact_phi_delta ?? NaN),
        accepted: trial.accepted,
      })),
      claim: "best verified within the budget",
      ...(proposal !== null && { next: via === undefined ? TO_APPROVE : TO_APPLY }),
    },
    optional: ["trials", "objective_before", "objective_after"],
  };
}

interface ApplyInput {
  session_id: string;
  case_id: string;
  expected_revision: number;
  proposal_id: string;
}

/** Applies the approved proposal. */
export async function applyCapacityPlan(input: ApplyInput, call: Call, { ids }: ToolContext): Promise<Done> {
  const session = ids.live(input.case_id);
  const before = snapshot(session);
  await changing(call, (check) =>
    session.proposals.apply({
      ...{ sessionId: input.session_id, caseId: session.caseId, proposalId: input.proposal_id },
      ...{ expectedRevision: input.expected_revision, check },
    }),
  );
  const result = published(input.case_id, session, before);
  return { ...result, data: { applied: true, proposal_id: input.proposal_id, ...result.data } };
}
