import type { StudyColumns } from "@service/engine";
import type { DenseColumn } from "./exactSolver.ts";

/**
 * The numbers of one session by dense row. `columns` is the published exact state; `shownLmp` is what the views draw:
 * the published prices, their first-order preview, or the exact prices of a candidate that is not published yet.
 */
export class SolutionStore {
  columns: StudyColumns;
  shownLmp: Float64Array;
  /** dLMP/d(demand or rating) of the selected element at the published state, to both sides; null when there is none. */
  dense: DenseColumn | null = null;
  readonly #preview: Float64Array;

  constructor(columns: StudyColumns) {
    this.columns = columns;
    this.shownLmp = columns.lmp;
    this.#preview = new Float64Array(columns.lmp.length);
  }

  /** What the map shows of the derivatives. */
  get column(): Float64Array | null {
    return this.dense?.values ?? null;
  }

  /** True while `shownLmp` is not the published state. */
  get previewing(): boolean {
    return this.shownLmp !== this.columns.lmp;
  }

  /** Takes a new exact state and shows it. The column belonged to the state before and goes. */
  publish(columns: StudyColumns): void {
    this.columns = columns;
    this.shownLmp = columns.lmp;
    this.dense = null;
  }

  /** Shows published prices + column * step; `stepMw` is the change from the published state. */
  showFirstOrder(stepMw: number): void {
    if (this.predict(stepMw, this.#preview)) {
      this.shownLmp = this.#preview;
    }
  }

  /** Shows the exact prices of a candidate. */
  showCandidate(lmp: Float64Array): void {
    this.shownLmp = lmp;
  }

  /** Shows the published prices again. */
  clearPreview(): void {
    this.shownLmp = this.columns.lmp;
  }

  /** Writes published prices + column * step into `out`; false when there is no column to that side. */
  predict(stepMw: number, out: Float64Array): boolean {
    const base = this.columns.lmp;
    const column = (stepMw < 0 ? this.dense?.left : this.dense?.right) ?? null;
    if (column === null) {
      return false;
    }
    for (let row = 0; row < out.length; row += 1) {
      out[row] = (base[row] ?? 0) + (column[row] ?? 0) * stepMw;
    }
    return true;
  }
}

/** The bus where a prediction was furthest from the exact price. */
export interface Miss {
  usdPerMwh: number;
  /** Dense bus row, -1 when every price was met. */
  row: number;
}

/** Largest absolute difference of two price columns; rows that take no part (NaN) are left out. */
export function largestMiss(predicted: Float64Array, exact: Float64Array): Miss {
  const miss: Miss = { usdPerMwh: 0, row: -1 };
  for (let row = 0; row < exact.length; row += 1) {
    const off = Math.abs((predicted[row] ?? NaN) - (exact[row] ?? NaN));
    if (off > miss.usdPerMwh) {
      miss.usdPerMwh = off;
      miss.row = row;
    }
  }
  return miss;
}
