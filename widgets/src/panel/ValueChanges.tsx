import type { BranchEdit, GeneratorEdit } from "@service/engine";
import type { ReactElement } from "react";
import { branchValueName, branchValueText, formatAmount, generatorValueWords, trans } from "../text/index.ts";
import {
  baseCost,
  BRANCH_FIELDS,
  type CaseSession,
  editUnit,
  GENERATOR_FIELDS,
  isInServiceInCase,
  type Selection,
} from "../workspace/index.ts";
import { ElementLink } from "./sections/ElementLink.tsx";

/** Rows of the table of changes: every value of a generator or branch that replaces that of the case. */
export function ValueChanges({ session }: { session: CaseSession }): ReactElement {
  const { generators = {}, branches = {} } = session.state.edits;
  const ofUnits = Object.entries(generators).flatMap(([key, edit]) =>
    GENERATOR_FIELDS.filter((field) => edit[field] !== undefined).map((field) =>
      generatorRow(session, key, edit, field),
    ),
  );
  const ofLines = Object.entries(branches).flatMap(([key, edit]) =>
    BRANCH_FIELDS.filter((field) => edit[field] !== undefined).map((field) => branchRow(session, key, edit, field)),
  );
  return (
    <>
      {[...ofUnits, ...ofLines].map(({ key, ...row }) => (
        <ValueChange key={key} session={session} {...row} />
      ))}
    </>
  );
}

interface ValueRow {
  key: string;
  element: Selection;
  /** Name of the value, with its unit where the cells have none. */
  value: string;
  /** The value of the case; empty where the page does not know it. */
  base: string;
  now: string;
  reset(): Promise<void>;
}

function ValueChange({
  session,
  element,
  value,
  base,
  now,
  reset,
}: Omit<ValueRow, "key"> & { session: CaseSession }): ReactElement {
  return (
    <tr>
      <th scope="row">
        <ElementLink session={session} element={element} />
        <span className="wb-unit"> {value}</span>
      </th>
      <td>{base}</td>
      <td>{now}</td>
      <td>
        <button
          type="button"
          className="wb-Button"
          disabled={!session.showsLive}
          aria-label={trans.__("Reset %1: %2", session.opened.nameOf(element.kind, element.id), value)}
          onClick={() => void reset().catch(() => undefined)}
        >
          {trans.__("Reset")}
        </button>
      </td>
    </tr>
  );
}

function generatorRow(
  session: CaseSession,
  key: string,
  edit: GeneratorEdit,
  field: (typeof GENERATOR_FIELDS)[number],
): ValueRow {
  const id = Number(key);
  const isOther = field === "cost" || field === "p_min";
  const element: Selection = isOther ? { kind: "generator", id, value: field } : { kind: "generator", id };
  const row = {
    key: `generator ${key} ${field}`,
    element,
    reset: () => session.setGenerator(id, { [field]: undefined }),
  };
  if (field === "status") {
    return { ...row, ...statusTexts(session, element, edit.status, trans.__("on"), trans.__("off")) };
  }
  const { name, unit } = generatorValueWords(field);
  const known = session.opened.generators[session.opened.generatorRow(id)];
  const bases = { p_min: known?.p_min_mw, p_max: known?.p_max_mw, cost: known && baseCost(known) };
  const [base, value] = [bases[field] ?? null, edit[field] ?? 0];
  return {
    ...row,
    value: trans.__("%1, %2", name, unit),
    base: base === null ? trans.__("no limit") : formatAmount(base, unit),
    now: base === null ? formatAmount(value, unit) : formatAmount(value - base, unit, { signed: true }),
  };
}

function branchRow(
  session: CaseSession,
  key: string,
  edit: BranchEdit,
  field: (typeof BRANCH_FIELDS)[number],
): ValueRow {
  const id = Number(key);
  const isValue = field === "x" || field === "tap" || field === "shift";
  const element: Selection = isValue ? { kind: "branch", id, value: field } : { kind: "branch", id };
  const row = { key: `branch ${key} ${field}`, element, reset: () => session.setBranch(id, { [field]: undefined }) };
  if (field === "status") {
    const [on, off] = [trans.__("in service"), trans.__("out of service")];
    return { ...row, ...statusTexts(session, element, edit.status, on, off) };
  }
  const unit = editUnit("branch", session.formulation);
  const base = session.opened.baseOrNone(element);
  return {
    ...row,
    value: branchValueName(field),
    base: base === null ? "" : branchValueText(field, base, unit),
    now: branchValueText(field, edit[field] ?? 0, unit),
  };
}

function statusTexts(
  { opened }: CaseSession,
  element: Selection,
  status: boolean | undefined,
  on: string,
  off: string,
): Pick<ValueRow, "value" | "base" | "now"> {
  return {
    value: trans.__("status"),
    base: isInServiceInCase(opened, element) ? on : off,
    now: status === true ? on : off,
  };
}
