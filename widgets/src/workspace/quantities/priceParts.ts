import type { LmpComponents, PriceReference } from "@service/engine";

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

/** What the difference of a price between two states is made of. */
export function priceParts(was: LmpComponents, is: LmpComponents): PriceParts {
  const both = (before: number | undefined, after: number | undefined): Moved | null =>
    before === undefined && after === undefined ? null : { before: before ?? 0, after: after ?? 0 };
  return {
    price: { before: was.price, after: is.price },
    energy: { before: was.energy, after: is.energy },
    losses: both(was.losses, is.losses),
    voltage: both(was.voltage, is.voltage),
    lines: lineParts(was, is),
    reference: is.reference,
  };
}

/** Participation times marginal cost, $/MWh. */
function valueOf(unit: MarginalUnit | null | undefined): number {
  return unit == null ? 0 : unit.participation * unit.costUsdPerMwh;
}

function lineParts(before: LmpComponents, after: LmpComponents): LinePart[] {
  const [was, is] = [before, after].map(
    ({ congestion }) => new Map(congestion.map(({ branch, value }) => [branch, value])),
  ) as [Map<number, number>, Map<number, number>];
  const branches = [...new Set([...was.keys(), ...is.keys()])];
  const parts = branches.map((branch): LinePart => {
    const binds = !is.has(branch) ? "before" : was.has(branch) ? "both" : "after";
    return { branch, before: was.get(branch) ?? 0, after: is.get(branch) ?? 0, binds };
  });
  return parts.sort((a, b) => change(b) - change(a) || size(b) - size(a) || a.branch - b.branch);
}

/** The generators that set a price in one of two states, the largest change first. */
export function unitParts(before: readonly MarginalUnit[], after: readonly MarginalUnit[]): UnitPart[] {
  const generators = [...new Set([...before, ...after].map(({ generator }) => generator))];
  const parts = generators.map((generator): UnitPart => {
    const [was, is] = [before, after].map((units) => units.find((unit) => unit.generator === generator) ?? null);
    return { generator, was: was ?? null, is: is ?? null, before: valueOf(was), after: valueOf(is) };
  });
  return parts.sort((a, b) => change(b) - change(a) || size(b) - size(a) || a.generator - b.generator);
}

const change = ({ before, after }: Moved): number => Math.abs(after - before);
const size = ({ before, after }: Moved): number => Math.abs(before) + Math.abs(after);
