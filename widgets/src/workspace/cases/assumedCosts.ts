import type { Diagnostic, Engine, GeneratorEdit, GeneratorEdits, GivenCost, IngestedCase } from "@service/engine";
import { formatCount, messageText, numbered, trans } from "../../text/index.ts";
import type { CaseEdits, Values } from "../edits/edits.ts";
import type { CostsOrigin, OpenedCase } from "./openedCase.ts";

/** Costs to assume: typical ones for units without costs, given ones by fuel or unit, or a CSV file of costs. */
export type CostsAsked = "typical" | readonly GivenCost[] | Uint8Array;

/** The part of the engine that assumes costs. */
export type CostsEngine = Pick<Engine, "assumeCosts" | "costEdits" | "inspectModule" | "isCostTable" | "unitsByFuel">;

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

/** Number of generators whose cost an edit gives. */
function costEditCount({ generators = {} }: Pick<CaseEdits, "generators">): number {
  return Object.values(generators).filter(({ cost }) => cost !== undefined).length;
}

/** The notice for readers of prices: costs are assumed, given by edits, or the case has none. Null for none of these. */
export function costsNotice(read: ReadCase, edits: Pick<CaseEdits, "generators"> = {}): string | null {
  const diagnostic = assumed(read);
  if (diagnostic !== null) {
    return messageText(diagnostic.sentence, numbered);
  }
  if (!isFree(read)) {
    return null;
  }
  const count = costEditCount(edits);
  if (count === 0) {
    return trans.__("The case has no costs: all generation costs are zero until you add costs.");
  }
  return count === read.topology.generators.length
    ? trans.__("The case has no costs: those of all generators are edits.")
    : trans._n(
        "The case has no costs: that of %2 generator is an edit, and all others are zero.",
        "The case has no costs: those of %2 generators are edits, and all others are zero.",
        count,
        formatCount(count),
      );
}

/** The same notice in a few words, for the corner of a picture. */
export function costsMark(read: ReadCase, edits: Pick<CaseEdits, "generators"> = {}): string | null {
  if (hasAssumedCosts(read)) {
    return trans.__("Assumed costs");
  }
  if (!isFree(read)) {
    return null;
  }
  return costEditCount(edits) === 0 ? trans.__("The case has no costs") : trans.__("Costs given by edits");
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

/** The cost that an edit gives a generator, $/MWh and $/MW²h; `undefined` where it has that of the case. */
type CostEdit = Values<Pick<GeneratorEdit, "cost" | "c2">>;

/**
 * Costs as edits of generators by id; a given cost that the case has is no edit. Rejects like `pricedCase`, and with
 * EngineError `COST.MALFORMED` for a constant term, which edits do not have.
 */
export async function costEdits(
  opened: OpenedCase,
  costs: CostsAsked,
  engine: CostsEngine,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, CostEdit>> {
  const edits = await engine.costEdits(opened.geography.moduleJson, costs, opened.ingested.fuels, signal);
  return new Map(
    Object.entries(edits).map(([key, { cost, c2 }]): [number, CostEdit] => {
      const id = Number(key);
      const unit = opened.rowsOfCase.generators[opened.generatorRow(id)];
      const isOwn = unit?.cost_c1 === cost && (unit?.cost_c2 ?? 0) === (c2 ?? 0) && unit?.cost_c0 === 0;
      return [id, isOwn && costs !== "typical" ? { cost: undefined, c2: undefined } : { cost, c2 }];
    }),
  );
}

/** Warnings of the reader about units without a cost in the file. */
const LACKING: ReadonlySet<string> = new Set(["COST.MISSING", "COST.NOT_IN_FORMAT"]);

/** Whether the file lacks the costs of units, which typical costs are for. */
export function hasMissingCosts({ warnings }: Pick<ReadCase, "warnings">): boolean {
  return warnings.some(({ code }) => LACKING.has(code));
}

/** The typical costs of the units without a cost in the file, as edits; those of their fuels may count from them. */
export async function typicalCosts(
  { ingested, geography }: OpenedCase,
  engine: CostsEngine,
  signal?: AbortSignal,
): Promise<GeneratorEdits> {
  return hasMissingCosts(ingested) ? engine.costEdits(geography.moduleJson, "typical", ingested.fuels, signal) : {};
}

/** Whether a unit has a cost neither in the file nor by an edit. */
export function lacksCosts({ typicalCosts }: OpenedCase, { generators = {} }: Pick<CaseEdits, "generators">): boolean {
  return Object.keys(typicalCosts).some((id) => generators[id]?.cost === undefined);
}
