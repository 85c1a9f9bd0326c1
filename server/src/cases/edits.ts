import type { Element, Message, MessageValue, TopologyBranch, TopologyBus } from "@service/engine/node";
import type { Elements } from "./cases.ts";
import { badQuery, quoted, serviceMessage, ServiceError, unknownBranch, unknownBus } from "../http/errors.ts";
import type { SolveQuery } from "../http/schemas.ts";
import type { Edits, Target } from "../solver/work.ts";

/** Tolerance for a demand that an edit reduces to exactly zero, MW. */
const ROUNDING_MW = 1e-9;

/** Significant digits of a number in a message: ratings are products with the power base, and 230 MW comes as 229.99999999999997. */
const DIGITS = 12;

/**
 * Formats MW for a message: the shortest number with the same first twelve digits, and a minus sign as in all
 * sentences.
 */
const plain = (mw: number): MessageValue => {
  const text = String(Number(mw.toPrecision(DIGITS))).replace(/^-/, "\u2212");
  return { number: { value: mw, text: `${text} MW` } };
};

/**
 * Parses `d` and `rates` for a case: MW by original id. Throws an error with the engine's own code that names the
 * element.
 */
export function readEdits(elements: Elements, query: Pick<SolveQuery, "d" | "rates">): Edits {
  return { deltas: readDemand(elements, query.d), rates: readRatings(elements, query.rates) };
}

function readDemand(elements: Elements, list: string | undefined): Record<string, number> {
  const deltas: Record<string, number> = {};
  for (const { key, mw } of pairs("d", list)) {
    const bus = elements.buses.find(key);
    if (!bus) throw noBus(elements, key, 400, "DELTA.UNKNOWN_BUS");
    refuseUnusableBus(bus);
    if (!bus.editable) throw notEditable("bus", bus.id);
    if (bus.id in deltas)
      throw bad(
        "DELTA.DUPLICATE",
        serviceMessage("service.bus_twice", { bus: { element: { kind: "bus", id: bus.id } } }),
      );
    // A demand that is negative in the file may take any value, as in the engine.
    if (bus.demand_mw >= 0 && bus.demand_mw + mw < -ROUNDING_MW) {
      const values = { demand: plain(bus.demand_mw), change: plain(mw) };
      throw bad("DELTA.NEGATIVE_DEMAND", ofElement("edit.negative_demand", "bus", { kind: "bus", id: bus.id }, values));
    }
    deltas[bus.id] = mw;
  }
  return deltas;
}

function readRatings(elements: Elements, list: string | undefined): Record<string, number> {
  const rates: Record<string, number> = {};
  for (const { key, mw } of pairs("rates", list)) {
    const branch = elements.branches.find(key);
    if (!branch) throw unknownBranch(key, 400, "RATE.UNKNOWN_BRANCH");
    const rating = usableRating(branch);
    if (!branch.editable) throw notEditable("branch", branch.id);
    const element = { kind: "branch", id: branch.id };
    if (branch.id in rates)
      throw bad("RATE.DUPLICATE", serviceMessage("service.branch_twice", { branch: { element } }));
    if (rating + mw <= 0) {
      const values = { rating: plain(rating), change: plain(mw) };
      throw bad("RATE.NOT_POSITIVE", ofElement("edit.rating_not_positive", "branch", element, values));
    }
    rates[branch.id] = mw;
  }
  return rates;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The pairs of a comma-separated list `key:mw`. The last colon separates, because a uid may contain colons. */
function* pairs(name: "d" | "rates", list: string | undefined): Generator<{ key: string; mw: number }> {
  if (!list) return;
  for (const pair of list.split(",")) {
    const colon = pair.lastIndexOf(":");
    const key = pair.slice(0, Math.max(colon, 0)).trim();
    const number = pair.slice(colon + 1).trim();
    const mw = NUMBER.test(number) ? Number(number) : NaN;
    if (!key || !Number.isFinite(mw)) {
      const message = serviceMessage("service.not_pairs", { parameter: { text: name }, pair: { text: quoted(pair) } });
      throw bad(name === "d" ? "DELTA.MALFORMED" : "RATE.MALFORMED", message);
    }
    yield { key, mw };
  }
}

/** The column that `sens` or `sens_branch` requests, or null. */
export function readTarget(elements: Elements, { sens, sens_branch, formulation }: SolveQuery): Target | null {
  if (sens_branch !== undefined && formulation === "acpf") {
    throw badQuery("QUERY.MALFORMED", serviceMessage("service.sens_branch_acpf", {}));
  }
  if (sens !== undefined && sens_branch !== undefined) {
    throw badQuery("QUERY.MALFORMED", serviceMessage("service.sens_twice", {}));
  }
  if (sens !== undefined) return busTarget(findBus(elements, sens));
  if (sens_branch !== undefined) return branchTarget(findBranch(elements, sens_branch));
  return null;
}

/** The bus of a key. Throws `BUS.UNKNOWN` or `BUS.AMBIGUOUS`. */
export function findBus(elements: Elements, key: string): TopologyBus {
  const bus = elements.buses.find(key);
  if (!bus) throw noBus(elements, key);
  return bus;
}

/** The error for a key that no bus has, or that several buses have as their name; these are listed. */
function noBus(elements: Elements, key: string, status?: number, code?: string): ServiceError {
  const named = elements.buses.named(key);
  if (named.length === 0) return unknownBus(key, status, code);
  const buses = named.map(({ id }): MessageValue => ({ element: { kind: "bus", id } }));
  const values = { key: { text: quoted(key) }, count: { count: named.length }, buses: { list: buses } };
  return new ServiceError(status ?? 404, "BUS.AMBIGUOUS", { key: "edit.ambiguous_bus", values });
}

/** The branch of a key. Throws `BRANCH.UNKNOWN`. */
export function findBranch(elements: Elements, key: string): TopologyBranch {
  const branch = elements.branches.find(key);
  if (!branch) throw unknownBranch(key);
  return branch;
}

/** The demand of a bus as the parameter of a sensitivity column. */
export function busTarget(bus: TopologyBus): Target {
  refuseUnusableBus(bus);
  return { bus: bus.id };
}

/** The rating of a branch as the parameter of a sensitivity column. */
export function branchTarget(branch: TopologyBranch): Target {
  usableRating(branch);
  return { branch: branch.id };
}

function refuseUnusableBus(bus: TopologyBus): void {
  if (!bus.in_service)
    throw bad("DELTA.ISOLATED_BUS", ofElement("edit.bus_isolated", "bus", { kind: "bus", id: bus.id }));
}

/** The rating of a branch in the base case, MW, if it has an effect. */
function usableRating({ id, status, rate_mw }: TopologyBranch): number {
  const element = { kind: "branch", id };
  if (status === 0) throw bad("RATE.OUT_OF_SERVICE", ofElement("edit.branch_out_of_service", "branch", element));
  if (rate_mw === null) throw bad("EDIT.NOT_EDITABLE", ofElement("edit.no_rating", "branch", element));
  return rate_mw;
}

function notEditable(kind: "bus" | "branch", id: number): ServiceError {
  return bad("EDIT.NOT_EDITABLE", ofElement("edit.three_windings", "element", { kind, id }));
}

/** A message of the engine about one element. */
function ofElement(
  key: string,
  name: string,
  element: Element,
  values: Readonly<Record<string, MessageValue>> = {},
): Message {
  return { key, values: { ...values, [name]: { element } } };
}

function bad(code: string, sentence: Message): ServiceError {
  return new ServiceError(400, code, sentence);
}
