import type { DenseColumn, VoltageEstimate } from "../solving/exactSolver.ts";
import type { ExactState } from "./prices.ts";
import { VOLTAGE } from "./voltages.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Name of the active flows at the from end, MW. */
const FLOW = "flow_mw";

/** What of a power flow is previewed, with the names of its changes. */
const CHANGES = [
  [VOLTAGE, "vm_change"],
  ["va_rad", "va_change"],
  [FLOW, "flow_change"],
  ["flow_mvar", "flow_mvar_change"],
  ["flow_to_mw", "flow_to_change"],
  ["flow_to_mvar", "flow_to_mvar_change"],
  ["loading", "loading_change"],
] as const;

/**
 * The numbers of one session by dense row. `columns` are the quantities of the published exact state; `shown` is what the views
 * draw: those, or of a quantity that is previewed its linear estimate or the values of a candidate that is not published yet.
 */
export class SolutionStore {
  columns: QuantityTable;
  /**
   * Shadow prices of the lines that bind where the prices shown are not published but exact, $/MWh by dense row; null at rest, and
   * while they are not known.
   */
  shownShadows: ReadonlyMap<number, number> | null = null;
  /** The flows (MW) and loadings after an outage, drawn over those of the state while they are shown; null otherwise. */
  outage: ReadonlyMap<string, Float64Array> | null = null;
  /** How a quantity responds to the selected element at the published state, to both sides; null when there is none. */
  dense: DenseColumn | null = null;
  /** How voltages respond to the selected element at the published state; null where they are not estimated. */
  estimate: VoltageEstimate | null = null;
  /** The exact state that the last move began at, until another one follows; null where the present state is not that of a move. */
  #left: QuantityTable | null = null;
  #previewed: ReadonlyMap<string, Float64Array> | null = null;
  #firstOrder: Float64Array = new Float64Array();

  constructor(columns: QuantityTable) {
    this.columns = columns;
  }

  /** What the map shows of the derivatives. */
  get column(): Float64Array | null {
    return this.dense?.values ?? null;
  }

  /** True while what is shown is not the published state. */
  get previewing(): boolean {
    return this.#previewed !== null;
  }

  /** Whether the flows shown are those of a position that is previewed. */
  get previewsFlows(): boolean {
    return this.#previewed?.has(FLOW) === true;
  }

  /** The values of a quantity that views draw; null where there are none. */
  shown(name: string): Float64Array | null {
    return this.#previewed?.get(name) ?? this.outage?.get(name) ?? this.columns.values(name);
  }

  /** One of them; NaN where the quantity or the row is absent. */
  shownAt(name: string, row: number): number {
    return this.shown(name)?.[row] ?? NaN;
  }

  /** What a move is measured from: the published state while it is under way, after it the one before; null where there was none. */
  get beforeMove(): QuantityTable | null {
    return this.previewing ? this.columns : this.#left;
  }

  /** Takes a new exact state and shows it. The column belonged to the state before and goes. */
  publish(columns: QuantityTable): void {
    this.#left = this.previewing ? this.columns : null;
    this.columns = columns;
    this.clearPreview();
    this.dense = this.estimate = null;
  }

  /** Runs `read` with other numbers in place of those shown; nothing that is shown changes. */
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

  /** Shows published values + column * step; `stepMw` is the change from the published state. */
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

  /** Shows an exact state that is not published, with the lines that bind there. */
  showCandidate({ columns, shadows }: ExactState): void {
    this.#previewed = columns;
    this.shownShadows = shadows;
  }

  /** Shows the published values with changes of them, by the names of the changes. */
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

  /** Published values + column * step, in `out` where that is large enough; null when there is no column to that side. */
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
