import type { Activity, RecordedLinks } from "../history/activityEvent.ts";
import { activityText } from "../history/activityText.ts";
import type { CommittedState } from "../history/committedState.ts";
import { editsOf, furtherEdits, sameEdits } from "../edits/edits.ts";
import type { StepEvent } from "../history/stepEvent.ts";
import { stepText } from "../history/stepText.ts";
import type { PlanGoal } from "../planning/plans.ts";
import type { CaseSession } from "../session/caseSession.ts";
import type { DecisionRecord, ExperimentRecord, GoalRecord, StateRecord, StudyRecord } from "./record.ts";

/** The states, experiments, goals, decisions and pointers of a session. */
export function studyRecord(session: CaseSession): StudyRecord {
  const { history, activity, plans, inspection, opened, live } = session;
  const experiments = activity.entries.map((entry) => [`e${entry.id}`, experimentOf(session, entry)] as const);
  const decided = activity.entries.flatMap((entry) => decisionOf(session, entry));
  return {
    formulation: live.solution.formulation,
    revision: live.revision,
    states: Object.fromEntries(history.states.map((state) => [key("s", state.id), stateRecord(state, opened)])),
    goals: Object.fromEntries(plans.goals.map((goal) => [key("g", goal.id), goalRecord(goal)])),
    experiments: Object.fromEntries(experiments),
    experiment_order: experiments.map(([id]) => id),
    decisions: Object.fromEntries(decided),
    inspected_state: key("s", (inspection.state ?? history.current).id),
    ...(history.recommended === null ? {} : { recommended_state: key("s", history.recommended.id) }),
    applied_state: key("s", history.current.id),
    ...(plans.active === null ? {} : { active_goal: key("g", plans.active.id) }),
  };
}

/**
 * Restores a Study in a session just opened at its base input: solves the applied state, adds all others unsolved, and
 * shows the inspected one. The record must be checked: references are valid, amounts are numbers. `hasBase` is false
 * where the base input was not saved, so that there is nothing to reset to. Rejects with EngineError.
 */
export async function restoreStudy(session: CaseSession, record: StudyRecord, hasBase: boolean): Promise<void> {
  const states = statesOf(record);
  const applied = states.find(({ id }) => id === idOf(record.applied_state));
  if (applied !== undefined) {
    await session.setFormulation(applied.formulation);
    if (!sameEdits(applied.edits, session.live.edits)) {
      await session.commit(applied.edits, session.live.revision);
    }
  }
  const pointer = (state: string | undefined): number | null => (state === undefined ? null : idOf(state));
  session.takeStudy({
    states,
    live: idOf(record.applied_state),
    recommended: pointer(record.recommended_state),
    goals: Object.entries(record.goals).map(goalOf),
    activeGoal: pointer(record.active_goal),
    entries: record.experiment_order.flatMap((id) => entryOf(id, record.experiments[id], record.decisions)),
    hasBase,
  });
  await session.inspection.show(idOf(record.inspected_state));
}

function key(table: "s" | "g" | "d", id: number): string {
  return `${table}${id}`;
}

function idOf(key: string): number {
  return Number(key.slice(1));
}

function stateRecord(state: CommittedState, opened: CaseSession["opened"]): StateRecord {
  const { name, note, formulation, parent, edits, revision, at, objective, resultSha256, solveMs, remote } = state;
  return {
    label: name ?? stepText(state.event, opened),
    ...(name === null ? {} : { name }),
    ...(note === null ? {} : { note }),
    formulation,
    ...(parent === null ? {} : { parent: key("s", parent) }),
    deltas: { ...edits.deltas },
    rates: { ...edits.rates },
    ...furtherEdits(edits),
    ...(revision === null ? {} : { revision }),
    at: new Date(at).toISOString(),
    ...(objective === null ? {} : { objective }),
    ...(resultSha256 === "" ? {} : { result_sha256: resultSha256 }),
    ...(solveMs === null ? {} : { solve_ms: solveMs }),
    ...(remote ? { remote } : {}),
  };
}

function statesOf({ states }: StudyRecord): CommittedState[] {
  const eventOf = (state: StateRecord): StepEvent => {
    const parent = state.parent === undefined ? undefined : states[state.parent];
    if (parent === undefined) {
      return { kind: "base" };
    }
    return parent.formulation === state.formulation
      ? { kind: "edit", before: editsOf(parent), after: editsOf(state), formulation: state.formulation }
      : { kind: "formulation", before: parent.formulation, after: state.formulation };
  };
  const found = Object.entries(states).map(([id, state]) => ({
    id: idOf(id),
    parent: state.parent === undefined ? null : idOf(state.parent),
    revision: state.revision ?? null,
    name: state.name ?? null,
    note: state.note ?? null,
    event: eventOf(state),
    edits: editsOf(state),
    formulation: state.formulation,
    remote: state.remote ?? false,
    at: Date.parse(state.at),
    objective: state.objective ?? null,
    resultSha256: state.result_sha256 ?? "",
    solveMs: state.solve_ms ?? null,
  }));
  return found.sort((a, b) => a.id - b.id);
}

function goalRecord({ label, note, scope, formulation, start, spec, outcome, candidate }: PlanGoal): GoalRecord {
  return {
    label,
    ...(note === undefined ? {} : { note }),
    ...(scope === undefined ? {} : { scope }),
    formulation,
    start_state: key("s", start),
    spec,
    ...(outcome === null ? {} : { outcome }),
    ...(candidate === null ? {} : { candidate_state: key("s", candidate) }),
  };
}

function goalOf([id, goal]: [string, GoalRecord]): PlanGoal {
  const { start_state, outcome = null, candidate_state, ...rest } = goal;
  const candidate = candidate_state === undefined ? null : idOf(candidate_state);
  return { ...rest, id: idOf(id), start: idOf(start_state), outcome, candidate };
}

function experimentOf(session: CaseSession, { id, at, ms, remote, event }: Activity): ExperimentRecord {
  const { kind, label, result, failed } = activityText(event, session.opened);
  return {
    kind,
    label,
    result,
    at: new Date(at).toISOString(),
    ...(failed ? { failed } : {}),
    ...(ms === null ? {} : { ms }),
    ...(remote ? { remote } : {}),
    ...(event.kind === "recorded" ? linksThatHold(session, event.links) : {}),
    ...(kind === "decision" ? { decision: key("d", id) } : {}),
  };
}

/** The decision of an entry, in the wording of its file where it has one; null for other entries. */
function decisionOf(session: CaseSession, { id, at, event }: Activity): [string, DecisionRecord][] {
  const { kind, label, result } = activityText(event, session.opened);
  if (kind !== "decision") {
    return [];
  }
  const { state, goal, ...saved } = (event.kind === "recorded" ? event.links.decision : undefined) ?? {};
  const links = linksThatHold(session, { ...(state && { state }), ...(goal && { goal }) });
  return [[key("d", id), { label, result, at: new Date(at).toISOString(), ...saved, ...links }]];
}

/** References of a saved entry that are still valid. */
function linksThatHold(
  { history, plans }: CaseSession,
  { state, goal, trial }: RecordedLinks,
): Pick<ExperimentRecord, "state" | "goal" | "trial"> {
  const hasState = state !== undefined && history.stateOf(idOf(state)) !== null;
  const hasGoal = goal !== undefined && plans.goals.some(({ id }) => id === idOf(goal));
  return {
    ...(hasState ? { state } : {}),
    ...(hasGoal ? { goal, ...(trial === undefined ? {} : { trial }) } : {}),
  };
}

function entryOf(
  id: string,
  experiment: ExperimentRecord | undefined,
  decisions: StudyRecord["decisions"],
): Activity[] {
  if (experiment === undefined) {
    return [];
  }
  const { kind, label, result, failed = false, at, ms = null, remote = false } = experiment;
  const { state, goal, trial, decision } = experiment;
  const decided = decisions[decision ?? ""];
  const links: RecordedLinks = {
    ...(state === undefined ? {} : { state }),
    ...(goal === undefined ? {} : { goal }),
    ...(trial === undefined ? {} : { trial }),
    ...(decided === undefined ? {} : { decision: decided }),
  };
  const event = { kind: "recorded", entry: { kind, label, result, failed }, links } as const;
  return [{ id: idOf(id), at: Date.parse(at), ms, remote, event }];
}
