import type { BranchEdit, GeneratorEdit } from "@service/engine";
import type { ReactElement } from "react";
import { branchValueText, branchValueWords, formatAmount, generatorValueWords, trans } from "../text/index.ts";
import { baseCost, BRANCH_FIELDS, type CaseSession, GENERATOR_FIELDS } from "../workspace/index.ts";
import { ElementLink } from "./sections/ElementLink.tsx";

/** Rows of the table of changes: every value of a generator or branch that replaces that of the case. */
export function ValueChanges({ session }: { session: CaseSession }): ReactElement {
  return (
    <>
      <UnitChanges session={session} />
      <BranchChanges session={session} />
    </>
  );
}

function BranchChanges({ session }: { session: CaseSession }): ReactElement {
  const { opened } = session;
  const branches = Object.entries(session.state.edits.branches ?? {});
  return (
    <>
      {branches.flatMap(([key, edit]) =>
        BRANCH_FIELDS.filter((field) => edit[field] !== undefined).map((field) => {
          const id = Number(key);
          const [base, now] = branchValues(opened, id, edit, field);
          const text = field === "status" ? trans.__("status") : branchValueWords(field).name;
          return (
            <tr key={`${key} ${field}`}>
              <th scope="row">
                <ElementLink session={session} element={{ kind: "branch", id }} />
                <span className="wb-unit"> {text}</span>
              </th>
              <td>{base}</td>
              <td>{now}</td>
              <td>
                <button
                  type="button"
                  className="wb-Button"
                  disabled={!session.showsLive}
                  aria-label={trans.__("Reset %1: %2", opened.nameOf("branch", id), text)}
                  onClick={() => void session.setBranch(id, { [field]: undefined }).catch(() => undefined)}
                >
                  {trans.__("Reset")}
                </button>
              </td>
            </tr>
          );
        }),
      )}
    </>
  );
}

/** The value of the case where the page knows it, and that of the edit. */
function branchValues(
  opened: CaseSession["opened"],
  id: number,
  edit: BranchEdit,
  field: (typeof BRANCH_FIELDS)[number],
): [base: string, now: string] {
  if (field === "status") {
    const word = (on: boolean): string => (on ? trans.__("in service") : trans.__("out of service"));
    return [word(opened.branches[opened.branchRow(id)]?.status === 1), word(edit.status === true)];
  }
  const rating = field === "rating" ? opened.baseOrNone({ kind: "branch", id }) : null;
  return [rating === null ? "" : branchValueText(field, rating), branchValueText(field, edit[field] ?? 0)];
}

function UnitChanges({ session }: { session: CaseSession }): ReactElement {
  const generators = Object.entries(session.state.edits.generators ?? {});
  return (
    <>
      {generators.flatMap(([id, edit]) =>
        GENERATOR_FIELDS.filter((field) => edit?.[field] !== undefined).map((field) => (
          <UnitChange key={`${id} ${field}`} session={session} id={Number(id)} edit={edit ?? {}} field={field} />
        )),
      )}
    </>
  );
}

interface UnitChangeProps {
  session: CaseSession;
  id: number;
  edit: GeneratorEdit;
  field: (typeof GENERATOR_FIELDS)[number];
}

function UnitChange({ session, id, edit, field }: UnitChangeProps): ReactElement {
  const { opened } = session;
  const [base, now] = valuesOf(session, id, edit, field);
  const name = opened.nameOf("generator", id);
  return (
    <tr>
      <th scope="row">
        <ElementLink
          session={session}
          element={field === "cost" ? { kind: "generator", id, value: "cost" } : { kind: "generator", id }}
        />
        <span className="wb-unit"> {fieldText(field)}</span>
      </th>
      <td>{base}</td>
      <td>{now}</td>
      <td>
        <button
          type="button"
          className="wb-Button"
          disabled={!session.showsLive}
          aria-label={trans.__("Reset %1: %2", name, fieldText(field))}
          onClick={() => void session.setGenerator(id, { [field]: undefined }).catch(() => undefined)}
        >
          {trans.__("Reset")}
        </button>
      </td>
    </tr>
  );
}

function fieldText(field: UnitChangeProps["field"]): string {
  if (field === "status") {
    return trans.__("status");
  }
  const { name, unit } = generatorValueWords(field);
  return trans.__("%1, %2", name, unit);
}

/** The value of the case, and the change from it; of a status what it is. */
function valuesOf(
  { opened }: CaseSession,
  id: number,
  edit: GeneratorEdit,
  field: UnitChangeProps["field"],
): [base: string, now: string] {
  const unit = opened.generators[opened.generatorRow(id)];
  const word = (on: boolean): string => (on ? trans.__("on") : trans.__("off"));
  if (field === "status") {
    return [word(unit?.status === 1), word(edit.status === true)];
  }
  const amount = generatorValueWords(field).unit;
  const bases = { p_min: unit?.p_min_mw, p_max: unit?.p_max_mw, cost: unit && baseCost(unit) };
  const [base, value] = [bases[field] ?? null, edit[field] ?? 0];
  return base === null
    ? [trans.__("no limit"), formatAmount(value, amount)]
    : [formatAmount(base, amount), formatAmount(value - base, amount, { signed: true })];
}
