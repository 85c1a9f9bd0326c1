import type { Diagnostic, Engine, GivenCost, IngestedCase } from "@service/engine";
import { messageText, numbered, trans } from "../../text/index.ts";
import type { CostsOrigin, OpenedCase } from "./openedCase.ts";

/** Costs to assume: typical ones for the units without, given ones by fuel or unit, or a CSV file of them. */
export type CostsAsked = "typical" | readonly GivenCost[] | Uint8Array;

/** The part of the engine that assumes costs. */
export type CostsEngine = Pick<Engine, "assumeCosts" | "inspectModule" | "isCostTable" | "unitsByFuel">;

/** What a case says of its costs. */
type Told = Pick<IngestedCase, "topology" | "warnings">;

/** What the engine says of costs that are assumed; null for a case with its own. */
function assumed({ warnings }: Told): Diagnostic | null {
  return warnings.find(({ code }) => code === "COST.ASSUMED") ?? null;
}

/** Whether the costs of a case, or some of them, are assumed. */
export function hasAssumedCosts(read: Told): boolean {
  return assumed(read) !== null;
}

/** Whether no generator costs anything: formats of power flows have no place for costs. */
export function isFree(read: Told): boolean {
  const { generators } = read.topology;
  const cost = ({ cost_c2, cost_c1, cost_points }: (typeof generators)[number]): boolean =>
    (cost_c2 ?? 0) !== 0 || (cost_c1 ?? 0) !== 0 || cost_points !== undefined;
  return generators.length > 0 && !hasAssumedCosts(read) && !generators.some(cost);
}

/** A sentence for readers of prices: that costs are assumed, or that the case has none. Null for neither. */
export function costsNotice(read: Told): string | null {
  const said = assumed(read);
  if (said !== null) {
    return messageText(said.sentence, numbered);
  }
  return isFree(read) ? trans.__("The case has no costs: all generation costs are zero until you add costs.") : null;
}

/** The same in few words, for the corner of a picture. */
export function costsMark(read: Told): string | null {
  return hasAssumedCosts(read) ? trans.__("Assumed costs") : isFree(read) ? trans.__("The case has no costs") : null;
}

/** A case with assumed costs: what the engine says of it, its name, and what it was made of. */
export interface PricedCase {
  ingested: IngestedCase;
  name: string;
  origin: CostsOrigin;
}

/**
 * A case with assumed costs, read by the engine: with its own module, and the fuels of the case that it was made of. One that is made
 * of a case with assumed costs has the same origin. Rejects with EngineError `COST.MALFORMED`, `GENERATOR.UNKNOWN`.
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
