import type { Diagnostic, Engine, GivenCost, IngestedCase } from "@service/engine";
import { messageText, numbered, trans } from "../../text/index.ts";
import type { CostsOrigin, OpenedCase } from "./openedCase.ts";

/** Costs to assume: typical ones for units without costs, given ones by fuel or unit, or a CSV file of costs. */
export type CostsAsked = "typical" | readonly GivenCost[] | Uint8Array;

/** The part of the engine that assumes costs. */
export type CostsEngine = Pick<Engine, "assumeCosts" | "inspectModule" | "isCostTable" | "unitsByFuel">;

/** The parts of a read case that describe its costs. */
type ReadCase = Pick<IngestedCase, "topology" | "warnings">;

/** The reader's diagnostic about assumed costs; null for a case with its own. */
function assumed({ warnings }: ReadCase): Diagnostic | null {
  return warnings.find(({ code }) => code === "COST.ASSUMED") ?? null;
}

/** Whether the costs of a case, or some of them, are assumed. */
export function hasAssumedCosts(read: ReadCase): boolean {
  return assumed(read) !== null;
}

/** Whether every generator is free: power-flow formats have no field for costs. */
export function isFree(read: ReadCase): boolean {
  const { generators } = read.topology;
  const cost = ({ cost_c2, cost_c1, cost_points }: (typeof generators)[number]): boolean =>
    (cost_c2 ?? 0) !== 0 || (cost_c1 ?? 0) !== 0 || cost_points !== undefined;
  return generators.length > 0 && !hasAssumedCosts(read) && !generators.some(cost);
}

/** The notice for readers of prices: costs are assumed, or the case has none. Null for neither. */
export function costsNotice(read: ReadCase): string | null {
  const diagnostic = assumed(read);
  if (diagnostic !== null) {
    return messageText(diagnostic.sentence, numbered);
  }
  return isFree(read) ? trans.__("The case has no costs: all generation costs are zero until you add costs.") : null;
}

/** The same notice in a few words, for the corner of a picture. */
export function costsMark(read: ReadCase): string | null {
  return hasAssumedCosts(read) ? trans.__("Assumed costs") : isFree(read) ? trans.__("The case has no costs") : null;
}

/** A case with assumed costs as the engine read it, with its name and its origin. */
export interface PricedCase {
  ingested: IngestedCase;
  name: string;
  origin: CostsOrigin;
}

/**
 * Reads a case with assumed costs: it has its own module, and its origin lists the fuels of the case it was made from.
 * A case made from one with assumed costs has the same origin. Rejects with EngineError `COST.MALFORMED`,
 * `GENERATOR.UNKNOWN`.
 */
export async function pricedCase(
  { ingested: read, name, origin: before, geography }: OpenedCase,
  costs: CostsAsked,
  engine: CostsEngine,
  signal?: AbortSignal,
): Promise<PricedCase> {
  const { fuels } = read;
  const module = await engine.assumeCosts(geography.moduleJson, costs, fuels, signal);
  const ingested = await engine.inspectModule(module, signal);
  const origin: CostsOrigin = before?.kind === "costs" ? before : { kind: "costs", name, read };
  return {
    ingested: { ...ingested, ...(fuels && { fuels }) },
    name: trans.__("%1, assumed costs", origin.name),
    origin,
  };
}
