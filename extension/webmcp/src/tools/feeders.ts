import { codeOf, type FeederState, FeederRows, type ViewedNetwork } from "@service/widgets/workspace";
import { label, rounded, ToolError } from "../answers.ts";
import { type Call, type Done, reading, type ToolContext } from "../call.ts";

interface FeederInput {
  case_id: string;
  expected_revision: number;
  max_iterations?: number;
}

/** The multiconductor power flow of the displayed feeder. A cancelled call leaves the previous result. */
export async function solveMulticonductorPf(
  input: FeederInput,
  call: Call,
  { workspace, ids }: ToolContext,
): Promise<Done> {
  const { network } = workspace;
  if (network === null || ids.of(network) !== input.case_id) {
    ids.displayed(input.case_id);
    throw new ToolError(
      "FORMULATION.UNAVAILABLE",
      "The displayed case is balanced: it has no multiconductor power flow.",
    );
  }
  const { feeder } = network;
  if (feeder === null) {
    throw new ToolError("FORMULATION.UNAVAILABLE", "The displayed network is balanced and has no Study.");
  }
  const revision = ids.revision(network);
  if (input.expected_revision !== revision) {
    throw new ToolError(
      "REVISION.STALE",
      `The state moved on to revision ${revision} from ${input.expected_revision}.`,
    );
  }
  if (feeder.state.kind === "solving") {
    throw new ToolError("SOLVE.BUSY", "A solution is under way.");
  }
  const cancel = (): void => feeder.cancel();
  call.signal.addEventListener("abort", cancel, { once: true });
  const { max_iterations } = input;
  await reading(call, feeder.solve(max_iterations === undefined ? {} : { max_iterations }));
  call.signal.removeEventListener("abort", cancel);
  refuse(feeder.state);
  const { solution } = feeder;
  if (solution === null) {
    throw new ToolError("ABORTED", "The solution was cancelled in the page.");
  }
  const { result } = solution;
  const { totals, certificate, lowest, highest } = result;
  return {
    data: {
      ...{ case_id: input.case_id, revision: ids.revision(network), iterations: result.iterations },
      source: { power_w: rounded(totals.source_w), power_var: rounded(totals.source_var) },
      ...{ load_w: rounded(totals.load_w), loss_w: rounded(totals.loss_w) },
      kcl_residual_a: rounded(certificate.kcl_residual_a),
      ...(lowest && { lowest: { ...lowest, bus: label(lowest.bus), terminal: label(lowest.terminal) } }),
      ...(highest && { highest: { ...highest, bus: label(highest.bus), terminal: label(highest.terminal) } }),
      not_supplied: result.not_supplied.map(label),
      result_sha256: result.result_sha256,
    },
    optional: ["result_sha256"],
  };
}

/** Throws the reason why a feeder has no new result. */
function refuse(state: FeederState): void {
  if (state.kind === "refused" || state.kind === "failed") {
    const code = state.kind === "refused" ? "PHYSICS.UNSUPPORTED" : codeOf(state.error);
    throw new ToolError(code, state.error.message);
  }
}

/** A query of a feeder's rows. */
export interface FeederQuery {
  element_kind: "bus" | "branch";
  element_ids?: readonly (string | number)[];
  sort_by?: string;
  direction?: "ascending" | "descending";
}

/** All matching rows of a feeder: buses with their terminals, or lines, switches and transformers. */
export function feederRows(network: ViewedNetwork, query: FeederQuery): Record<string, unknown>[] {
  const { element_kind: kind, element_ids: wanted, sort_by: sortBy = "id" } = query;
  const { direction = sortBy === "id" ? "ascending" : "descending" } = query;
  const sign = direction === "ascending" ? 1 : -1;
  const voltages = kind === "bus" ? busVoltages(network) : null;
  if (sortBy !== "id" && (voltages === null || (sortBy !== "voltage_v" && sortBy !== "voltage_pu"))) {
    throw new ToolError("QUANTITY.UNAVAILABLE", `${sortBy} is not available here before solve_multiconductor_pf.`);
  }
  const elements = kind === "bus" ? network.buses : network.edges;
  const indexOf = (id: string | number): number => {
    const row = kind === "bus" ? network.graph.busKeyRow(id) : network.graph.branchKeyRow(id);
    if (row < 0) {
      throw new ToolError(
        kind === "bus" ? "BUS.UNKNOWN" : "BRANCH.UNKNOWN",
        `The case has no ${kind} ${JSON.stringify(id)}.`,
      );
    }
    return row;
  };
  const rows = wanted === undefined ? elements.map((_, row) => row) : [...new Set(wanted.map(indexOf))];
  const key = (row: number): number =>
    voltages?.get(nameOf(network, row))?.[sortBy === "voltage_pu" ? "pu" : "v"] ?? NaN;
  rows.sort((a, b) => (sortBy === "id" ? sign * (a - b) : sign * (key(a) - key(b)) || a - b));
  return rows.map((row) => {
    if (kind === "branch") {
      const edge = network.edges[row];
      return {
        id: label(edge?.id ?? ""),
        kind: edge?.kind,
        from: label(String(edge?.from)),
        to: label(String(edge?.to)),
      };
    }
    const found = voltages?.get(nameOf(network, row));
    return {
      id: label(String(network.buses[row]?.id)),
      load_kw: rounded(network.buses[row]?.load ?? NaN),
      ...(found && { voltage_v: rounded(found.v), voltage_pu: rounded(found.pu), terminal_values: found.terminals }),
    };
  });
}

function nameOf({ buses }: ViewedNetwork, row: number): string {
  return String(buses[row]?.id).toLowerCase();
}

interface BusVoltages {
  /** The largest terminal-to-ground voltage, V and per unit. */
  v: number;
  pu: number;
  terminals: { terminal: string; voltage_v: number | null }[];
}

/** Voltages by bus name in lower case; null before a solution. */
function busVoltages({ feeder }: ViewedNetwork): Map<string, BusVoltages> | null {
  const solution = feeder?.solution ?? null;
  const voltages = feeder?.voltages ?? null;
  if (solution === null || voltages === null) {
    return null;
  }
  const { rows } = solution;
  const found = new Map<string, BusVoltages>();
  new FeederRows(solution).terminals.forEach((terminals, bus) => {
    const of = (values: Float64Array): number =>
      Math.max(...terminals.map((row) => values[row] ?? NaN).filter(Number.isFinite));
    found.set((rows.buses[bus] ?? "").toLowerCase(), {
      v: of(voltages.voltage_v),
      pu: of(voltages.voltage_pu),
      terminals: terminals.map((row) => ({
        terminal: label(rows.terminals[row] ?? ""),
        voltage_v: rounded(voltages.voltage_v[row] ?? NaN),
      })),
    });
  });
  return found;
}
