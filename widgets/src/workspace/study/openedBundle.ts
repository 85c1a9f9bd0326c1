import type { StateNode, StudyArtifact, StudyBundle, StudyDocument } from "@service/engine";
import { trans, visibleText } from "../../text/index.ts";
import type { Selection } from "../cases/selection.ts";
import type { Drawing } from "../geography/drawing.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { editsOf } from "../edits/edits.ts";
import type { CaseSession } from "../session/caseSession.ts";
import type { DecisionRecord, ExperimentRecord, GoalRecord, StateRecord, StudyRecord } from "./record.ts";
import { openedAs } from "./studyAbout.ts";
import { restoreStudy } from "./studyRecords.ts";

/** The module of the applied state: the case on which a session is opened. */
export function inputOf({ document, artifacts }: StudyBundle): { sha256: string; moduleJson: string } {
  const { input: sha256 } = document.states[document.applied_state] as StateNode; // verified: bundles are checked when they are read
  return { sha256, moduleJson: (artifacts[sha256] as StudyArtifact).text };
}

/**
 * Restores a checked bundle in a session just opened on its input: positions and drawing, states, plans, activity and
 * selection. The status reports where the applied state has another result here than in the file. Rejects with
 * EngineError.
 */
export async function takeBundle(session: CaseSession, bundle: StudyBundle): Promise<void> {
  const { document } = bundle;
  openedAs(session, { id: document.id, title: document.title, caseId: document.case.id });
  await takeDisplay(session.opened, bundle);
  await restoreStudy(session, recordOf(document), document.base_input !== undefined);
  const stored = document.states[document.applied_state]?.result_sha256;
  const { solution, revision } = session.live;
  if (stored !== undefined && stored !== solution.result_sha256) {
    const here = solution.result_sha256.slice(0, 12);
    session.remark(revision, trans.__("The result here is %1, in the file %2.", here, stored.slice(0, 12)));
  }
  const view = document.display?.view;
  session.previewMode = view?.preview_mode === "first_order" ? "first_order" : "exact";
  const { quantity, lines, camera } = view ?? {};
  session.view.restore({
    ...(quantity === undefined ? {} : { quantity }),
    ...(lines === undefined ? {} : { lines }),
    ...(camera === undefined ? {} : { camera }),
  });
  const selection = view?.selection ?? [];
  if (selection.length > 0) {
    // Elements of the file that the case does not have are ignored.
    void session.selectMany(selection.map(({ kind, id }) => ({ kind, id }) as Selection));
  }
}

/** The states on the input of the applied one, and the records that refer to them, with ids in the form of the page. */
function recordOf(document: StudyDocument): StudyRecord {
  const { input } = document.states[document.applied_state] as StateNode;
  const states = Object.entries(document.states).filter(([, state]) => state.input === input);
  const ids = {
    s: numbered(
      "s",
      states.map(([id]) => id),
    ),
    ...tables(document),
  };
  const stateId = (id: string | undefined): string | undefined => (id === undefined ? undefined : ids.s.get(id));
  const applied = stateId(document.applied_state) as string;
  const goals = Object.entries(document.goals).flatMap(([id, goal]) => {
    const start = stateId(goal.start_state);
    const candidate = stateId(goal.candidate_state);
    const { candidate_state: _, ...rest } = goal;
    const record: GoalRecord = {
      ...{ ...rest, start_state: start ?? applied },
      ...(candidate === undefined ? {} : { candidate_state: candidate }),
    };
    return start === undefined ? [] : [[ids.g.get(id) as string, record] as const];
  });
  const goalIds = new Set(goals.map(([id]) => id));
  /** References to restored records, by their ids here. */
  const linksOf = (from: { state?: string; goal?: string }): { state?: string; goal?: string } => {
    const state = stateId(from.state);
    const goal = ids.g.get(from.goal ?? "");
    return { ...(state === undefined ? {} : { state }), ...(goal === undefined || !goalIds.has(goal) ? {} : { goal }) };
  };
  const decisions = Object.entries(document.decisions).map(
    ([id, { label, result, note, at, ...links }]): [string, DecisionRecord] => [
      ids.d.get(id) as string,
      { label, result, at, ...(note === undefined ? {} : { note }), ...linksOf(links) },
    ],
  );
  const experiments = Object.entries(document.experiments).map(([id, experiment]): [string, ExperimentRecord] => {
    const { kind, label, result, failed, at, ms, remote, trial } = experiment;
    const links = linksOf(experiment);
    const decision = ids.d.get(experiment.decision ?? "");
    const more = {
      ...(failed ? { failed } : {}),
      ...(ms === undefined ? {} : { ms }),
      ...(remote ? { remote } : {}),
      ...links,
      ...(trial === undefined || links.goal === undefined ? {} : { trial }),
      ...(decision === undefined ? {} : { decision }),
    };
    return [ids.e.get(id) as string, { kind, label, result, at, ...more }];
  });
  const unlogged = unloggedDecisions(decisions, experiments);
  const recommended = stateId(document.recommended_state);
  const active = document.active_goal === undefined ? undefined : ids.g.get(document.active_goal);
  return {
    formulation: document.formulation,
    revision: document.revision,
    states: Object.fromEntries(states.map(([id, state]) => [ids.s.get(id) as string, stateOf(state, stateId)])),
    goals: Object.fromEntries(goals),
    experiments: Object.fromEntries([...experiments, ...unlogged]),
    experiment_order: [
      ...document.experiment_order.map((id) => ids.e.get(id) as string),
      ...unlogged.map(([id]) => id),
    ],
    decisions: Object.fromEntries(decisions),
    inspected_state: stateId(document.inspected_state) ?? applied,
    applied_state: applied,
    ...(recommended === undefined ? {} : { recommended_state: recommended }),
    ...(active !== undefined && goalIds.has(active) ? { active_goal: active } : {}),
  };
}

/** Log entries for decisions that the activity lacks, so that no decision is lost. */
function unloggedDecisions(
  decisions: readonly [string, DecisionRecord][],
  experiments: readonly [string, ExperimentRecord][],
): [string, ExperimentRecord][] {
  const logged = new Set(experiments.map(([, { decision }]) => decision));
  const last = Math.max(0, ...experiments.map(([id]) => Number(id.slice(1))));
  return decisions
    .filter(([id]) => !logged.has(id))
    .map(([decision, { label, result, at }], k) => [
      `e${last + 1 + k}`,
      { kind: "decision", label, result, at, decision },
    ]);
}

function tables({
  goals,
  experiments,
  experiment_order,
  decisions,
}: StudyDocument): Record<"g" | "e" | "d", Map<string, string>> {
  const order = experiment_order.length > 0 ? experiment_order : Object.keys(experiments);
  return {
    g: numbered("g", Object.keys(goals)),
    e: numbered("e", order),
    d: numbered("d", Object.keys(decisions)),
  };
}

/** Ids of the form `s3`: ids of other writers are renumbered after them. */
function numbered(table: string, ids: readonly string[]): Map<string, string> {
  const own = new RegExp(`^${table}(0|[1-9][0-9]{0,8})$`);
  let next = Math.max(-1, ...ids.map((id) => Number(own.exec(id)?.[1] ?? -1))) + 1;
  return new Map(ids.map((id) => [id, own.test(id) ? id : `${table}${next++}`]));
}

function stateOf(state: StateNode, idOf: (id: string | undefined) => string | undefined): StateRecord {
  const { label, name, note, formulation, revision, at, objective, result_sha256, solve_ms } = state;
  const given = { name, note, parent: idOf(state.parent), revision, objective, result_sha256, solve_ms };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { label, formulation, at, ...editsOf(state), ...known, ...(state.remote ? { remote: true } : {}) };
}

async function takeDisplay(opened: OpenedCase, { document, artifacts }: StudyBundle): Promise<void> {
  const { geography } = opened;
  const { layers = [], drawing } = document.display ?? {};
  if (geography.moduleJson === opened.moduleJson) {
    for (const { name, artifact } of layers) {
      const text = artifacts[artifact]?.text ?? "";
      await geography.applyLayer(new TextEncoder().encode(text), name);
    }
  }
  const stored =
    drawing === undefined ? null : drawingOf(artifacts[drawing.artifact]?.text ?? "", geography.graph.busCount);
  if (stored !== null) {
    geography.setDrawing(stored);
  }
}

/** A stored drawing of a network with `busCount` buses; null where it does not match. */
function drawingOf(text: string, busCount: number): Drawing | null {
  const { x, y, routes, source, buses, branches } = JSON.parse(text) as Record<string, unknown>;
  const numbers = (value: unknown): Float64Array | null =>
    Array.isArray(value) && value.length === busCount && value.every((one) => one === null || Number.isFinite(one))
      ? Float64Array.from(value as (number | null)[], (one) => one ?? NaN)
      : null;
  const isPoint = (point: unknown): boolean =>
    Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  const isRoute = (route: unknown): boolean =>
    Array.isArray(route) && Number.isInteger(route[0]) && Array.isArray(route[1]) && route[1].every(isPoint);
  const [xs, ys] = [numbers(x), numbers(y)];
  if (xs === null || ys === null || !Array.isArray(routes) || !routes.every(isRoute) || typeof source !== "string") {
    return null;
  }
  const positions = { x: xs, y: ys, routes: new Map(routes as [number, [number, number][]][]) };
  return { positions, source: visibleText(source), buses: Number(buses) || 0, branches: Number(branches) || 0 };
}
