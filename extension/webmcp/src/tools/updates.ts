import type { FormulationId } from "@service/engine";
import { type CaseEdits, type CaseSession, NO_EDITS, PRICE, sameEdits } from "@service/widgets/workspace";
import { rounded, ToolError } from "../answers.ts";
import { type Call, changing, type Done, type ToolContext } from "../call.ts";
import { type RequestedEdits, editBatch } from "../elements.ts";
import { meanPrice } from "./means.ts";
import { changedRows } from "./prices.ts";

interface Update extends RequestedEdits {
  case_id: string;
  expected_revision: number;
  formulation?: FormulationId;
}

/** Solves a batch of edits and commits it as one state. */
export async function updateCase(input: Update, call: Call, { ids, predictions }: ToolContext): Promise<Done> {
  const session = ids.live(input.case_id);
  const { proposals } = session;
  const { expected_revision: revision, formulation = session.formulation } = input;
  proposals.expect(revision);
  const { isEmpty, edits } = editBatch(session, input);
  if (isEmpty && formulation === session.formulation) {
    throw new ToolError("INPUT.INVALID", "Name at least one element, or another formulation.");
  }
  if (!session.formulations.includes(formulation)) {
    throw new ToolError("FORMULATION.UNAVAILABLE", `The case cannot be changed to ${formulation} here.`);
  }
  const wanted = edits(session.state.edits);
  if (sameEdits(wanted, session.state.edits) && formulation === session.formulation) {
    return {
      data: { case_id: input.case_id, revision, committed: false, reason: "the state has these edits already" },
    };
  }
  const before = snapshot(session);
  const result = await committed(input.case_id, session, call, revision, { edits, formulation });
  const made = { session, revision, formulation, edits: wanted };
  const prediction = predictions.check(made, { before, after: snapshot(session) });
  if (prediction !== undefined) {
    result.data["prediction_check"] = prediction;
  }
  return { ...result, prediction };
}

/** Solves the base case in the present formulation and commits it. */
export async function resetCase(
  { case_id, expected_revision }: { case_id: string; expected_revision: number },
  call: Call,
  { ids }: ToolContext,
): Promise<Done> {
  const session = ids.live(case_id);
  session.proposals.expect(expected_revision);
  return committed(case_id, session, call, expected_revision, { edits: () => NO_EDITS });
}

async function committed(
  caseId: string,
  session: CaseSession,
  call: Call,
  revision: number,
  change: { edits: (before: CaseEdits) => CaseEdits; formulation?: FormulationId },
): Promise<Done> {
  const before = snapshot(session);
  await changing(call, (check) =>
    session.commitChecked({
      ...change,
      check: () => {
        session.proposals.expect(revision);
        check();
      },
    }),
  );
  return published(caseId, session, before);
}

/** The numbers of a state that are compared. */
export function snapshot(session: CaseSession) {
  const { state, store } = session;
  return { objective: state.solution.objective, columns: store.columns, mean: meanPrice(session) };
}

/** The outcome of a commit, with its ids before anything that may be dropped. */
export function published(caseId: string, session: CaseSession, before: ReturnType<typeof snapshot>): Done {
  const { state, history, proposals, store } = session;
  const { objective } = state.solution;
  const [was, is] = [before.columns.values(PRICE), store.columns.values(PRICE)];
  const change = was !== null && is !== null ? is.map((price, row) => price - (was[row] ?? NaN)) : null;
  return {
    data: {
      ...{ committed: true, case_id: caseId, revision: proposals.revision, state_id: history.current.id },
      ...{ formulation: session.formulation, status: state.solution.status },
      ...(objective !== undefined && { objective_usd_per_h: rounded(objective) }),
      ...(objective !== undefined &&
        before.objective !== undefined && { objective_change_usd_per_h: rounded(objective - before.objective) }),
      ...(is !== null && { mean_price: meanPrice(session), mean_price_before: before.mean }),
      prices: change === null ? [] : changedRows(session, change, was),
      result_sha256: state.solution.result_sha256,
    },
    optional: ["prices", "prediction_check", "result_sha256"],
  };
}
