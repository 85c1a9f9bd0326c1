import {
  type CaseSession,
  listAdded,
  listChanges,
  PRICE,
  SESSION_ID,
  type ShownCase,
} from "@service/widgets/workspace";
import { label, rounded, ToolError } from "../answers.ts";
import { type Call, type Done, reading, type ToolContext } from "../call.ts";
import { meanPrice, named } from "./means.ts";

/** A case open in the page, as reported to agents. */
export interface OpenCase {
  readonly case_id: string;
  readonly label: string;
  readonly model: string;
  readonly buses: number;
  readonly displayed?: true;
}

/** The cases that are open in the page. */
export function openCases({ workspace, ids }: ToolContext): OpenCase[] {
  const { sessions, networks, front } = workspace;
  const displayed = (shown: ShownCase) => shown === front && { displayed: true as const };
  return [
    ...sessions.map((session) => ({
      ...{ case_id: ids.of(session), label: label(session.caseName), model: "balanced" },
      ...{ buses: session.opened.moduleBuses, ...displayed(session) },
    })),
    ...networks.map((network) => ({
      ...{ case_id: ids.of(network), label: label(network.name), model: label(network.model) },
      ...{ buses: network.buses.length, ...displayed(network) },
    })),
  ];
}

/** Open and configured cases, each once. */
export async function listCases({ offset = 0 }: { offset?: number }, _call: Call, context: ToolContext): Promise<Done> {
  const open = openCases(context).map((row) => ({ ...row, open: true, available: true }));
  const shown = new Set(open.map(({ case_id }) => case_id));
  const configured = (context.workspace.catalogue?.cases ?? [])
    .filter(({ id }) => !shown.has(id))
    .map(({ id, name, buses, unavailable }) => ({
      ...{ case_id: id, label: label(name), model: "balanced", buses, open: false },
      ...{ available: unavailable === null, ...(unavailable !== null && { reason: label(unavailable) }) },
    }));
  const all = [...open, ...configured];
  return Promise.resolve({ data: { cases: all.slice(offset), offset, total: all.length } });
}

/** Displays a case. */
export async function selectCase(
  { case_id: id }: { case_id: string },
  call: Call,
  context: ToolContext,
): Promise<Done> {
  const { workspace, ids } = context;
  const session = ids.session(id);
  if (session !== null) {
    session.inspection.end();
    workspace.show(session);
    return displayed(context);
  }
  const network = ids.network(id);
  if (network !== null) {
    workspace.show(network);
    return displayed(context);
  }
  const { catalogue } = workspace;
  const configured = catalogue?.cases.find((one) => one.id === id);
  if (catalogue === null || configured === undefined) {
    throw new ToolError("CASE.UNKNOWN", "No case has this id. Call list_cases.");
  }
  if (configured.unavailable !== null) {
    throw new ToolError("CASE.UNAVAILABLE", configured.unavailable);
  }
  await reading(call, catalogue.open(id));
  return displayed(context);
}

function displayed({ workspace, ids }: ToolContext): Done {
  const { active, network } = workspace;
  if (active !== null) {
    return { data: { case_id: ids.of(active), session_id: SESSION_ID, revision: active.proposals.revision } };
  }
  return {
    data: {
      case_id: network === null ? null : ids.of(network),
      session_id: SESSION_ID,
      revision: network === null ? 0 : ids.revision(network),
    },
  };
}

/** Summarises the display in a few numbers. */
export async function inspectCase(
  { case_id: wanted }: { case_id?: string },
  _call: Call,
  { workspace, ids }: ToolContext,
): Promise<Done> {
  const { active, network } = workspace;
  if (active === null && network !== null && (wanted === undefined || wanted === ids.of(network))) {
    return Promise.resolve({
      data: {
        ...{
          session_id: SESSION_ID,
          case_id: ids.of(network),
          revision: ids.revision(network),
          label: label(network.name),
        },
        ...{ model: label(network.model), study: false, buses: network.buses.length, edges: network.edges.length },
        counts: network.counts.map(([name, count]) => `${label(name)}: ${label(count)}`),
      },
    });
  }
  if (active === null && wanted === undefined) {
    throw new ToolError("CASE.NONE", "No case is displayed. Call select_case first.");
  }
  const session = wanted === undefined ? (active as CaseSession) : ids.displayed(wanted);
  const { error, shown } = session.series;
  if (shown !== null && error !== null) {
    throw new ToolError(error.code, `The displayed step ${shown.step + 1} of a series has no solution.`);
  }
  return Promise.resolve({
    data: {
      ...{ session_id: SESSION_ID, case_id: ids.of(session), revision: session.proposals.revision },
      ...{ label: label(session.caseName), ...shownState(session), ...summary(session) },
      proposal: proposalOf(session),
      changes: changesOf(session),
    },
    optional: ["result_sha256", "formulations", "units", "prices"],
  });
}

/** The displayed state: the live one, a saved one, or a step of a series. */
export function shownState({ inspection: { state }, series: { shown }, history }: CaseSession) {
  if (shown !== null) {
    const { steps } = shown.series.profile;
    return {
      ...{ state: "series_step", step: shown.step + 1, steps: steps.length },
      step_label: label(steps[shown.step] ?? ""),
    };
  }
  return { state: state === null ? "live" : "saved", state_id: (state ?? history.current).id };
}

/** Formulation, units and solve of a session. */
function summary(session: CaseSession) {
  const { solution } = session.state;
  const { opened, formulation } = session;
  const power = formulation === "dcopf" || formulation === "dcpf" ? "MW" : "MVA";
  return {
    ...{ model: "balanced", formulation, formulations: session.formulations },
    units: { demand: "MW", rating: power, flow: "MW", price: "$/MWh", objective: "$/h", voltage: "pu" },
    solve: {
      status: solution.status,
      ...(solution.objective !== undefined && { objective_usd_per_h: rounded(solution.objective) }),
      ...(solution.solve_ms != null && { ms: Math.round(solution.solve_ms) }),
    },
    ...{ buses: opened.ingested.n_bus, branches: opened.ingested.n_branch },
    generators: opened.ingested.topology.generators.length,
    ...prices(session),
    abilities: [...session.capabilities],
    result_sha256: solution.result_sha256,
  };
}

function prices(session: CaseSession) {
  const { store, opened } = session;
  const values = store.columns.values(PRICE);
  if (values === null) {
    return { prices: "unavailable in this formulation" };
  }
  let [low, high] = [-1, -1];
  values.forEach((price, row) => {
    if (Number.isFinite(price)) {
      low = low < 0 || price < (values[low] ?? NaN) ? row : low;
      high = high < 0 || price > (values[high] ?? NaN) ? row : high;
    }
  });
  const at = (row: number) => ({
    ...{ bus_id: opened.busId(row), ...named(opened, "bus", row) },
    price: rounded(values[row] ?? NaN),
  });
  const binding = (store.columns.values("shadow") ?? new Float64Array()).filter((price) => price > 0).length;
  return { prices: { mean: meanPrice(session), lowest: at(low), highest: at(high) }, binding_branches: binding };
}

/** The accumulated edits from the base case, one row for each element. */
function changesOf({ state: { edits }, opened }: CaseSession): object[] {
  const { generators = {}, branches = {}, links = {}, storage = {}, interfaces = {}, added } = edits;
  return [
    ...listChanges(edits, opened).map(({ kind, id, deltaMw }) =>
      kind === "bus" ? { bus_id: id, delta_mw: deltaMw } : { branch_id: id, delta_mw: deltaMw },
    ),
    ...Object.entries(generators).map(([id, values]) => ({ generator_id: Number(id), ...values })),
    ...Object.entries(branches).map(([id, values]) => ({ branch_id: Number(id), ...values })),
    ...Object.entries(links).map(([id, values]) => ({ link_id: Number(id), ...values })),
    ...Object.entries(storage).map(([id, values]) => ({ storage_id: Number(id), ...values })),
    ...Object.entries(interfaces).map(([name, values]) => ({ interface_id: name, ...values })),
    ...listAdded(added).map(({ table, row }) => ({
      ...{ added: table, ...row },
      ...(row.name !== undefined && { name: label(row.name) }),
    })),
  ];
}

/** The proposal of a session, restricted to what an agent may know. */
export function proposalOf({ proposals: { state } }: CaseSession) {
  if (state.kind === "none") {
    return null;
  }
  const { id, baseRevision } = state.proposal;
  return { proposal_id: id, status: state.kind, base_revision: baseRevision };
}
