import { type CaseSession, PRICE, type NetworkElement, VOLTAGE } from "@service/widgets/workspace";
import type { FormulationId } from "@service/engine";
import { rounded, ToolError, USUAL_ROWS } from "../answers.ts";
import { type Call, type Done, reading, type ToolContext } from "../call.ts";
import { type RequestedEdits, editBatch, elementOf, type ElementId } from "../elements.ts";
import { bindingLines, meanOf, named } from "./means.ts";

interface Analysis {
  case_id: string;
  expected_revision?: number;
  element_kind: NetworkElement["kind"];
  element_id?: ElementId;
  limit?: number;
}

/** The derivative of the prices by a demand or a rating, at a copy of the state. */
export async function analyzeSensitivity(input: Analysis, call: Call, { ids }: ToolContext): Promise<Done> {
  const session = ids.live(input.case_id);
  const { proposals, opened } = session;
  if (input.expected_revision !== undefined) {
    proposals.expect(input.expected_revision);
  }
  if (!session.capabilities.has("prices") || !session.capabilities.has("sensitivities")) {
    throw new ToolError("FORMULATION.UNAVAILABLE", `${session.formulation} has no price sensitivities.`);
  }
  const { revision } = proposals;
  if (input.element_id === undefined) {
    return ranked(session, input, call);
  }
  const element = elementOf(session, input.element_kind, input.element_id);
  const { column, values, left, right } = await reading(call, session.sensitivityTo(element));
  proposals.expect(revision);
  const { kind, valid_mw, price_interval } = column.warrant;
  const oneSided = left !== right;
  const value = (of: Float64Array | null, row: number): number | null => rounded(of?.[row] ?? NaN);
  const rows = largest(values, input.limit ?? USUAL_ROWS).map((row) => ({
    ...{ bus_id: opened.busId(row), ...named(opened, "bus", row) },
    value: value(values, row),
    ...(oneSided && { left: value(left, row), right: value(right, row) }),
  }));
  return {
    data: {
      ...{ case_id: input.case_id, revision, element, units: column.units, kind },
      valid_mw: valid_mw.map((mw) => (mw === null ? null : rounded(mw))),
      ...(price_interval && {
        price_interval: price_interval.map((price) => (price === null ? null : rounded(price))),
      }),
      mean_price: meanOf(session, values),
      ...{ rows, nonzero: values.filter((one) => Math.abs(one) > 0).length },
    },
  };
}

/** The binding lines, ranked by the derivative of the mean price by their rating. */
async function ranked(session: CaseSession, input: Analysis, call: Call): Promise<Done> {
  const { proposals, opened } = session;
  if (input.element_kind !== "branch") {
    throw new ToolError("INPUT.INVALID", "element_id: name a bus; only lines are ranked.");
  }
  const { revision } = proposals;
  const found: { id: number; change: number; valid: readonly (number | null)[]; units: string }[] = [];
  for (const id of bindingLines(session)) {
    const { column, values } = await reading(call, session.sensitivityTo({ kind: "branch", id }));
    proposals.expect(revision);
    found.push({ id, change: meanOf(session, values) ?? NaN, valid: column.warrant.valid_mw, units: column.units });
  }
  found.sort((a, b) => a.change - b.change);
  return {
    data: {
      ...{ case_id: input.case_id, revision, units: found[0]?.units ?? "($/MWh)/MW" },
      rows: found.slice(0, input.limit ?? USUAL_ROWS).map(({ id, change, valid }) => ({
        ...{ branch_id: id, ...named(opened, "branch", opened.branchRow(id)), mean_price: rounded(change) },
        valid_mw: valid.map((mw) => (mw === null ? null : rounded(mw))),
      })),
      ...{ matched: found.length, others: "the rating of a line that does not bind changes no price" },
    },
  };
}

interface Update extends RequestedEdits {
  case_id: string;
  expected_revision: number;
  formulation?: FormulationId;
}

/** Predicts an update on a copy of the state: cost and prices by the linear estimate, or voltages of a power flow. */
export async function previewCaseUpdate(input: Update, call: Call, { ids, predictions }: ToolContext): Promise<Done> {
  const session = ids.live(input.case_id);
  const { proposals, state, formulation } = session;
  proposals.expect(input.expected_revision);
  if (input.formulation !== undefined && input.formulation !== formulation) {
    throw new ToolError(
      "FORMULATION.UNAVAILABLE",
      `The case is solved as ${formulation}; a preview changes no formulation.`,
    );
  }
  const { isEmpty, edits } = editBatch(session, input);
  if (isEmpty) {
    throw new ToolError("INPUT.INVALID", "Name at least one element.");
  }
  const wanted = edits(state.edits);
  const found = await reading(call, session.predict(wanted));
  proposals.expect(input.expected_revision);
  predictions.note({
    ...{ call: call.id, session, revision: input.expected_revision, formulation, edits: wanted },
    ...{ objective: found.objectiveDelta, prices: found.columns.lmp_change ?? null },
  });
  return {
    data: {
      ...{ case_id: input.case_id, revision: input.expected_revision, formulation, preview: call.id },
      ...predictedPrices(session, found),
    },
  };
}

/** The prices of a preview. Previews of a power flow have no interval, and nothing of them is called exact. */
function predictedPrices(
  session: CaseSession,
  { objectiveDelta, exact, valid_step: step, columns }: Awaited<ReturnType<CaseSession["predict"]>>,
) {
  const { store } = session;
  if (columns.vm_change !== undefined) {
    return { voltages: changedRows(session, columns.vm_change, store.columns.values(VOLTAGE)) };
  }
  return {
    objective_change_usd_per_h: objectiveDelta === null ? null : rounded(objectiveDelta),
    ...{ first_order: !exact, exact },
    valid_step: step && step.map((part) => (part === null ? null : rounded(part))),
    mean_price_change: meanOf(session, columns.lmp_change ?? null),
    prices: columns.lmp_change ? changedRows(session, columns.lmp_change, store.columns.values(PRICE)) : [],
  };
}

/** The buses whose values change most. */
export function changedRows({ opened }: CaseSession, change: Float64Array, before: Float64Array | null) {
  return largest(change, USUAL_ROWS).map((row) => ({
    ...{ bus_id: opened.busId(row), ...named(opened, "bus", row) },
    before: rounded(before?.[row] ?? NaN),
    change: rounded(change[row] ?? NaN),
  }));
}

/** The rows of the largest magnitudes in descending order, without zeros and unknown values. */
function largest(values: Float64Array, most: number): number[] {
  const size = (row: number): number => Math.abs(values[row] ?? NaN);
  const rows = [...values.keys()].filter((row) => size(row) > 0);
  return rows.sort((a, b) => size(b) - size(a) || a - b).slice(0, most);
}
