import { type CaseSession, type Outage, PRICE } from "@service/widgets/workspace";
import { rounded, ToolError, USUAL_ROWS } from "../answers.ts";
import { type Call, reading } from "../call.ts";
import { type ElementId } from "../elements.ts";
import { named, titleOf } from "./means.ts";

/** A query of outages or areas. */
export interface ListQuery {
  case_id: string;
  element_kind: "outage" | "area";
  element_ids?: readonly ElementId[];
  search?: string;
  sort_by?: string;
  direction?: "ascending" | "descending";
  limit?: number;
}

interface Row {
  id: number;
  title: string;
  /** By name of the quantity. */
  keys: Readonly<Record<string, number>>;
  shown: Record<string, unknown>;
}

/** The outages of one branch each, as screened at the state, or the areas. */
export async function listed(session: CaseSession, query: ListQuery, call: Call): Promise<Record<string, unknown>> {
  const { element_kind: kind, element_ids: wanted, limit = USUAL_ROWS, search } = query;
  const rows = kind === "area" ? areas(session) : await outages(session, call);
  const { sort_by: sortBy = kind === "outage" ? "loading" : "id" } = query;
  const { direction = sortBy === "id" ? "ascending" : "descending" } = query;
  const known = sortBy === "id" || rows.some(({ keys }) => sortBy in keys);
  if (!known) {
    throw new ToolError("QUANTITY.UNAVAILABLE", `${sortBy} is not available for the kind ${kind}.`);
  }
  const key = (row: Row): number => (sortBy === "id" ? row.id : (row.keys[sortBy] ?? NaN));
  const unknown = wanted?.find((id) => !rows.some((row) => String(row.id) === String(id)));
  if (unknown !== undefined) {
    throw new ToolError("INPUT.INVALID", `element_ids: there is no ${kind} ${JSON.stringify(unknown)}.`);
  }
  const sign = direction === "ascending" ? 1 : -1;
  const found = rows
    .filter((row) => (wanted === undefined ? Number.isFinite(key(row)) : wanted.map(String).includes(String(row.id))))
    .filter(({ title }) => search === undefined || title.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => sign * (key(a) - key(b)) || a.id - b.id);
  return {
    ...{ case_id: query.case_id, revision: session.proposals.revision },
    ...{ rows: found.slice(0, Math.max(limit, wanted?.length ?? 0)).map(({ shown }) => shown), matched: found.length },
  };
}

async function outages(session: CaseSession, call: Call): Promise<Row[]> {
  const { opened } = session;
  await reading(call, session.outages.run());
  const { state } = session.outages;
  if (state.kind !== "done") {
    throw new ToolError(
      "ABORTED",
      state.kind === "failed" ? state.message : "The screening was cancelled in the page.",
    );
  }
  return state.rows.map((outage) => {
    const row = opened.branchRow(outage.branch);
    return {
      id: outage.branch,
      title: titleOf(opened, "branch", row),
      keys: { loading: outage.worst_loading ?? NaN },
      shown: {
        ...{ id: outage.branch, ...named(opened, "branch", row) },
        ...{ from: opened.branches[row]?.from, to: opened.branches[row]?.to, ...effect(session, outage) },
      },
    };
  });
}

/** The effect of an outage: the most loaded branch after it, or the part that it cuts off. */
function effect({ opened }: CaseSession, outage: Outage): Record<string, unknown> {
  if (outage.kind === "islanding") {
    return {
      ...{ splits: true, buses_cut_off: outage.buses_cut_off?.length ?? 0 },
      demand_cut_off_mw: rounded(outage.demand_cut_off_mw ?? NaN),
      generation_cut_off_mw: rounded(outage.generation_cut_off_mw ?? NaN),
    };
  }
  const { worst_branch: worst } = outage;
  return {
    ...(worst !== undefined && { worst: { branch_id: worst, ...named(opened, "branch", opened.branchRow(worst)) } }),
    loading: rounded(outage.worst_loading ?? NaN),
    loading_before: rounded(outage.worst_base_loading ?? NaN),
    new_overloads: outage.new_overloads ?? 0,
  };
}

/** Buses, demand, generation and the demand-weighted mean price, by area. */
function areas({ opened, store: { columns } }: CaseSession): Row[] {
  const found = new Map<number, { buses: number; demand: number; generation: number; paid: number; priced: number }>();
  const at = (area: number) => {
    const sums = found.get(area) ?? { buses: 0, demand: 0, generation: 0, paid: 0, priced: 0 };
    found.set(area, sums);
    return sums;
  };
  opened.buses.forEach(({ area }, row) => {
    if (area === null) {
      return;
    }
    const [sums, price, demand] = [at(area), columns.at(PRICE, row), columns.at("demand_mw", row)];
    sums.buses += 1;
    sums.demand += Number.isFinite(demand) ? demand : 0;
    if (Number.isFinite(price) && demand > 0) {
      sums.paid += price * demand;
      sums.priced += demand;
    }
  });
  opened.generators.forEach(({ bus }, row) => {
    const output = columns.at("dispatch_mw", row);
    const area = opened.buses[opened.busRow(bus)]?.area ?? null;
    if (area !== null && Number.isFinite(output)) {
      at(area).generation += output;
    }
  });
  return [...found].map(([id, { buses, demand, generation, paid, priced }]) => {
    const keys = { demand_mw: demand, generation_mw: generation, price: paid / priced };
    const numbers = Object.entries(keys).filter(([, value]) => Number.isFinite(value));
    const shown = Object.fromEntries(numbers.map(([name, value]) => [name, rounded(value)]));
    return { id, title: String(id), keys, shown: { id, buses, ...shown } };
  });
}
