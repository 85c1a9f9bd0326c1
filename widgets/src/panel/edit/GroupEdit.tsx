import { type ReactElement, useId, useState } from "react";
import { formatCount, parsePower, trans } from "../../text/index.ts";
import {
  type BranchValue,
  type CaseSession,
  changeTo,
  type EditedValue,
  editedValue,
  editUnits,
  type ElementMove,
  type EntryMode,
  type Selection,
  type SessionChange,
} from "../../workspace/index.ts";
import { useSession } from "../sections/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["selection", "state", "status"];

function modes(): [mode: EntryMode, title: string][] {
  return [
    ["add", trans.__("Add")],
    ["change", trans.__("Set the change to")],
    ["value", trans.__("Set the total to")],
  ];
}

/** Changes all selected elements, or those of one kind, as one commit. */
export function GroupEdit({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const [mode, setMode] = useState<EntryMode>("add");
  const [what, setWhat] = useState<GroupValue | "all">("all");
  const [text, setText] = useState("");
  const ids = useId();
  const { selected, status } = session;
  const groups = groupsOf(selected);
  const mixed = groups.length > 1;
  const targets = groups.find((group) => mixed && group.what === what)?.elements ?? selected;
  const units = editUnits(targets, session.formulation);
  const mw = units.map((unit) => parsePower(text, unit)).find((value) => value !== null) ?? null;
  const busy = status.kind === "solving" || status.kind === "waiting";
  // The status and the row of the primary element report failures.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  const apply = (): void => {
    if (mw !== null) {
      quietly(session.edit(movesOf(session, targets, mode, mw), mode === "add" ? "increment" : "set"));
    }
  };
  return (
    <form
      className="wb-GroupEdit"
      aria-label={trans.__("Change all selected elements")}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="wb-GroupEdit-line">
        <select
          id={`${ids}-mode`}
          aria-label={trans.__("How they change")}
          value={mode}
          onChange={({ target }) => setMode(target.value as EntryMode)}
        >
          {modes().map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <label className="wb-MwEntry">
          <input
            type="text"
            inputMode="decimal"
            className="wb-Entry"
            aria-label={trans.__("For all selected elements, %1", units.join(", "))}
            aria-invalid={text !== "" && mw === null}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <span className="wb-unit">{units.join(", ")}</span>
        </label>
        {mixed ? (
          <select
            aria-label={trans.__("Which elements")}
            value={what}
            onChange={({ target }) => setWhat(target.value as GroupValue | "all")}
          >
            <option value="all">{trans.__("all")}</option>
            {groups.map((group) => (
              <option key={group.what} value={group.what}>
                {optionText(group.what)}
              </option>
            ))}
          </select>
        ) : null}
        <button type="submit" className="wb-Button" disabled={mw === null || busy}>
          {trans.__("Apply to %1", targetsText(targets))}
        </button>
        <button
          type="button"
          className="wb-Button"
          disabled={busy}
          onClick={() => quietly(session.edit(targets.map((element) => ({ element, mw: 0 }))))}
        >
          {trans.__("Reset them")}
        </button>
        <button type="button" className="wb-Button" onClick={() => void session.select(null)}>
          {trans.__("Deselect all")}
        </button>
      </div>
    </form>
  );
}

/** The same number for every element; totals are converted to changes from the base case. */
function movesOf(
  { opened, state }: CaseSession,
  targets: readonly Selection[],
  mode: EntryMode,
  mw: number,
): ElementMove[] {
  const to = (element: Selection): number =>
    mode === "value" ? changeTo(mw, opened.baseMw(element, state.edits)) : mw;
  return targets.map((element) => ({ element, mw: to(element) }));
}

/** Values that are changed together. */
type GroupValue = Exclude<EditedValue, BranchValue>;

/** Elements that share an edited quantity. */
interface Group {
  what: GroupValue;
  elements: readonly Selection[];
}

/** The selected elements grouped by edited quantity. */
function groupsOf(selected: readonly Selection[]): Group[] {
  return (["demand", "rating", "capacity", "cost"] as const)
    .map((what) => ({ what, elements: selected.filter((element) => editedValue(element) === what) }))
    .filter(({ elements }) => elements.length > 0);
}

function optionText(what: GroupValue): string {
  switch (what) {
    case "demand":
      return trans.__("buses");
    case "rating":
      return trans.__("lines");
    case "capacity":
      return trans.__("capacities");
    case "cost":
      return trans.__("costs");
  }
}

/** `3 demands and 2 ratings`. */
function targetsText(targets: readonly Selection[]): string {
  const [first = "", ...others] = groupsOf(targets).map(({ what, elements: { length } }) => {
    const count = formatCount(length);
    switch (what) {
      case "demand":
        return trans._n("%2 demand", "%2 demands", length, count);
      case "rating":
        return trans._n("%2 rating", "%2 ratings", length, count);
      case "capacity":
        return trans._n("%2 capacity", "%2 capacities", length, count);
      case "cost":
        return trans._n("%2 cost", "%2 costs", length, count);
    }
  });
  return others.reduce((text, other) => trans.__("%1 and %2", text, other), first);
}
