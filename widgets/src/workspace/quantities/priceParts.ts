import type { CongestionPart, LmpComponents, PriceReference } from "@service/engine";

/** A generator that sets the price of a bus: such participations times marginal costs sum to the price, the cost of one more MW there. */
export interface MarginalUnit {
  /** Original id. */
  readonly generator: number;
  /** MW of output per MW of additional demand at the bus. */
  readonly participation: number;
  /** Marginal cost at its output, $/MWh. */
  readonly costUsdPerMwh: number;
}

/** A value before and after, $/MWh. */
export interface Moved {
  readonly before: number;
  readonly after: number;
}

/** The part of a line in two states. */
export interface LinePart extends Moved {
  /** Original id. */
  readonly branch: number;
  /** Branches and generators out of service where the limit is one after an outage. */
  readonly outage?: number[];
  readonly generators_out?: number[];
  /** Name of the interface whose limit it is. */
  readonly interface?: string;
  readonly binds: "before" | "after" | "both";
}

/** The part of a generator in two states, participation times marginal cost; null where it does not set the price. */
export interface UnitPart extends Moved {
  readonly generator: number;
  readonly was: MarginalUnit | null;
  readonly is: MarginalUnit | null;
}

/** The price of a bus in two states, by part. `losses` and `voltage` are null where neither formulation has them. */
export interface PriceParts {
  readonly price: Moved;
  readonly energy: Moved;
  readonly losses: Moved | null;
  readonly voltage: Moved | null;
  /** Lines that bind in one of the states, the largest change first. */
  readonly lines: readonly LinePart[];
  /** How the energy part is weighted in the second state. */
  readonly reference: PriceReference;
}

/** Parts below this, MW per MW, are rounding. */
const LEAST_PARTICIPATION = 1e-9;
/** Largest difference of a price from the sum over its generators, relative: rounding of a DC optimum, the accuracy of a conic one. */
const ACCURACY = { dc: 1e-9, conic: 1e-4 };

/**
 * The units with a part in a price; null where a participation is not a number or they do not sum to the price, which is so at a
 * breakpoint. A conic optimum has losses, and is as accurate as its solver.
 */
export function marginalUnits(
  units: readonly MarginalUnit[],
  { price, losses }: Pick<LmpComponents, "price" | "losses">,
): readonly MarginalUnit[] | null {
  const taking = units.filter(({ participation }) => !(Math.abs(participation) <= LEAST_PARTICIPATION));
  const sum = taking.reduce((total, unit) => total + valueOf(unit), 0);
  const scale = taking.reduce((total, { participation }) => total + Math.abs(participation), 1 + Math.abs(price));
  const accuracy = losses === undefined ? ACCURACY.dc : ACCURACY.conic;
  return Math.abs(sum - price) <= accuracy * scale ? taking : null;
}

/** What the difference of a price between two states is made of; branches in `apart` are others in the second state. */
export function priceParts(was: LmpComponents, is: LmpComponents, apart: ReadonlySet<number> = new Set()): PriceParts {
  const both = (before: number | undefined, after: number | undefined): Moved | null =>
    before === undefined && after === undefined ? null : { before: before ?? 0, after: after ?? 0 };
  return {
    price: { before: was.price, after: is.price },
    energy: { before: was.energy, after: is.energy },
    losses: both(was.losses, is.losses),
    voltage: both(was.voltage, is.voltage),
    lines: lineParts(was, is, apart),
    reference: is.reference,
  };
}

/** Participation times marginal cost, $/MWh. */
function valueOf(unit: MarginalUnit | null): number {
  return unit === null ? 0 : unit.participation * unit.costUsdPerMwh;
}

function lineParts(before: LmpComponents, after: LmpComponents, apart: ReadonlySet<number>): LinePart[] {
  const keyOf = ({ branch, outage = [], generators_out = [], interface: name = "" }: CongestionPart): string =>
    [branch, outage, generators_out, name].join(" ");
  const byLimit = ({ congestion }: LmpComponents): Map<string, CongestionPart> =>
    new Map(congestion.map((part) => [keyOf(part), part]));
  const [was, is] = [byLimit(before), byLimit(after)];
  const parts = [...new Set([...was.keys(), ...is.keys()])].flatMap((key): LinePart[] => {
    const [first, second] = [was.get(key), is.get(key)];
    const { branch = 0, outage, generators_out, interface: name } = first ?? second ?? {};
    const limit = {
      branch,
      ...(outage === undefined ? {} : { outage }),
      ...(generators_out === undefined ? {} : { generators_out }),
      ...(name === undefined ? {} : { interface: name }),
    };
    if (first !== undefined && second !== undefined && apart.has(branch)) {
      return [
        { ...limit, before: first.value, after: 0, binds: "before" },
        { ...limit, before: 0, after: second.value, binds: "after" },
      ];
    }
    const binds = second === undefined ? "before" : first === undefined ? "after" : "both";
    return [{ ...limit, before: first?.value ?? 0, after: second?.value ?? 0, binds }];
  });
  return parts.sort((a, b) => change(b) - change(a) || size(b) - size(a) || a.branch - b.branch);
}

/** The generators that set a price in one of two states, the largest change first; those in `apart` are others in the second state. */
export function unitParts(
  before: readonly MarginalUnit[],
  after: readonly MarginalUnit[],
  apart: ReadonlySet<number> = new Set(),
): UnitPart[] {
  const part = (generator: number, was: MarginalUnit | null, is: MarginalUnit | null): UnitPart => ({
    ...{ generator, was, is },
    ...{ before: valueOf(was), after: valueOf(is) },
  });
  const generators = [...new Set([...before, ...after].map(({ generator }) => generator))];
  const parts = generators.flatMap((generator) => {
    const of = (units: readonly MarginalUnit[]): MarginalUnit | null =>
      units.find((unit) => unit.generator === generator) ?? null;
    const [was, is] = [of(before), of(after)];
    return was !== null && is !== null && apart.has(generator)
      ? [part(generator, was, null), part(generator, null, is)]
      : [part(generator, was, is)];
  });
  return parts.sort((a, b) => change(b) - change(a) || size(b) - size(a) || a.generator - b.generator);
}

const change = ({ before, after }: Moved): number => Math.abs(after - before);
const size = ({ before, after }: Moved): number => Math.abs(before) + Math.abs(after);
