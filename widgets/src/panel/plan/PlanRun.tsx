import type { ReactElement } from "react";
import type { PlanOutcomeJson, PlanTrial } from "@service/engine";
import {
  capitalised,
  formatCount,
  formatMoney,
  formatMw,
  formatPhi,
  formatPrice,
  planEndText,
  trans,
} from "../../text/index.ts";
import {
  addedName,
  candidatesOf,
  type CaseSession,
  type CircuitChoice,
  circuitLines,
  decisionOf,
  goalScope,
  isOfBuses,
  mostChanged,
  planCourse,
  type PlanDraft,
  type PlanGoal,
  planSpec,
  planUnit,
} from "../../workspace/index.ts";
import { ChartFigure } from "../charts/ChartFigure.tsx";
import { useIntoView } from "../sections/useIntoView.ts";
import { decisionName } from "./decisionName.ts";
import { TrialTable } from "./TrialTable.tsx";

/** Objectives below this, $/MWh, are rounding. */
const ROUNDING = 1e-9;

/** Runs the plan of a draft, and shows its trials as they are solved. */
export function PlanRun({ session, draft }: { session: CaseSession; draft: PlanDraft }): ReactElement {
  const { plans, opened } = session;
  const { state } = plans;
  const running = state.kind === "running";
  const place = useIntoView<HTMLParagraphElement>(running, state.kind === "done");
  const inspecting = !session.showsLive;
  const spec = planSpec(draft, opened, session.store.columns);
  const missing = candidatesOf(draft).length === 0 || spec.objective.weights.length === 0;
  const trials = state.kind === "running" ? state.trials : state.kind === "done" ? state.outcome.trials : [];
  return (
    <>
      <div className="wb-Plan-run">
        <button
          type="button"
          className="wb-Button wb-mod-primary"
          data-action="plan"
          disabled={running || missing || inspecting}
          title={inspecting ? trans.__("Return to the live state to plan from it") : ""}
          onClick={() => void plans.run(goalText(draft), spec, goalScope(draft.scope), circuitLines(draft, opened))}
        >
          {trans.__("Plan")}
        </button>
        {running ? (
          <>
            <progress
              max={state.goal.spec.exact_solve_budget}
              value={1 + trials.length}
              aria-label={trans.__("Exact solves")}
            />
            <button type="button" className="wb-Button" disabled={state.ending} onClick={() => plans.cancel()}>
              {trans.__("Cancel")}
            </button>
          </>
        ) : null}
        <Goals session={session} />
      </div>
      <p ref={place} role="status" className={state.kind === "failed" ? "wb-mod-failed" : undefined}>
        {statusWords(session, draft, missing)}
      </p>
      {state.kind === "done" ? (
        <Outcome goal={state.goal} outcome={state.outcome} isEmpty={plans.proposal === null} />
      ) : null}
      {state.kind === "done" && state.goal.choices !== undefined ? (
        <Choices session={session} choices={state.goal.choices} />
      ) : null}
      {trials.length === 0 || state.kind === "none" ? null : (
        <>
          <TrialTable session={session} goal={state.goal} trials={trials} />
          <Course trials={trials} from={state.kind === "done" ? byCircuits(state.outcome) : 0} />
        </>
      )}
    </>
  );
}

/** The earlier plans, where there are several. */
function Goals({ session: { plans } }: { session: CaseSession }): ReactElement | null {
  const done = plans.goals.filter(({ outcome }) => outcome !== null);
  return done.length < 2 ? null : (
    <select
      aria-label={trans.__("Plan shown")}
      disabled={plans.state.kind === "running"}
      value={plans.active?.id ?? ""}
      onChange={({ target }) => plans.show(Number(target.value))}
    >
      {done.map(({ id, label }) => (
        <option key={id} value={id}>
          {trans.__("Plan %1: %2", id, label)}
        </option>
      ))}
    </select>
  );
}

/** Text of the live region: start and end only, not every trial. */
function statusWords({ plans: { state } }: CaseSession, draft: PlanDraft, missing: boolean): string {
  switch (state.kind) {
    case "none":
      return missing ? missingText(draft) : "";
    case "running":
      return state.ending ? trans.__("Stopping after the current solve\u2026") : trans.__("Planning\u2026");
    case "failed":
      return state.message;
    case "done":
      return "";
  }
}

function missingText({ decision }: PlanDraft): string {
  return isOfBuses(decision)
    ? trans.__("Choose buses where demand may change.")
    : trans.__("Choose lines that may be raised.");
}

/** What the new circuits of a plan change of its objective before ratings rise, $/MWh. */
function byCircuits({ baseline, best, trials }: PlanOutcomeJson): number {
  const raised = trials.reduce((sum, trial) => sum + (trial.accepted ? (trial.exact_phi_delta ?? 0) : 0), 0);
  const from = best.phi - baseline.phi - raised;
  return Math.abs(from) < ROUNDING ? 0 : from;
}

/** Every choice of new circuits with its best ratings, the best first. */
function Choices({
  session: { opened },
  choices,
}: {
  session: CaseSession;
  choices: readonly CircuitChoice[];
}): ReactElement {
  const phi = ({ outcome }: CircuitChoice): number => outcome?.best.phi ?? Infinity;
  const name = ({ circuits }: CircuitChoice): string =>
    circuits.length === 0
      ? trans.__("no new circuit")
      : circuits.map((row, place) => addedName({ table: "branches", place, row }, opened)).join(", ");
  return (
    <div className="wb-Plan-box" tabIndex={0} role="group" aria-label={trans.__("Choices of new circuits")}>
      <table className="wb-Changes">
        <caption>{trans.__("Every choice of new circuits within the budget, each with its best ratings")}</caption>
        <thead>
          <tr>
            <th scope="col">{trans.__("Circuits")}</th>
            <th scope="col">{trans.__("Capacity, MW")}</th>
            <th scope="col">{trans.__("Mean price, $/MWh")}</th>
          </tr>
        </thead>
        <tbody>
          {choices
            .toSorted((a, b) => phi(a) - phi(b) || a.mw - b.mw)
            .map((choice) => (
              <tr key={choice.circuits.map(({ copy_of: copied }) => String(copied)).join(" ")}>
                <th scope="row">{capitalised(name(choice))}</th>
                <td>{formatMw(choice.mw)}</td>
                <td title={choice.reason ?? undefined}>
                  {choice.outcome === null ? trans.__("no solution") : formatPrice(choice.outcome.best.phi)}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

interface OutcomeProps {
  goal: PlanGoal;
  outcome: PlanOutcomeJson;
  isEmpty: boolean;
}

function Outcome({ goal, outcome, isEmpty }: OutcomeProps): ReactElement {
  const { baseline, best, ended } = outcome;
  return (
    <dl className="wb-Plan-outcome">
      <div>
        <dt>{trans.__("Best verified within the budget")}</dt>
        <dd>
          {isEmpty
            ? trans.__("none better than the start, %1 $/MWh", formatPrice(baseline.phi))
            : trans.__(
                "%1 \u2192 %2 $/MWh (%3)",
                formatPrice(baseline.phi),
                formatPrice(best.phi),
                formatPhi(best.phi - baseline.phi),
              )}
        </dd>
      </div>
      <div>
        <dt>{trans.__("Objective")}</dt>
        <dd>
          {trans.__(
            "%1 $/h (%2)",
            formatMoney(best.objective),
            formatMoney(best.objective - baseline.objective, { signed: true }),
          )}
        </dd>
      </div>
      <div>
        <dt>{trans.__("Used")}</dt>
        <dd>{usedText(goal, outcome)}</dd>
      </div>
      <div>
        <dt>{trans.__("Ended")}</dt>
        <dd>{planEndText(ended)}</dd>
      </div>
    </dl>
  );
}

/** The part of its limits that a plan has used. */
function usedText({ spec, formulation, choices }: PlanGoal, outcome: PlanOutcomeJson): string {
  const values = [
    formatMw(outcome.spent_budget_mw),
    formatMw(spec.budget_mw),
    planUnit(spec, formulation),
    formatCount(outcome.proposal.length),
    formatCount(mostChanged(spec)),
    formatCount(outcome.exact_solves),
    formatCount(spec.exact_solve_budget),
  ] as const;
  if (choices !== undefined) {
    const [spent, budget, unit, , , solves] = values;
    return trans._n(
      "%2 of %3 %4, %5 exact solves for %6 choice of circuits",
      "%2 of %3 %4, %5 exact solves for %6 choices of circuits",
      choices.length,
      ...[spent, budget, unit, solves, formatCount(choices.length)],
    );
  }
  return isOfBuses(decisionOf(spec))
    ? trans.__("%1 of %2 %3, %4 of %5 buses, %6 of %7 exact solves", ...values)
    : trans.__("%1 of %2 %3, %4 of %5 lines, %6 of %7 exact solves", ...values);
}

function Course({ trials, from }: { trials: readonly PlanTrial[]; from: number }): ReactElement {
  const { best, tried } = planCourse(trials, from);
  const at = (x: number): string => {
    const point = tried.find((one) => one.x === x);
    return point === undefined ? trans.__("no solution") : formatPhi(point.y);
  };
  const hover = (points: readonly { x: number; y: number }[]): string[] =>
    points.map(({ x, y }) => trans.__("solve %1: %2 $/MWh", x, formatPhi(y)));
  const split = (accepted: boolean): { x: number; y: number }[] => tried.filter((one) => one.accepted === accepted);
  const [accepted, rejected] = [split(true), split(false)];
  return (
    <ChartFigure
      title={trans.__("Mean price after each solve")}
      summary={trans.__(
        "Change of the mean price from the start: the line is the best so far, rings are trials, rejected ones off the line. After %1 solves %2 $/MWh.",
        formatCount(best.length),
        formatPhi(best.at(-1)?.y ?? 0),
      )}
      chart={{
        traces: [
          { name: trans.__("best"), kind: "line", tone: "main", points: best, hover: hover(best), unlisted: true },
          {
            name: trans.__("accepted"),
            kind: "point",
            tone: "second",
            points: accepted,
            hover: hover(accepted),
            unlisted: true,
          },
          ...(rejected.length === 0
            ? []
            : [
                {
                  name: trans.__("rejected"),
                  kind: "point" as const,
                  tone: "warning" as const,
                  points: rejected,
                  hover: hover(rejected),
                  unlisted: true,
                },
              ]),
        ],
        x: { title: trans.__("Exact solve"), whole: true },
        y: { title: trans.__("Change, $/MWh") },
      }}
      table={{
        heads: [trans.__("Solve"), trans.__("Trial, $/MWh"), trans.__("Best, $/MWh")],
        rows: best.map(({ x, y }) => [String(x), x === 1 ? formatPhi(from) : at(x), formatPhi(y)]),
      }}
    />
  );
}

/** Kind of plan, and the prices to lower. */
function goalText(draft: PlanDraft): string {
  const scope = scopeText(draft);
  return draft.decision === "line_capacity" ? scope : trans.__("%1, %2", decisionName(draft.decision), scope);
}

/** The prices to lower, in words. */
function scopeText({ scope }: PlanDraft): string {
  switch (scope.kind) {
    case "network":
      return trans.__("whole network");
    case "area":
      return trans.__("area %1", scope.area);
    case "buses":
      return trans._n("%2 bus", "%2 buses", scope.buses.length, formatCount(scope.buses.length));
  }
}
