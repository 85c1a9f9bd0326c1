import type { StudyColumns } from "@service/engine";
import type { DenseColumn } from "../session/exactSolver.ts";

/**
 * The numbers of one session by dense row. `columns` is the published exact state; `shownLmp` is what the views draw:
 * the published prices, their first-order preview, or the exact prices of a candidate that is not published yet.
 */
export class SolutionStore {
  columns: StudyColumns;
  shownLmp: Float64Array;
  /**
   * Shadow prices of the lines that bind where `shownLmp` is not published but exact, $/MWh by dense row; null at rest, and while
   * they are not known.
   */
  shownShadows: ReadonlyMap<number, number> | null = null;
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
    this.clearPreview();
    this.dense = null;
  }

  /** Shows published prices + column * step; `stepMw` is the change from the published state. */
  showFirstOrder(stepMw: number): void {
    if (this.predict(stepMw, this.#preview)) {
      this.shownLmp = this.#preview;
      this.shownShadows = null;
    }
  }

  /** Shows the exact prices of a candidate, with the lines that bind there where they are known. */
  showCandidate(lmp: Float64Array, shadows: ReadonlyMap<number, number> | null): void {
    this.shownLmp = lmp;
    this.shownShadows = shadows;
  }

  /** Shows the published prices again. */
  clearPreview(): void {
    this.shownLmp = this.columns.lmp;
    this.shownShadows = null;
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

/** Shadow prices of the lines that bind, $/MWh by dense row. */
export function shadowsOf({ shadow }: Pick<StudyColumns, "shadow">): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  shadow.forEach((price, row) => {
    if (price > 0) {
      found.set(row, price);
    }
  });
  return found;
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
