import type { SensitivityHead } from "@service/engine";
import { cancelledError } from "../concurrency/cancelling.ts";
import type { CaseEdits } from "../edits/edits.ts";
import { PRICE, ratingShadows } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import type { Profile } from "../series/profile.ts";
import type { SessionCore } from "../session/sessionCore.ts";

/** How a price responds to the rating of a line, in the units of its column. */
export interface RatingEffect {
  /** Original id. */
  readonly branch: number;
  /** The derivatives for an increase and a decrease of the rating, which differ at a breakpoint; NaN without a solution on that side. */
  readonly increase: number;
  readonly decrease: number;
  /** The column of the rating, with the interval in which the derivatives hold. */
  readonly column: SensitivityHead;
}

/** The effects of all lines that bind in a state, the largest fall for an increase first. */
export interface RatingEffects {
  readonly edits: CaseEdits;
  readonly effects: readonly RatingEffect[];
}

/** A shadow price below this, $/MWh, is rounding. */
const LEAST_SHADOW = 1e-9;

/** Which ratings lower a price: of a bus, or the mean price by demand where the bus is null. The live state does not change. */
export class RatingScreen {
  readonly #core: SessionCore;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /**
   * The derivatives of the price at the live state by the ratings that bind: others change no price. Each takes a turn in the queue, so
   * that changes do not wait for all. Rejects with EngineError, and with `ABORTED` when the signal fires.
   */
  async of(bus: number | null, signal: AbortSignal): Promise<RatingEffects> {
    const { queue, solver, states, opened } = this.#core;
    const { edits, columns, solution } = states.origin;
    const weights = this.#weights(bus, columns);
    const shadows = ratingShadows(columns, solution, opened);
    const binding = opened.branches.filter((_, row) => (shadows?.[row] ?? 0) > LEAST_SHADOW);
    const effects: RatingEffect[] = [];
    // One forward solve a line, which gives its interval too; one adjoint solve for all would not.
    for (const { id: branch } of binding) {
      if (signal.aborted) {
        throw cancelledError();
      }
      const { column, left, right } = await queue.run(() =>
        solver.sensitivityThere(edits, { kind: "branch", id: branch }),
      );
      effects.push({ branch, increase: mean(right, weights), decrease: mean(left, weights), column });
    }
    effects.sort((a, b) => orLast(a.increase) - orLast(b.increase) || a.branch - b.branch);
    return { edits, effects };
  }

  /**
   * The exact change of the price with each rating raised by `mw` alone, by branch; null where there is no solution. Each is a solve on a
   * copy of the live state. Rejects with EngineError, and with `ABORTED` when the signal fires.
   */
  async verify(
    branches: readonly number[],
    bus: number | null,
    mw: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, number | null>> {
    const { queue, solver, states, opened } = this.#core;
    const { columns, result } = await queue.run(async () => {
      const { origin } = states;
      const own = branches.map((id) => origin.edits.rates[String(id)] ?? 0);
      const steps = branches.map((_, step) => own.map((change, k) => (k === step ? change + mw : change)));
      const changesMw = Float64Array.from(steps.flat());
      const profile: Profile = { name: "", steps: branches.map(String), buses: [], branches, changesMw };
      return { columns: origin.columns, ...(await solver.beginSeries(origin, profile, { signal })) };
    });
    const found = await result;
    const weights = this.#weights(bus, columns);
    const before = mean(columns.values(PRICE), weights);
    const prices = found.columns.find(({ name }) => name === PRICE)?.values ?? new Float64Array();
    const count = opened.buses.length;
    return new Map(
      branches.map((branch, step) => {
        const failed = found.steps[step]?.error !== undefined;
        const after = mean(prices.subarray(step * count, (step + 1) * count), weights);
        return [branch, failed ? null : after - before];
      }),
    );
  }

  /** Weights by dense row that add up to one: the bus, or all buses with a price by their positive demand. */
  #weights(bus: number | null, columns: QuantityTable): Weights {
    if (bus !== null) {
      return [[this.#core.opened.busRow(bus), 1]];
    }
    const rows = this.#core.opened.buses.flatMap((_, row): [number, number][] => {
      const demand = columns.at("demand_mw", row);
      return demand > 0 && Number.isFinite(columns.at(PRICE, row)) ? [[row, demand]] : [];
    });
    const total = rows.reduce((sum, [, demand]) => sum + demand, 0);
    return rows.map(([row, demand]) => [row, demand / total]);
  }
}

/** A number to sort by: what is none comes last. */
function orLast(value: number): number {
  return Number.isNaN(value) ? Number.MAX_VALUE : value;
}

type Weights = readonly (readonly [row: number, weight: number])[];

/** The weighted sum of values by dense row; NaN without values, and without weights. */
function mean(values: Float64Array | null, weights: Weights): number {
  return values === null || weights.length === 0
    ? NaN
    : weights.reduce((sum, [row, weight]) => sum + weight * (values[row] ?? NaN), 0);
}
