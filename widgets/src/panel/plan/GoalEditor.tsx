import { type ReactElement, useEffect, useId, useRef, useState } from "react";
import { formatCount, trans } from "../../text/index.ts";
import {
  bindingRows,
  type BoxRequest,
  busesAt,
  busesWithDemand,
  candidatesOf,
  canRise,
  type CaseSession,
  editUnit,
  inCaseOrder,
  isOfBuses,
  linesAmong,
  type PlanDecision,
  type PlanDraft,
  type PlanScope,
  planWeights,
  selectedBuses,
  selectedEquipment,
  selectedLines,
  type SelectableKind,
  ratingShadows,
  takesDemand,
  withCandidates,
} from "../../workspace/index.ts";
import { decisionName } from "./decisionName.ts";
import { CandidateList } from "./CandidateList.tsx";
import { useSignal } from "../../ui/useSignal.ts";
import { Amount } from "./Amount.tsx";

export interface DraftProps {
  session: CaseSession;
  draft: PlanDraft;
  change(part: Partial<PlanDraft>): void;
}

/** Editor of a plan's specification: the decision, the prices to lower, the candidates and the limits. */
export function GoalEditor({ session, draft, change }: DraftProps): ReactElement {
  return (
    <>
      <Decision draft={draft} change={change} />
      <h4>{trans.__("Lower the prices of")}</h4>
      <Objective session={session} draft={draft} change={change} />
      <h4>{candidatesTitle(draft)}</h4>
      <Candidates session={session} draft={draft} change={change} />
      <h4>{trans.__("Limits")}</h4>
      <Limits session={session} draft={draft} change={change} />
    </>
  );
}

const DECISIONS: readonly PlanDecision[] = ["line_capacity", "demand_placement", "demand_redistribution"];

function Decision({ draft, change }: Pick<DraftProps, "draft" | "change">): ReactElement {
  const name = useId();
  return (
    <>
      <h4>{trans.__("What to change")}</h4>
      <div className="wb-Plan-objective">
        <label htmlFor={name} className="wb-Plan-hidden">
          {trans.__("Kind of plan")}
        </label>
        <select
          id={name}
          data-plan="decision"
          value={draft.decision}
          onChange={({ target }) => {
            const decision = DECISIONS.find((one) => one === target.value);
            change({ decision: decision ?? "line_capacity" });
          }}
        >
          {DECISIONS.map((decision) => (
            <option key={decision} value={decision}>
              {decisionName(decision)}
            </option>
          ))}
        </select>
      </div>
      <p className="wb-Panel-hint">{decisionHint(draft.decision)}</p>
    </>
  );
}

function decisionHint(decision: PlanDecision): string {
  switch (decision) {
    case "line_capacity":
      return trans.__("Raises ratings of lines.");
    case "demand_placement":
      return trans.__("Adds new demand at the buses where it raises the prices least.");
    case "demand_redistribution":
      return trans.__("Moves demand from bus to bus; the total stays the same.");
  }
}

function candidatesTitle(draft: PlanDraft): string {
  const count = formatCount(candidatesOf(draft).length);
  return isOfBuses(draft.decision)
    ? trans.__("Buses where demand may change: %1", count)
    : trans.__("Lines that may be raised: %1", count);
}

function Limits({ session, draft, change }: DraftProps): ReactElement {
  const { decision } = draft;
  const ofBuses = isOfBuses(decision);
  const unit = editUnit(ofBuses ? "bus" : "branch", session.formulation);
  return (
    <div className="wb-Plan-limits">
      <Amount label={budgetLabel(decision)} unit={unit} value={draft.budget} set={(budget) => change({ budget })} />
      <Amount
        label={trans.__("Increment")}
        unit={unit}
        value={draft.increment}
        set={(increment) => change({ increment })}
      />
      <Amount
        label={ofBuses ? trans.__("Maximum per bus") : trans.__("Maximum per line")}
        unit={unit}
        value={draft.mostEach}
        set={(mostEach) => change({ mostEach })}
      />
      <Amount
        label={ofBuses ? trans.__("Maximum number of buses") : trans.__("Maximum number of lines")}
        whole
        value={draft.mostElements}
        set={(mostElements) => change({ mostElements })}
      />
      <Amount
        label={trans.__("Maximum number of exact solves")}
        whole
        value={draft.solves}
        set={(solves) => change({ solves })}
      />
    </div>
  );
}

function budgetLabel(decision: PlanDecision): string {
  switch (decision) {
    case "line_capacity":
      return trans.__("Budget");
    case "demand_placement":
      return trans.__("Demand to place");
    case "demand_redistribution":
      return trans.__("Maximum demand moved");
  }
}

function Objective({ session, draft, change }: DraftProps): ReactElement {
  const { opened } = session;
  const name = useId();
  const areas = [...new Set(opened.buses.flatMap(({ area }) => (area === null ? [] : [area])))].sort((a, b) => a - b);
  const buses = selectedEquipment(session.selected, opened);
  const { scope, weights } = draft;
  const chosen = scope.kind === "area" ? `area ${scope.area}` : scope.kind;
  const choose = (value: string): void => {
    const [kind, area] = value.split(" ");
    const next: PlanScope =
      kind === "area" ? { kind, area: Number(area) } : kind === "buses" ? { kind, buses } : { kind: "network" };
    change({ scope: next });
  };
  const count = planWeights(draft, opened, session.store.columns).length;
  return (
    <>
      <div className="wb-Plan-objective">
        <label htmlFor={`${name} scope`} className="wb-Plan-hidden">
          {trans.__("Whose prices")}
        </label>
        <select id={`${name} scope`} value={chosen} onChange={({ target }) => choose(target.value)}>
          <option value="network">{trans.__("Whole network")}</option>
          {areas.length < 2
            ? null
            : areas.map((area) => (
                <option key={area} value={`area ${area}`}>
                  {trans.__("Area %1", area)}
                </option>
              ))}
          <option value="buses">{trans.__("Selected equipment")}</option>
        </select>
        <label htmlFor={`${name} weights`} className="wb-Plan-hidden">
          {trans.__("Weights of the prices")}
        </label>
        <select
          id={`${name} weights`}
          value={weights}
          onChange={({ target }) => change({ weights: target.value === "equal" ? "equal" : "demand" })}
        >
          <option value="demand">{trans.__("by demand")}</option>
          <option value="equal">{trans.__("all buses equally")}</option>
        </select>
        {scope.kind === "buses" ? (
          <button
            type="button"
            className="wb-Button"
            disabled={buses.length === 0}
            onClick={() => change({ scope: { kind: "buses", buses } })}
          >
            {trans._n("Use %2 selected bus", "Use %2 selected buses", buses.length, formatCount(buses.length))}
          </button>
        ) : null}
      </div>
      <p className="wb-Panel-hint">
        {count > 0
          ? trans._n("Mean price of %2 bus, $/MWh.", "Mean price of %2 buses, $/MWh.", count, formatCount(count))
          : scope.kind === "buses" && scope.buses.length === 0
            ? trans.__(
                "Select buses or lines on the map or in a table, then use them here: a line counts as the buses at its ends.",
              )
            : trans.__("These buses have no demand: weight all buses equally.")}
      </p>
    </>
  );
}

function Candidates({ session, draft, change }: DraftProps): ReactElement {
  const { opened, selected, store } = session;
  const choice = useId();
  const ofBuses = isOfBuses(draft.decision);
  const kind = ofBuses ? "bus" : "branch";
  const candidates = candidatesOf(draft);
  const set = (ids: readonly number[]): void => change(withCandidates(draft, ids));
  const add = (ids: readonly number[]): void => set(inCaseOrder(kind, [...candidates, ...ids], opened));
  const shadow = ratingShadows(store.columns, session.state.solution, opened);
  const binding = (shadow === null ? [] : bindingRows(shadow)).map((row) => opened.branches[row]?.id ?? -1);
  return (
    <>
      <div className="wb-Plan-pick" role="group" aria-label={ofBuses ? trans.__("Add buses") : trans.__("Add lines")}>
        {ofBuses ? (
          <>
            <AddButton text={trans.__("Selected buses")} ids={selectedBuses(selected, opened)} add={add} />
            <AddButton text={trans.__("Ends of binding lines")} ids={unique(busesAt(binding, opened))} add={add} />
            <AddButton
              text={trans.__("Buses with demand")}
              ids={busesWithDemand(draft, opened, store.columns)}
              add={add}
            />
          </>
        ) : (
          <>
            <AddButton text={trans.__("Binding lines")} ids={binding.filter((id) => canRise(opened, id))} add={add} />
            <AddButton text={trans.__("Selected lines")} ids={selectedLines(selected, opened)} add={add} />
            <AddButton text={trans.__("Lines among selected buses")} ids={linesAmong(selected, opened)} add={add} />
          </>
        )}
        <BoxButton key={kind} session={session} kind={kind} add={add} />
        {candidates.length === 0 ? null : (
          <button type="button" className="wb-Button" onClick={() => set([])}>
            {trans.__("Remove all")}
          </button>
        )}
      </div>
      {candidates.length === 0 ? (
        <p className="wb-Panel-hint">
          {ofBuses
            ? trans.__(
                "Draw a box on the map, or select buses there or in the table of buses, with Ctrl for several, and add them.",
              )
            : trans.__(
                "Draw a box on the map, or select lines there or in the table of lines, with Ctrl for several, and add them.",
              )}
        </p>
      ) : (
        <CandidateList
          session={session}
          kind={kind}
          ids={candidates}
          remove={(id) => set(candidates.filter((one) => one !== id))}
        />
      )}
      {ofBuses ? null : (
        <>
          <div className="wb-Plan-objective">
            <label htmlFor={choice} className="wb-Plan-hidden">
              {trans.__("What may be built")}
            </label>
            <select
              id={choice}
              data-plan="circuits"
              value={draft.circuits ? "circuits" : "ratings"}
              onChange={({ target }) => change({ circuits: target.value === "circuits" })}
            >
              <option value="ratings">{trans.__("Higher ratings")}</option>
              <option value="circuits">{trans.__("Higher ratings and parallel circuits")}</option>
            </select>
          </div>
          {draft.circuits ? (
            <p className="wb-Panel-hint">
              {trans.__(
                "A parallel circuit copies its line and takes its rating from the budget. Every choice of circuits is solved exactly, each with a plan of ratings of its own.",
              )}
            </p>
          ) : null}
        </>
      )}
    </>
  );
}

/** Starts a box selection on the map and adds the elements inside. */
function BoxButton({
  session,
  kind,
  add,
}: {
  session: CaseSession;
  kind: SelectableKind;
  add(ids: readonly number[]): void;
}): ReactElement {
  const { boxPick, opened } = session;
  useSignal(boxPick.changed);
  const button = useRef<HTMLButtonElement>(null);
  const [own, setOwn] = useState<BoxRequest | null>(null);
  const [unseen, setUnseen] = useState(false);
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(
    () => () => {
      if (own !== null && boxPick.request === own) {
        boxPick.end();
      }
    },
    [boxPick, own],
  );
  const requested = own !== null && boxPick.request === own;
  const ask = (): void => {
    if (requested) {
      boxPick.end();
      return;
    }
    const back = (): void => button.current?.focus({ preventScroll: true });
    const request: BoxRequest = {
      kind,
      accepts: (id) => (kind === "bus" ? takesDemand(opened, id) : canRise(opened, id)),
      take: (ids) => {
        latest.current(ids);
        back();
      },
      given: back,
    };
    setOwn(request);
    setUnseen(!boxPick.ask(request));
  };
  return (
    <>
      <button type="button" className="wb-Button" data-action="box" ref={button} aria-pressed={requested} onClick={ask}>
        {kind === "bus" ? trans.__("+ Buses in a box on the map") : trans.__("+ Lines in a box on the map")}
      </button>
      {unseen ? <p role="alert">{trans.__("No map of this case is visible: bring one into view first.")}</p> : null}
    </>
  );
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function AddButton({
  text,
  ids,
  add,
}: {
  text: string;
  ids: readonly number[];
  add(ids: readonly number[]): void;
}): ReactElement {
  return (
    <button type="button" className="wb-Button" disabled={ids.length === 0} onClick={() => add(ids)}>
      {trans.__("+ %1 (%2)", text, formatCount(ids.length))}
    </button>
  );
}
