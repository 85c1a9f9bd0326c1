import type { DenseColumn, VoltageEstimate } from "../solving/exactSolver.ts";
import { type ExactState, PRICE, PRICE_CHANGE } from "./prices.ts";
import { VOLTAGE } from "./voltages.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Name of the active flows at the from end, MW. */
const FLOW = "flow_mw";

/** The quantities that are previewed as changes of the published values, with the names of the changes. */
const CHANGES = [
  [PRICE, PRICE_CHANGE],
  [VOLTAGE, "vm_change"],
  ["va_rad", "va_change"],
  [FLOW, "flow_change"],
  ["flow_mvar", "flow_mvar_change"],
  ["flow_to_mw", "flow_to_change"],
  ["flow_to_mvar", "flow_to_mvar_change"],
  ["loading", "loading_change"],
] as const;

/**
 * The numbers of one session by dense row. `columns` are the quantities of the published exact state; `shown` is what
 * views draw: the same, or for a previewed quantity its linear estimate or the values of an unpublished candidate.
 */
export class SolutionStore {
  columns: QuantityTable;
  /**
   * Shadow prices of the binding lines where the prices on screen are exact but unpublished, $/MWh by dense row; null
   * at rest, and while they are unknown.
   */
  shownShadows: ReadonlyMap<number, number> | null = null;
  /** Flows, loadings and voltages after an outage, drawn in place of those of the state; null otherwise. */
  outage: ReadonlyMap<string, Float64Array> | null = null;
  /**
   * The response of a quantity to the selected element at the published state, in both directions; null when there is
   * none.
   */
  dense: DenseColumn | null = null;
  /** The response of voltages to the selected element at the published state; null where they are not estimated. */
  estimate: VoltageEstimate | null = null;
  /**
   * The exact state before the last move, until another state follows; null where the present state did not come from a
   * move.
   */
  #left: QuantityTable | null = null;
  #previewed: ReadonlyMap<string, Float64Array> | null = null;
  #firstOrder: Float64Array = new Float64Array();

  constructor(columns: QuantityTable) {
    this.columns = columns;
  }

  /** The derivatives that the map shows. */
  get column(): Float64Array | null {
    return this.dense?.values ?? null;
  }

  /** Whether views draw something other than the published state. */
  get previewing(): boolean {
    return this.#previewed !== null;
  }

  /** Whether the flows on screen are those of a previewed position. */
  get previewsFlows(): boolean {
    return this.#previewed?.has(FLOW) === true;
  }

  /** The values of a quantity that views draw; null where there are none. */
  shown(name: string): Float64Array | null {
    return this.#previewed?.get(name) ?? this.outage?.get(name) ?? this.columns.values(name);
  }

  /** One value that views draw; NaN where the quantity or the row is absent. */
  shownAt(name: string, row: number): number {
    return this.shown(name)?.[row] ?? NaN;
  }

  /**
   * The reference of a move: the published state while it is under way, afterwards the previous one; null where there
   * was none.
   */
  get beforeMove(): QuantityTable | null {
    return this.previewing ? this.columns : this.#left;
  }

  /** Publishes and shows a new exact state. The column of the previous state is dropped. */
  publish(columns: QuantityTable): void {
    this.#left = this.previewing ? this.columns : null;
    this.columns = columns;
    this.clearPreview();
    this.dense = this.estimate = null;
  }

  /** Runs `read` on other numbers in place of those on screen, which stay unchanged. */
  reading<T>(columns: QuantityTable, read: () => T): T {
    const [shown, previewed] = [this.columns, this.#previewed];
    this.columns = columns;
    this.#previewed = null;
    try {
      return read();
    } finally {
      this.columns = shown;
      this.#previewed = previewed;
    }
  }

  /** Shows published values + column × step; `stepMw` is the change from the published state. */
  showFirstOrder(stepMw: number): void {
    if (this.estimate !== null) {
      this.#showEstimate(this.estimate, stepMw);
      return;
    }
    const values = this.predict(stepMw, this.#firstOrder);
    if (values !== null && this.dense !== null) {
      this.#firstOrder = values;
      this.#previewed = new Map([[this.dense.of, values]]);
      this.shownShadows = null;
    }
  }

  #showEstimate({ values: column }: VoltageEstimate, stepMw: number): void {
    const values = this.columns.values(VOLTAGE)?.map((pu, row) => pu + (column[row] ?? 0) * stepMw);
    if (values !== undefined) {
      this.#previewed = new Map([[VOLTAGE, values]]);
      this.shownShadows = null;
    }
  }

  /** Shows an unpublished exact state with its binding lines. */
  showCandidate({ columns, shadows }: ExactState): void {
    this.#previewed = columns;
    this.shownShadows = shadows;
  }

  /** Shows the published values plus changes, by the names of the changes. */
  showChanges(changes: ReadonlyMap<string, Float64Array>): void {
    const shown = new Map<string, Float64Array>();
    for (const [name, change] of CHANGES) {
      const by = changes.get(change);
      const values = by && this.columns.values(name)?.map((value, row) => value + (by[row] ?? NaN));
      if (values !== undefined) {
        shown.set(name, values);
      }
    }
    this.#previewed = shown;
    this.shownShadows = null;
  }

  /** Shows the published state again. */
  clearPreview(): void {
    this.#previewed = null;
    this.shownShadows = null;
  }

  /**
   * Published values + column × step, in `out` where that is large enough; null where there is no column in that
   * direction.
   */
  predict(stepMw: number, out: Float64Array = new Float64Array()): Float64Array | null {
    const { dense } = this;
    const base = dense === null ? null : this.columns.values(dense.of);
    const column = (stepMw < 0 ? dense?.left : dense?.right) ?? null;
    if (base === null || column === null) {
      return null;
    }
    const values = out.length === base.length ? out : new Float64Array(base.length);
    for (let row = 0; row < values.length; row += 1) {
      values[row] = (base[row] ?? 0) + (column[row] ?? 0) * stepMw;
    }
    return values;
  }
}
