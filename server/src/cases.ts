import type { Network, TopologyBranch, TopologyBus } from "@service/engine/node";
import type { CatalogueCase } from "./catalogue.ts";
import { ElementIndex } from "./elements.ts";
import { ServiceError } from "./errors.ts";
import type { CaseSummary } from "./schemas.ts";
import type { SolverPool } from "./solver/pool.ts";
import type { Works } from "./solver/work.ts";

/** A case that answers every route. Bodies that never change are kept as text. */
export interface ServedCase {
  summary: CaseSummary & { unavailable_reason: null };
  sha256: string;
  module: Buffer;
  network: string;
  solution: string;
  buses: ElementIndex<TopologyBus>;
  branches: ElementIndex<TopologyBranch>;
}

/** A catalogued case that cannot be served, with its reason. */
export interface UnavailableCase {
  summary: CaseSummary & { unavailable_reason: string };
}

export type Case = ServedCase | UnavailableCase;

export function isServed(candidate: Case): candidate is ServedCase {
  return candidate.summary.unavailable_reason === null;
}

/** Cases by id, in the catalogue's order. */
export type Cases = ReadonlyMap<string, Case>;

/** Inspects every case and solves its base state. A case that fails stays, with its reason. */
export async function openCases(catalogue: readonly CatalogueCase[], solver: SolverPool): Promise<Cases> {
  const opened = await Promise.all(catalogue.map((source) => openCase(source, solver)));
  return new Map(opened.map((one) => [one.summary.id, one]));
}

async function openCase(source: CatalogueCase, solver: SolverPool): Promise<Case> {
  if (source.unavailable !== undefined)
    return { summary: { ...summaryOf(source), unavailable_reason: source.unavailable } };
  try {
    const described = await solver.submit("describe", { caseId: source.entry.id }, false).result;
    return served(source, described);
  } catch (error) {
    const reason =
      error instanceof ServiceError && error.code !== "INTERNAL" ? error.message : "its base case failed to solve.";
    return { summary: { ...summaryOf(source), unavailable_reason: reason } };
  }
}

function served(source: CatalogueCase, { inspected, solution }: Works["describe"]["result"]): ServedCase {
  return {
    summary: { ...summaryOf(source), unavailable_reason: null },
    sha256: source.entry.sha256,
    // A copy: memory that is shared with the solver threads cannot be sent.
    module: Buffer.from(new Uint8Array(source.module)),
    network: JSON.stringify(networkOf(source, inspected)),
    solution,
    buses: new ElementIndex(inspected.topology.buses),
    branches: new ElementIndex(inspected.topology.branches),
  };
}

function summaryOf({ entry }: CatalogueCase): Omit<CaseSummary, "unavailable_reason"> {
  const { id, name, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch, description } = entry;
  return { id, name, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch, model: "balanced", description };
}

/** The map view: what the engine makes of the locations in the module, under the names of the catalogue. */
function networkOf({ entry }: CatalogueCase, { view }: Works["describe"]["result"]["inspected"]): Network {
  if (!view) throw new ServiceError(500, "MODULE.NO_COORDINATES", "its module places no bus on the map.");
  return { ...view, id: entry.id, name: entry.name };
}
