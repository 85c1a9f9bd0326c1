// Results with rows. The engine sends columns, and most readers use these; the rows of the contract's types are made
// when they are first read.
import { parsed } from "../contract/answers.ts";
import type { Optimum, StudyColumns } from "../contract/contract.ts";
import { RESPONSE_ROWS, SOLUTION_ROWS } from "../contract.generated.ts";
import type {
  BranchSlope,
  BusValue,
  Column,
  ColumnName,
  CommitHead,
  CommitResult,
  IngestedCaseHead,
  Preview,
  PreviewHead,
  RowsHead,
  SensitivityColumn,
  SensitivityHead,
  SensitivityMatrix,
  SensitivityMatrixHead,
  Solution,
  SolutionHead,
  SolveResponse,
  SolveResponseHead,
  TrackState,
} from "../contract.generated.ts";
import type { Answer } from "../contract/protocol.ts";

/** A sensitivity column by dense bus row in its own units, ($/MWh)/MW or pu/MW; NaN at isolated buses. */
export interface DenseSensitivity {
  head: SensitivityHead;
  values: Float64Array;
  /** All columns of the answer by name; a power flow has angles and flows too. */
  columns: ColumnsByName;
  /** Derivatives for a decrease at a breakpoint; absent if infeasible on that side. */
  left?: Float64Array;
  right?: Float64Array;
}

/** The result of a commit, with the columns of its rows: by name, and as a table with element and unit. */
export interface Committed<S extends Solution = Optimum> extends CommitResult {
  solution: S;
  columns: StudyColumns;
  table: readonly Column[];
  /**
   * Settles when the hash arrives if the commit had `hashLater`; the solution has it then. Rejects, and the hash stays
   * empty, if the study is interrupted or freed before.
   */
  hashed?: Promise<void>;
}

/** A sensitivity column of the contract, and the same by dense row (not enumerable). */
export type StudySensitivity = SensitivityColumn & { readonly dense: DenseSensitivity };

/**
 * A preview of the contract, with the changes by dense bus row (prices in $/MWh, or voltage magnitudes in pu for a
 * power flow) and all columns of the answer by name. Neither is enumerable.
 */
export type StudyPreview = Preview & { readonly change: Float64Array; readonly columns: ColumnsByName };

/** The state at a position of a track, with the columns of the optimum there. */
export type StudyTrackState = TrackState & { readonly columns: ColumnsByName };

/** Columns of an answer by name. */
export type ColumnsByName = { [name in ColumnName]?: Float64Array };

export function byName(columns: readonly Column[] = []): ColumnsByName {
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]));
}

type RowTable = readonly (readonly [block: string, field: string, column: ColumnName])[];

/** The names of the rows of a Study's columns. */
export class StudyRows {
  readonly #head: () => RowsHead;
  readonly #ids: ColumnsByName;
  #known: RowsHead | undefined;

  /** `head` is called when uids are first needed; `ids` are the columns of ids. */
  constructor(head: () => RowsHead, ids: ColumnsByName) {
    this.#head = head;
    this.#ids = ids;
  }

  /** From the answer to `createStudy`. */
  static of(answer: Answer): StudyRows {
    return new StudyRows(() => parsed<RowsHead>(answer), byName(answer.columns));
  }

  /** From the answer to `networkWith`. */
  static ofNetwork(answer: Answer): StudyRows {
    return new StudyRows(() => parsed<IngestedCaseHead>(answer).topology, byName(answer.columns));
  }

  solution<S extends Solution>(head: SolutionHead, columns: ColumnsByName, solveMs?: number): S {
    const fields = solveMs === undefined ? head : { ...head, solve_ms: solveMs };
    return this.#filled(SOLUTION_ROWS, fields, columns) as unknown as S;
  }

  /** The answer of a solve without a Study. */
  response(head: SolveResponseHead, answer: Answer): SolveResponse {
    const { sensitivities, ...fields } = head;
    const matrices = sensitivities?.map((matrix, at) => matrixOf(matrix, answer.matrices?.[at] as Float64Array));
    const found = this.#filled(RESPONSE_ROWS, fields, byName(answer.columns));
    return (matrices ? Object.assign(found, { sensitivities: matrices }) : found) as SolveResponse;
  }

  /** `head` with those blocks of a table whose first column exists. */
  #filled<Head extends object>(table: RowTable, head: Head, columns: ColumnsByName): Head {
    const makers: { [block: string]: () => object[] } = {};
    for (const [block, , first] of table) {
      const values = columns[first];
      if (values && !(block in makers)) makers[block] = () => this.#rowsOf(table, block, columns, values);
    }
    return lazily(head, makers);
  }

  /** The rows of a block for which its first column has a value. */
  #rowsOf(table: RowTable, block: string, columns: ColumnsByName, first: Float64Array): object[] {
    const fields = table.flatMap(([of, field, name]) => {
      const values = of === block ? columns[name] : undefined;
      return values ? [[field, values] as const] : [];
    });
    const name = this.#naming(block);
    return taking(first).map((row) => {
      const made = name(row);
      for (const [field, values] of fields) made[field] = values[row] as number;
      return made;
    });
  }

  /** The fields that name a row of a block. */
  #naming(block: string): (row: number) => { [field: string]: number | string } {
    const ids = this.#ids as Required<ColumnsByName>;
    switch (block) {
      case "flows": {
        const { branch_uids: uids } = this.#rowsHead;
        return (row) => {
          const uid = uids?.[row];
          return { branch: ids.branch_id[row] as number, ...(uid != null && { uid }) };
        };
      }
      case "dispatch":
        return (row) => ({ gen: ids.generator_id[row] as number, bus: ids.generator_bus[row] as number });
      case "lmp":
        return (row) => ({ bus: ids.bus_id[row] as number });
      default: {
        const uids = this.#busUids();
        return (row) => {
          const uid = uids[row];
          return { bus: ids.bus_id[row] as number, ...(uid != null && { uid }) };
        };
      }
    }
  }

  committed<S extends Solution>(answer: Answer): Committed<S> {
    const { solution, iterations, sensitivity } = parsed<CommitHead>(answer);
    const columns = byName(answer.columns);
    return {
      solution: this.solution(solution, columns, answer.ms),
      iterations,
      sensitivity: sensitivity && this.sensitivity(sensitivity, columns),
      columns: columns as StudyColumns,
      table: answer.columns ?? [],
    };
  }

  sensitivity(head: SensitivityHead, columns: ColumnsByName): StudySensitivity {
    const { lmp_slope_left: left, lmp_slope_right: right, va_slope: va } = columns;
    const dense: DenseSensitivity = {
      head,
      values: (columns.lmp_slope ?? columns.vm_slope) as Float64Array,
      columns,
      ...(left && { left }),
      ...(right && { right }),
    };
    const found = lazily(head, {
      values: () => this.#busValues(dense.values),
      ...(left && { left: () => this.#busValues(left) }),
      ...(right && { right: () => this.#busValues(right) }),
      ...(va && { va: () => this.#busValues(va), flows: () => this.#flowSlopes(columns) }),
    });
    return beside(found as SensitivityColumn, { dense });
  }

  preview(answer: Answer): StudyPreview {
    const columns = byName(answer.columns);
    const { lmp_change: lmp, vm_change: vm, va_change: va } = columns;
    const found = lazily(parsed<PreviewHead>(answer), {
      ...(lmp && { prices: () => this.#busValues(lmp) }),
      ...(vm && { vm: () => this.#busValues(vm) }),
      ...(va && { va: () => this.#busValues(va) }),
    });
    return beside(found as Preview, { change: (lmp ?? vm) as Float64Array, columns });
  }

  trackState(answer: Answer): StudyTrackState {
    return beside(parsed<TrackState>(answer), { columns: byName(answer.columns) });
  }

  #flowSlopes({ flow_slope: mw, flow_mvar_slope: mvar }: ColumnsByName): BranchSlope[] {
    if (!mw || !mvar) return [];
    const { branch_id: ids } = this.#ids as Required<ColumnsByName>;
    return taking(mw).map((row) => ({
      branch: ids[row] as number,
      mw: mw[row] as number,
      mvar: mvar[row] as number,
    }));
  }

  #busUids(): (string | null)[] {
    return this.#rowsHead.bus_uids ?? [];
  }

  get #rowsHead(): RowsHead {
    return (this.#known ??= this.#head());
  }

  #busValues(values: Float64Array): BusValue[] {
    const { bus_id: ids } = this.#ids as Required<ColumnsByName>;
    const uids = this.#busUids();
    return taking(values).map((row) => {
      const uid = uids[row];
      return { bus: ids[row] as number, ...(uid != null && { uid }), value: values[row] as number };
    });
  }
}

/** A matrix with the names of its rows, from its values row by row. */
function matrixOf(head: SensitivityMatrixHead, values: Float64Array): SensitivityMatrix {
  const width = head.cols.length;
  return { ...head, values: head.rows.map((_, row) => [...values.subarray(row * width, (row + 1) * width)]) };
}

/** Indices of the rows that are not NaN. */
function taking(column: Float64Array): number[] {
  const rows: number[] = [];
  column.forEach((value, row) => {
    if (!Number.isNaN(value)) rows.push(row);
  });
  return rows;
}

/** `head` with properties that are computed when first read. They are enumerable, so that they appear in JSON. */
export function lazily<Head extends object, Rows extends object>(
  head: Head,
  makers: { [K in keyof Rows]: () => Rows[K] },
): Head & Rows {
  const result = { ...head };
  for (const [name, make] of Object.entries(makers) as [string, () => unknown][]) {
    const shape = { enumerable: true, configurable: true };
    Object.defineProperty(result, name, {
      ...shape,
      get() {
        const value = make();
        Object.defineProperty(result, name, { ...shape, value, writable: true });
        return value;
      },
    });
  }
  return result as Head & Rows;
}

/** `result` with properties that are not part of its JSON. */
function beside<T extends object, More extends object>(result: T, more: More): T & More {
  for (const [name, value] of Object.entries(more)) Object.defineProperty(result, name, { value });
  return result as T & More;
}
