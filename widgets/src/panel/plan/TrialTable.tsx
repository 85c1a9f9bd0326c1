import type { ReactElement } from "react";
import type { PlanTrial } from "@service/engine";
import { capitalised, formatPhi, formatPower, relativeErrorText, trans, trialReason } from "../../text/index.ts";
import { type CaseSession, type ElementMove, type PlanGoal, planUnit, trialStep } from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

interface TrialTableProps {
  session: CaseSession;
  goal: PlanGoal;
  trials: readonly PlanTrial[];
}

/** Every trial of a plan in order: the prediction, the exact result, and the outcome. */
export function TrialTable({ session, goal, trials }: TrialTableProps): ReactElement {
  const paths = trials.some(({ path_phi_delta }) => path_phi_delta !== undefined);
  const columns = paths ? 4 : 3;
  return (
    <div className="wb-Plan-box" tabIndex={0} role="group" aria-label={trans.__("Trials of the plan")}>
      <table className="wb-Plan-trials">
        <caption>{trans.__("Changes of the mean price from the best state before, $/MWh")}</caption>
        <thead>
          <tr>
            <th scope="col" title={trans.__("Linear estimate: gradient times increment")}>
              {trans.__("Predicted")}
            </th>
            {paths ? (
              <th scope="col" title={trans.__("Along the exact path of the step")}>
                {trans.__("Exact path")}
              </th>
            ) : null}
            <th scope="col" title={trans.__("By an exact solve")}>
              {trans.__("Exact")}
            </th>
            <th scope="col" title={trans.__("Error of the linear estimate, as a fraction of the exact change")}>
              {trans.__("Error")}
            </th>
          </tr>
        </thead>
        {trials.map((trial) => (
          <Trial key={trial.exact_solve} session={session} goal={goal} trial={trial} columns={columns} />
        ))}
      </table>
    </div>
  );
}

interface TrialProps {
  session: CaseSession;
  goal: PlanGoal;
  trial: PlanTrial;
  columns: number;
}

function Trial({ session, goal, trial, columns }: TrialProps): ReactElement {
  const { opened } = session;
  const { accepted, exact_phi_delta: exact, path_phi_delta: path } = trial;
  const reason = trialReason(trial, opened);
  const outcome = accepted ? "accepted" : exact === null ? "failed" : "rejected";
  return (
    <tbody data-outcome={outcome}>
      <tr>
        <th scope="rowgroup" colSpan={columns}>
          <div className="wb-Plan-trial">
            <span className="wb-Plan-solve">{trial.exact_solve}</span>
            <span className="wb-Plan-line">
              <StepWords session={session} goal={goal} trial={trial} />
            </span>
            <span className="wb-Plan-result">{outcomeWord(outcome)}</span>
          </div>
        </th>
      </tr>
      <tr>
        <td>{formatPhi(trial.predicted_phi_delta)}</td>
        {columns === 4 ? <td>{path === undefined ? trans.__("none") : formatPhi(path)}</td> : null}
        <td>{exact === null ? trans.__("none") : formatPhi(exact)}</td>
        <td>{relativeErrorText(trial.first_order_error_rel, exact)}</td>
      </tr>
      {reason === "" ? null : (
        <tr>
          <td colSpan={columns} className="wb-Plan-reason">
            {reason}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The changes of a trial: elements with their amounts; for a move, from one bus to another. */
function StepWords({ session, goal, trial }: Omit<TrialProps, "columns">): ReactElement {
  const { opened } = session;
  const unit = planUnit(goal.spec, goal.formulation);
  const step = trialStep(trial);
  const link = ({ element }: ElementMove): ReactElement => (
    <ElementLink session={session} element={element} text={capitalised(opened.nameOf(element.kind, element.id))} />
  );
  const from = step.find(({ mw }) => mw < 0);
  const to = step.find(({ mw }) => mw > 0);
  if (from !== undefined && to !== undefined) {
    return (
      <>
        {link(from)} {"\u2192"} {link(to)} <span className="wb-Plan-step">{formatPower(to.mw, unit)}</span>
      </>
    );
  }
  return (
    <>
      {step.map((move, k) => (
        <span key={move.element.id}>
          {k === 0 ? null : ", "}
          {link(move)} <span className="wb-Plan-step">{formatPower(move.mw, unit, { signed: true })}</span>
        </span>
      ))}
    </>
  );
}

function outcomeWord(outcome: "accepted" | "rejected" | "failed"): string {
  switch (outcome) {
    case "accepted":
      return trans.__("accepted");
    case "rejected":
      return trans.__("rejected");
    case "failed":
      return trans.__("failed");
  }
}
