// Results with rows. Numbers come from the engine as columns, and most readers want them so; the rows of the contract's shapes are
// made when somebody reads them.
import { parsed } from "../contract/answers.ts";
import type { Optimum, StudyColumns } from "../contract/contract.ts";
import { SOLUTION_ROWS } from "../contract.generated.ts";
import type {
  BranchSlope,
  BusValue,
  Column,
  ColumnName,
  CommitHead,
  CommitResult,
  Preview,
  PreviewHead,
  RowsHead,
  SensitivityColumn,
  SensitivityHead,
  Solution,
  SolutionHead,
} from "../contract.generated.ts";
import type { Answer } from "../contract/protocol.ts";

/** A sensitivity column by dense bus row in the units of its head, ($/MWh)/MW or pu/MW, NaN at isolated buses. */
export interface DenseSensitivity {
  head: SensitivityHead;
  values: Float64Array;
  /** All columns of the answer by name: of a power flow angles and flows too. */
  columns: ColumnsByName;
  /** At a breakpoint the derivatives for a decrease and an increase; absent if infeasible on that side. */
  left?: Float64Array;
  right?: Float64Array;
}

/** What a commit gives: the contract's result, with the columns that its rows are made of: by name, and with element and unit. */
export interface Committed<S extends Solution = Optimum> extends CommitResult {
  solution: S;
  columns: StudyColumns;
  table: readonly Column[];
}

/** A column of the contract, and the same by dense row (not enumerable). */
export type StudySensitivity = SensitivityColumn & { readonly dense: DenseSensitivity };

/**
 * A preview of the contract, and the changes by dense bus row: of the prices, $/MWh, or of a power flow of the voltage magnitudes, pu;
 * with all columns of the answer by name (neither is enumerable).
 */
export type StudyPreview = Preview & { readonly change: Float64Array; readonly columns: ColumnsByName };

/** Columns of an answer by name. */
export type ColumnsByName = { [name in ColumnName]?: Float64Array };

export function byName(columns: readonly Column[] = []): ColumnsByName {
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]));
}

type Block = (typeof SOLUTION_ROWS)[number][0];

/** What names the rows of a Study's columns. */
export class StudyRows {
  readonly #answer: Answer;
  readonly #ids: ColumnsByName;
  #uids: (string | null)[] | undefined;

  /** From the answer to the creation of a study. */
  constructor(answer: Answer) {
    this.#answer = answer;
    this.#ids = byName(answer.columns);
  }

  solution<S extends Solution>(head: SolutionHead, columns: ColumnsByName, solveMs: number): S {
    const makers: { [block: string]: () => object[] } = {};
    for (const [block, , first] of SOLUTION_ROWS) {
      const values = columns[first];
      if (values && !(block in makers)) makers[block] = () => this.#rowsOf(block, columns, values);
    }
    return lazily({ ...head, solve_ms: solveMs }, makers) as unknown as S;
  }

  /** Rows of a block that take part: those for which `first`, its first column, has a value. */
  #rowsOf(block: Block, columns: ColumnsByName, first: Float64Array): object[] {
    const fields = SOLUTION_ROWS.flatMap(([of, field, name]) => {
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

  /** What names a row of a block. */
  #naming(block: Block): (row: number) => { [field: string]: number | string } {
    const ids = this.#ids as Required<ColumnsByName>;
    switch (block) {
      case "flows":
        return (row) => ({ branch: ids.branch_id[row] as number });
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
    return (this.#uids ??= parsed<RowsHead>(this.#answer).bus_uids ?? []);
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

/** Rows that take part. */
function taking(column: Float64Array): number[] {
  const rows: number[] = [];
  column.forEach((value, row) => {
    if (!Number.isNaN(value)) rows.push(row);
  });
  return rows;
}

/** `head` with properties whose values are made when they are first read. They are enumerable, as JSON wants them. */
function lazily<Head extends object, Rows extends object>(
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

/** `result` with more that is no part of its JSON. */
function beside<T extends object, More extends object>(result: T, more: More): T & More {
  for (const [name, value] of Object.entries(more)) Object.defineProperty(result, name, { value });
  return result as T & More;
}
