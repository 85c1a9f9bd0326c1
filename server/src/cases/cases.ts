import type { FastifyBaseLogger } from "fastify";
import {
  englishMessage,
  type ErrorBody,
  type Message,
  type Topology,
  type TopologyBranch,
  type TopologyBus,
} from "@service/engine/node";
import type { Base, BaseKey, BaseStore } from "./baseStore.ts";
import { Body, compressed, decompressed } from "../http/bodies.ts";
import type { CatalogueCase } from "./catalogue.ts";
import { ElementIndex } from "./elements.ts";
import { serviceMessage, ServiceError } from "../http/errors.ts";
import type { CaseSummary } from "../http/schemas.ts";
import type { SolverPool } from "../solver/pool.ts";

/** The rows that a request can name. */
export interface Elements {
  buses: ElementIndex<TopologyBus>;
  branches: ElementIndex<TopologyBranch>;
}

/** A case whose routes all answer. */
export interface ServedCase {
  summary: CaseSummary & { unavailable_reason: null; unavailable_sentence: null };
  module: Body;
  network: Body;
  solution: Body;
  /** The rows, read on the first compute request. */
  elements(): Promise<Elements>;
}

/** A case of the catalogue that cannot be served, with the reason. */
export interface UnavailableCase {
  summary: CaseSummary & { unavailable_reason: string; unavailable_sentence: Message };
}

export type Case = ServedCase | UnavailableCase;

export function isServed(candidate: Case): candidate is ServedCase {
  return candidate.summary.unavailable_reason === null;
}

/** Cases by id, in the catalogue's order. */
export type Cases = ReadonlyMap<string, Case>;

/** The parts that opening the cases of a catalogue needs. */
export interface Opening {
  solver: SolverPool;
  /** Store of bases; without it each start solves. */
  bases?: BaseStore | undefined;
  log: Pick<FastifyBaseLogger, "warn" | "info" | "error">;
}

/** A base that takes longer counts as failed, so that the server starts. */
const BASE_SECS = 600;

/**
 * Opens every case with its stored base, or solves a new one on the solver threads. A case that fails stays in the list
 * with the reason.
 */
export async function openCases(catalogue: readonly CatalogueCase[], opening: Opening): Promise<Cases> {
  const opened = await Promise.all(catalogue.map((source) => openCase(source, opening)));
  return new Map(opened.map((one) => [one.summary.id, one]));
}

async function openCase(source: CatalogueCase, opening: Opening): Promise<Case> {
  const summary = summaryOf(source);
  if (source.unavailable !== undefined) return unavailable(summary, source.unavailable);
  try {
    return served(source, await baseOf(source, opening));
  } catch (error) {
    opening.log.error({ err: error, case: source.entry.id }, "the base case failed");
    return unavailable(summary, reasonOf(error as Error));
  }
}

type Described = ReturnType<typeof summaryOf>;

function unavailable(summary: Described, reason: Message): UnavailableCase {
  return { summary: { ...summary, unavailable_reason: englishMessage(reason), unavailable_sentence: reason } };
}

/** Why a base could not be made, if possible in the engine's own words. */
export function reasonOf(error: Error): Message {
  if (!(error instanceof ServiceError)) return serviceMessage("service.base_failed", {});
  const { cause, code, sentence } = error;
  if (code === "SOLVE.TIMEOUT") return serviceMessage("service.base_timeout", { seconds: { count: BASE_SECS } });
  if (code !== "INTERNAL") return sentence;
  const failed = cause as Partial<ErrorBody> | undefined;
  return failed?.sentence === undefined || failed.code === "INTERNAL"
    ? serviceMessage("service.base_failed", {})
    : failed.sentence;
}

/** The base of a case, from the store if possible, otherwise solved and stored. */
async function baseOf(source: CatalogueCase, { solver, bases, log }: Opening): Promise<Base> {
  const key: BaseKey = { id: source.entry.id, name: source.entry.name, module: source.entry.sha256 };
  const found = (await bases?.read(key, source.module)) ?? "missing";
  if (typeof found === "object") return found;
  if (found === "damaged") log.warn({ case: key.id }, "the stored base solution is damaged: solving again");
  const base = await makeBase(source, solver);
  await bases?.write(key, base).catch((error: NodeJS.ErrnoException) => {
    log.info({ case: key.id, reason: error.code }, "the base solution is not stored: its folder cannot be written");
  });
  return base;
}

/** Solves the base state of a case. */
export async function makeBase({ entry, module }: CatalogueCase, solver: SolverPool): Promise<Base> {
  const request = { caseId: entry.id, name: entry.name };
  const described = await solver.submit("describe", request, { timeoutSecs: BASE_SECS, bounded: false }).result;
  return {
    module: Body.of(module),
    network: Body.of(Buffer.from(described.network)),
    solution: Body.of(Buffer.from(described.solution)),
    topology: await compressed(Buffer.from(described.topology)),
  };
}

function served(source: CatalogueCase, { module, network, solution, topology }: Base): ServedCase {
  let elements: Promise<Elements> | undefined;
  return {
    summary: { ...summaryOf(source), unavailable_reason: null, unavailable_sentence: null },
    ...{ module, network, solution },
    elements: () => (elements ??= elementsOf(topology)),
  };
}

async function elementsOf(topology: Buffer): Promise<Elements> {
  const { buses, branches } = JSON.parse((await decompressed(topology)).toString("utf8")) as Topology;
  return { buses: new ElementIndex(buses), branches: new ElementIndex(branches) };
}

function summaryOf({ entry }: CatalogueCase): Omit<CaseSummary, "unavailable_reason" | "unavailable_sentence"> {
  const { id, name, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch, description } = entry;
  const counts = { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch };
  const { sha256, synthetic = false } = entry;
  return { id, name, ...counts, model: "balanced", description, sha256, synthetic };
}
