import type { FormulationId } from "@service/engine";
import {
  type CaseEdits,
  type CaseSession,
  PRICE,
  type PredictedNumber,
  type PredictionCheck,
  type QuantityTable,
  sameEdits,
} from "@service/widgets/workspace";

/** The prediction of a preview. */
export interface Prediction {
  /** The id of its call. */
  readonly call: number;
  readonly session: CaseSession;
  readonly revision: number;
  readonly formulation: FormulationId;
  /** Absolute edits. */
  readonly edits: CaseEdits;
  /** Change of the cost, $/h; null without a cost. */
  readonly objective: number | null;
  /** Changes of the prices by dense bus row, $/MWh; null without prices. */
  readonly prices: Float64Array | null;
}

/** The states before and after an update. */
export interface Step {
  readonly before: { readonly objective: number | undefined; readonly columns: QuantityTable };
  readonly after: { readonly objective: number | undefined; readonly columns: QuantityTable };
}

/** Number of previews stored. */
const MOST = 32;

/** A change this small relative to the changed number is rounding. */
const ROUNDING = 1e-9;

/** The latest previews, for comparison with updates that make the same edits. */
export class PredictionBook {
  #predictions: readonly Prediction[] = [];

  /** Stores a preview. */
  note(prediction: Prediction): void {
    this.#predictions = [...this.#predictions, prediction].slice(-MOST);
  }

  /**
   * Compares the latest preview of the same edits of the same state with their effect; undefined without such a
   * preview.
   */
  check(made: Omit<Prediction, "call" | "objective" | "prices">, { before, after }: Step): PredictionCheck | undefined {
    const found = this.#predictions.findLast(
      ({ session, revision, formulation, edits }) =>
        session === made.session &&
        revision === made.revision &&
        formulation === made.formulation &&
        sameEdits(edits, made.edits),
    );
    if (found === undefined) {
      return undefined;
    }
    const { objective, prices } = found;
    const exact = (after.objective ?? NaN) - (before.objective ?? NaN);
    const cost = objective === null ? null : beside(objective, exact, before.objective ?? 0);
    const price = prices && furthest(prices, before.columns, after.columns, made.session);
    return {
      preview: found.call,
      ...(cost && { objective_change: cost }),
      ...(price && { price_change: price }),
    };
  }
}

/**
 * A predicted change beside the exact one; `size` is the magnitude of the changed number. Null where either is unknown.
 */
export function beside(predicted: number, exact: number, size: number): PredictedNumber | null {
  const error = Math.abs(predicted - exact);
  if (!Number.isFinite(error)) {
    return null;
  }
  const changed = Math.abs(exact) > ROUNDING * Math.max(1, Math.abs(size));
  return { predicted, exact, absolute_error: error, ...(changed && { relative_error: error / Math.abs(exact) }) };
}

function furthest(
  predicted: Float64Array,
  before: QuantityTable,
  after: QuantityTable,
  { opened }: CaseSession,
): (PredictedNumber & { bus: number }) | null {
  const [was, is] = [before.values(PRICE), after.values(PRICE)];
  let worst: (PredictedNumber & { bus: number }) | null = null;
  is?.forEach((price, row) => {
    const old = was?.[row] ?? NaN;
    const compared = beside(predicted[row] ?? NaN, price - old, old);
    if (compared !== null && (worst === null || compared.absolute_error > worst.absolute_error)) {
      worst = { bus: opened.busId(row), ...compared };
    }
  });
  return worst;
}
