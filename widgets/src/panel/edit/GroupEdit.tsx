import { type ReactElement, useId, useState } from "react";
import { type EditUnit, formatCount, parseNumber, parsePower, trans } from "../../text/index.ts";
import {
  type CaseSession,
  type ColumnElements,
  costCurveOf,
  editUnit,
  type GroupMode,
  groupMoves,
  type SelectionColumn,
  selectionColumns,
  type SessionChange,
} from "../../workspace/index.ts";
import { useSession } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["selection", "state", "status"];

function modes(): [mode: GroupMode, title: string][] {
  return [
    ["add", trans.__("Add")],
    ["factor", trans.__("Multiply by")],
    ["change", trans.__("Set the change to")],
    ["value", trans.__("Set to")],
  ];
}

/**
 * Changes one value of all selected elements as one commit. With buses selected and no line or generator, the lines
 * between the buses and the generators at them can be changed too.
 */
export function GroupEdit({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const [mode, setMode] = useState<GroupMode>("add");
  const [wanted, setWanted] = useState<SelectionColumn | null>(null);
  const [text, setText] = useState("");
  const [inService, setInService] = useState(false);
  const ids = useId();
  const { opened, state, selected, status } = session;
  const columns = selectionColumns(opened, state.edits, selected);
  const chosen = columns.find(({ column }) => column === wanted) ?? columns[0];
  const busy = status.kind === "solving" || status.kind === "waiting";
  // The status and the row of the primary element report failures.
  const quietly = (change: Promise<void>): void => void change.catch(() => undefined);
  if (chosen === undefined) {
    return <DeselectAll session={session} />;
  }
  const { column, elements } = chosen;
  const isStatus = column === "branch_status" || column === "generator_status";
  const unit = unitOfColumn(column, session);
  const amount = mode === "factor" ? parseNumber(text) : parsePower(text, unit);
  const apply = (): void => {
    if (isStatus) {
      quietly(session.setStatusOf(elements, inService));
    } else if (amount !== null) {
      const { moves, as } = groupMoves(opened, state.edits, elements, mode, amount);
      quietly(session.edit(moves, as));
    }
  };
  const shownUnit = mode === "factor" ? "" : unit;
  const curves = column === "cost" ? elements.filter((unit) => costCurveOf(session, unit) !== null).length : 0;
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
          aria-label={trans.__("What changes")}
          value={column}
          onChange={({ target }) => setWanted(columns.find(({ column }) => column === target.value)?.column ?? null)}
        >
          {columns.map((one) => (
            <option key={one.column} value={one.column}>
              {columnText(one)}
            </option>
          ))}
        </select>
        {isStatus ? (
          <select
            aria-label={trans.__("New status")}
            value={inService ? "in" : "out"}
            onChange={({ target }) => setInService(target.value === "in")}
          >
            <option value="out">{trans.__("Out of service")}</option>
            <option value="in">{trans.__("In service")}</option>
          </select>
        ) : (
          <>
            <select
              id={`${ids}-mode`}
              aria-label={trans.__("How they change")}
              value={mode}
              onChange={({ target }) => setMode(target.value as GroupMode)}
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
                aria-label={
                  shownUnit === ""
                    ? trans.__("Factor for all of them")
                    : trans.__("Amount for all of them, %1", shownUnit)
                }
                aria-invalid={text !== "" && amount === null}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <span className="wb-unit">{shownUnit}</span>
            </label>
          </>
        )}
        <button type="submit" className="wb-Button" disabled={busy || (!isStatus && amount === null)}>
          {trans._n("Apply to %2", "Apply to all %2", elements.length, formatCount(elements.length))}
        </button>
        <button
          type="button"
          className="wb-Button"
          disabled={busy}
          onClick={() =>
            quietly(
              isStatus
                ? session.setStatusOf(elements, null)
                : session.edit(elements.map((element) => ({ element, mw: 0 }))),
            )
          }
        >
          {trans.__("Reset them")}
        </button>
        <DeselectAll session={session} />
      </div>
      {curves === 0 ? null : (
        <p className="wb-Panel-hint">
          {trans._n(
            "%2 of them has a cost curve: its mean marginal cost between Pmin and Pmax is changed and replaces the curve.",
            "%2 of them have cost curves: the mean marginal cost of each between Pmin and Pmax is changed and replaces the curve.",
            curves,
            formatCount(curves),
          )}
        </p>
      )}
    </form>
  );
}

function DeselectAll({ session }: { session: CaseSession }): ReactElement {
  return (
    <button type="button" className="wb-Button" onClick={() => void session.select(null)}>
      {trans.__("Deselect all")}
    </button>
  );
}

function unitOfColumn(column: SelectionColumn, { formulation }: CaseSession): EditUnit {
  switch (column) {
    case "cost":
      return "$/MWh";
    case "rating":
      return editUnit("branch", formulation);
    default:
      return "MW";
  }
}

/** `Demand of 3 buses`, `Rating of 12 lines between them`. */
function columnText({ column, elements: { length }, implied }: ColumnElements): string {
  const count = formatCount(length);
  const lines = implied
    ? trans._n("%2 line between them", "%2 lines between them", length, count)
    : trans._n("%2 line", "%2 lines", length, count);
  const units = implied
    ? trans._n("%2 generator there", "%2 generators there", length, count)
    : trans._n("%2 generator", "%2 generators", length, count);
  switch (column) {
    case "demand":
      return trans._n("Demand of %2 bus", "Demand of %2 buses", length, count);
    case "rating":
      return trans.__("Rating of %1", lines);
    case "branch_status":
      return trans.__("Status of %1", lines);
    case "capacity":
      return trans.__("Capacity of %1", units);
    case "p_min":
      return trans.__("Pmin of %1", units);
    case "cost":
      return trans.__("Cost of %1", units);
    case "generator_status":
      return trans.__("Status of %1", units);
  }
}
