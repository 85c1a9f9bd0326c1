import type { GeneratorEdit } from "@service/engine";
import type { ReactElement } from "react";
import { formatAmount, generatorValueWords, trans } from "../text/index.ts";
import { baseCost, type CaseSession, GENERATOR_FIELDS } from "../workspace/index.ts";
import { ElementLink } from "./sections/ElementLink.tsx";

/** Rows of the table of changes: every generator value that replaces that of the case. */
export function UnitChanges({ session }: { session: CaseSession }): ReactElement {
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

/** The value of the case and the change from it; for a status the new status. */
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
